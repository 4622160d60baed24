// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/pair_files.h"

#include <cstddef>

#include "absl/status/status.h"
#include "tools/orbox/text.h"

namespace orbox::cli {

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
      arguments, kPictureSizeOption.name, {.width = 1120, .height = 840});
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
