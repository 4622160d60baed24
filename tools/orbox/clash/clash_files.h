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
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/clash/clash_input.h"
#include "tools/orbox/clash/scene_places.h"
#include "tools/orbox/output/side_file.h"
#include "tools/picture/picture.h"
#include "tools/report/bcf.h"
#include "tools/report/clash_list.h"
#include "tools/report/issue_list.h"
#include "tools/report/review.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {

// Default numbers of issues with pictures.
inline constexpr uint64_t kPicturesOfPage = 24;
inline constexpr uint64_t kPicturesOfBcf = 500;

inline constexpr Option kClashReportOption = {
    kReportOption.name,
    kReportOption.value,
    "write a page for a browser: the issues as a list to search, filter, mark "
    "and comment, with pictures of the worst and a model to turn, the groups, "
    "the motion, and what the answer cost; it loads nothing from elsewhere",
    false,
    nullptr,
    Contents::kHtml};
inline constexpr Option kBcfOption = {
    "--bcf",
    "FILE",
    "write the issues, each with a viewpoint, and the worst with a picture, "
    "for programs that coordinate buildings (BIM Collaboration Format)",
    false,
    nullptr,
    Contents::kBcf};
inline constexpr std::string_view kBcfVersions[] = {"2.1", "3.0"};
inline constexpr Option kBcfVersionOption = {
    "--bcf-version", "V", "of the BCF file: 2.1 (default) or 3.0", false, [] {
      return std::vector<std::string_view>{kBcfVersions[0], kBcfVersions[1]};
    }};
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
    "draw only the N worst issues (default: 24 in a report, 500 in BCF)"};
inline constexpr Option kIssuesOption = {
    "--issues", "HOW",
    "one issue of a report and of BCF for several clashes: pair, each its own "
    "(the default); element, all clashes of one body; near=D, places that hang "
    "together, each within D of another; group, those of --group"};
inline constexpr Option kReviewOption = {
    "--review", "FILE",
    "what people have decided: the table that a report saved, or a BCF file; "
    "statuses, comments and names go into the new report and BCF",
    true};
inline constexpr Option kClashPictureSizeOption = {
    kPictureSizeOption.name, kPictureSizeOption.value,
    "size of the pictures (default: 480x360)"};

struct ClashFiles {
  std::string report;  // names of files; empty if not requested
  std::string bcf;
  report::BcfVersion bcf_version = report::BcfVersion::k2_1;
  std::string glb;
  std::optional<uint64_t> pictures;
  report::IssueOptions issues;
  std::vector<std::string> reviews;  // names of files, the oldest first
  picture::PictureSize picture_size;

  bool any() const { return !report.empty() || !bcf.empty() || !glb.empty(); }
};

// Returns a usage error for a bad name or number.
absl::StatusOr<ClashFiles> ReadClashFiles(const Arguments& arguments);

// Reads the files of decisions. Errors are those of the files.
absl::StatusOr<report::Review> ReadReviews(std::span<const std::string> paths);

// The issues of a scene, and what people have decided about them.
struct ClashIssues {
  report::SceneWords words;
  std::vector<report::Issue> issues;
  report::Review review;
  std::vector<std::string> left;  // ids of decisions without an issue
};

// Returns the issues of the list, with what the review has about them. `ids`
// are those of the bodies, equal from run to run.
ClashIssues FindIssues(const report::IssueOptions& options,
                       const ClashInput& scene, const report::ClashList& list,
                       const std::vector<std::string>& ids,
                       const ScenePlaces& places, report::Review review);

absl::Status WriteClashFiles(const ClashFiles& files, const ClashInput& scene,
                             const report::SceneSummary& summary,
                             const report::ClashList& list,
                             const ClashIssues& issues,
                             const TraversalStatistics& statistics,
                             const Settings& settings,
                             ProgressDisplay& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_FILES_H_
