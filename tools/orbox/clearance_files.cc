// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clearance_files.h"

#include <string>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "tools/orbox/distance_ply.h"
#include "tools/orbox/side_file.h"
#include "tools/report/pair_report.h"

namespace orbox::cli {
namespace {

// The first half of the work, or the second.
QueryOptions HalfOf(int half, const Settings& settings, Progress& progress) {
  QueryOptions options;
  options.threads = static_cast<int>(settings.threads);
  options.progress = [half, &progress](double share) {
    progress.ShareDone((half + share) / 2);
  };
  return options;
}

absl::Status WritePly(const std::string& path, const PosedTree& a,
                      const PosedTree& b, const std::optional<double>& within,
                      const Settings& settings, Progress& progress) {
  progress.Begin("distances of faces");
  const absl::StatusOr<std::vector<double>> of_a =
      DistancesFrom(a, b, HalfOf(0, settings, progress));
  if (!of_a.ok()) return of_a.status();
  const absl::StatusOr<std::vector<double>> of_b =
      DistancesFrom(b, a, HalfOf(1, settings, progress));
  if (!of_b.ok()) return of_b.status();
  const MeasuredMesh meshes[] = {{&a, *of_a}, {&b, *of_b}};
  return WriteSideFile(path, EncodeDistancePly(meshes, within));
}

}  // namespace

absl::Status WriteClearanceFiles(const PairFiles& files, const MeshPair& pair,
                                 const std::optional<double>& within,
                                 const Settings& settings, Progress& progress) {
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
