// SPDX-License-Identifier: Apache-2.0

// The files that `orbox clash` writes in addition to its result: an interactive
// page, and issues for building coordination programs.
//
//   absl::StatusOr<ClashFiles> files = ReadClashFiles(arguments);
//   if (files->any()) status = WriteClashFiles(*files, scene, ...);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_FILES_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_FILES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/clash/clash_input.h"
#include "tools/orbox/output/side_file.h"
#include "tools/picture/picture.h"
#include "tools/report/clash_list.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {

// Default number of clashes with pictures on a page.
inline constexpr uint64_t kPicturesOfPage = 24;

inline constexpr Option kClashReportOption = {
    kReportOption.name,
    kReportOption.value,
    "write a page for a browser: the clashes as a list to search and filter, "
    "with pictures of the worst and a model to turn, the groups, the motion, "
    "and what the answer cost; it loads nothing from elsewhere",
    false,
    nullptr,
    Contents::kHtml};
inline constexpr Option kBcfOption = {
    "--bcf",
    "FILE",
    "write the clashes as issues, each with a viewpoint and a picture, for "
    "programs that coordinate buildings (BIM Collaboration Format 2.1)",
    false,
    nullptr,
    Contents::kBcf};
inline constexpr Option kClashGlbOption = {
    "--glb",
    "FILE",
    "write the bodies for any viewer, each in the colour of its worst clash, "
    "with a ball where a clash is (binary glTF)",
    false,
    nullptr,
    Contents::kGlb};
inline constexpr Option kPicturesOption = {
    "--pictures", "N",
    "draw only the N worst clashes (default: 24 in a report, all in issues)"};
inline constexpr Option kClashPictureSizeOption = {
    kPictureSizeOption.name, kPictureSizeOption.value,
    "size of the pictures (default: 480x360)"};

struct ClashFiles {
  std::string report;  // names of files; empty if not requested
  std::string bcf;
  std::string glb;
  std::optional<uint64_t> pictures;
  picture::PictureSize picture_size;

  bool any() const { return !report.empty() || !bcf.empty() || !glb.empty(); }
};

// Returns a usage error for a bad name or number.
absl::StatusOr<ClashFiles> ReadClashFiles(const Arguments& arguments);

absl::Status WriteClashFiles(const ClashFiles& files, const ClashInput& scene,
                             const report::SceneSummary& summary,
                             const report::ClashList& list,
                             const TraversalStatistics& statistics,
                             const Settings& settings,
                             ProgressDisplay& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_FILES_H_
