// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/clearance_files.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "tools/orbox/output/distance_ply.h"
#include "tools/orbox/output/distance_split.h"
#include "tools/orbox/output/side_file.h"
#include "tools/report/pair_report.h"

namespace orbox::cli {
namespace {

double LargestOf(std::span<const std::vector<double>> lists) {
  double largest = 0;
  for (const std::vector<double>& list : lists) {
    for (const double d : list) largest = std::max(largest, d);
  }
  return largest;
}

// Returns the options of a quarter of the work.
QueryOptions QuarterOf(int quarter, const Settings& settings,
                       ProgressDisplay& progress) {
  QueryOptions options;
  options.threads = static_cast<int>(settings.threads);
  options.progress = [quarter, &progress](double share) {
    progress.ShareDone((quarter + share) / 4);
  };
  return options;
}

absl::Status WritePly(const std::string& path, const PosedTree& a,
                      const PosedTree& b, const std::optional<double>& within,
                      const Settings& settings, ProgressDisplay& progress) {
  progress.Begin("distances of faces");
  const PosedTree* const meshes[] = {&a, &b};
  std::vector<double> distances[2];
  for (int i = 0; i < 2; ++i) {
    absl::StatusOr<std::vector<double>> of_faces = DistancesFrom(
        *meshes[i], *meshes[1 - i], QuarterOf(i, settings, progress));
    if (!of_faces.ok()) return of_faces.status();
    distances[i] = *std::move(of_faces);
  }
  const double end = within.value_or(LargestOf(distances));
  std::vector<PosedTree> fine;
  for (int i = 0; i < 2; ++i) {
    absl::StatusOr<PosedTree> split = SplitByDistance(
        *meshes[i], *meshes[1 - i], {.end = end, .nearest = distances[i]},
        {.threads = static_cast<int>(settings.threads)});
    if (!split.ok()) return split.status();
    fine.push_back(*std::move(split));
  }
  for (int i = 0; i < 2; ++i) {
    absl::StatusOr<std::vector<double>> of_faces = DistancesFrom(
        fine[i], *meshes[1 - i], QuarterOf(2 + i, settings, progress));
    if (!of_faces.ok()) return of_faces.status();
    distances[i] = *std::move(of_faces);
  }
  const MeasuredMesh measured[] = {{&fine[0], distances[0]},
                                   {&fine[1], distances[1]}};
  return WriteSideFile(path, EncodeDistancePly(measured, end));
}

}  // namespace

absl::Status WriteClearanceFiles(const PairFiles& files, const MeshPair& pair,
                                 const std::optional<double>& within,
                                 const Settings& settings,
                                 ProgressDisplay& progress) {
  if (!files.any()) return absl::OkStatus();
  const absl::StatusOr<PosedTree> a =
      PosedTree::Create(pair.a, pair.poses.poses[0]);
  if (!a.ok()) return a.status();
  if (!files.ply.empty()) {
    const absl::Status written =
        WritePly(files.ply, *a, pair.b, within, settings, progress);
    if (!written.ok()) return written;
  }
  if (files.report.empty()) return absl::OkStatus();
  const absl::StatusOr<std::string> page = report::MakeClearancePage(
      *a, pair.b, within, ReportOptionsOf(files, pair, settings, progress));
  if (!page.ok()) return page.status();
  return WriteSideFile(files.report, *page);
}

}  // namespace orbox::cli
