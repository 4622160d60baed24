// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/pair_files.h"

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {

report::PairReportOptions ReportOptionsOf(const PairFiles& files,
                                          const MeshPair& pair,
                                          const Settings& settings,
                                          ProgressDisplay& progress) {
  const auto share_done = [&progress](double share) {
    progress.ShareDone(share);
  };
  return {
      .title = pair.title,
      .unit = settings.style.unit,
      .query = {.threads = static_cast<int>(settings.threads),
                .progress = share_done},
      .drawing = {.size = files.picture_size,
                  .threads = settings.threads,
                  .progress = share_done},
      .begin = [&progress](std::string_view what) { progress.Begin(what); }};
}

absl::StatusOr<PairFiles> ReadPairFiles(const Arguments& arguments,
                                        const PairArguments& pair) {
  constexpr Option kPly = {"--ply", "FILE", ""};
  const absl::StatusOr<std::string> ply = ReadSideFile(arguments, kPly);
  if (!ply.ok()) return ply.status();
  constexpr Option kGlb = {"--glb", "FILE", ""};
  const absl::StatusOr<std::string> glb = ReadSideFile(arguments, kGlb);
  if (!glb.ok()) return glb.status();
  const absl::StatusOr<std::string> report =
      ReadSideFile(arguments, kReportOption);
  if (!report.ok()) return report.status();
  const absl::StatusOr<picture::PictureSize> size = ReadPictureSize(
      arguments, kPictureSizeOption.name, report::kReportPictureSize);
  if (!size.ok()) return size.status();
  const PairFiles files{
      .ply = *ply, .glb = *glb, .report = *report, .picture_size = *size};
  const size_t poses = pair.poses.poses.size();
  if (files.any() && poses > 1) {
    return absl::InvalidArgumentError(Cat(
        pair.poses.file->Place(1), ": the second of ", poses, " poses, and ",
        !files.ply.empty()   ? kPly.name
        : !files.glb.empty() ? kGlb.name
                             : kReportOption.name,
        " shows one; give that one"));
  }
  return files;
}

}  // namespace orbox::cli
