// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clearance_files.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/pair_within.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/distance_ply.h"
#include "tools/orbox/pair_relation.h"
#include "tools/orbox/side_file.h"
#include "tools/orbox/text.h"
#include "tools/picture/findings.h"
#include "tools/report/clearance_report.h"
#include "tools/report/report_pictures.h"

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

// Computes the numbers once more, for their cost, and, without a distance, the
// overlapping pairs.
absl::StatusOr<picture::Findings> Find(const PosedTree& a, const PosedTree& b,
                                       const std::optional<double>& within,
                                       const Settings& settings,
                                       Progress& progress,
                                       TraversalStatistics& statistics) {
  progress.Begin("pairs for the report");
  picture::Findings findings{.a = a, .b = b};
  findings.within = within;
  findings.nearest = *ClosestPair(a, b, {.statistics = &statistics});
  QueryOptions cores;
  cores.statistics = &statistics;
  cores.threads = static_cast<int>(settings.threads);
  cores.progress = [&progress](double share) { progress.ShareDone(share); };
  findings.pairs = AllWithin(a, b, within.value_or(0), cores);
  return findings;
}

absl::Status WriteReport(const PairFiles& files, const MeshPair& pair,
                         const PosedTree& a,
                         const std::optional<double>& within,
                         const Settings& settings, Progress& progress) {
  TraversalStatistics statistics;
  const absl::StatusOr<picture::Findings> findings =
      Find(a, pair.b, within, settings, progress, statistics);
  if (!findings.ok()) return findings.status();
  const MeshRelation relation = PairRelation(pair).Of(
      a, pair.b, findings->nearest->distance == 0, nullptr);
  absl::StatusOr<std::vector<report::ReportPicture>> pictures =
      report::DrawReportPictures(
          *findings, "A and B",
          DrawingOptions(files.picture_size, settings, progress));
  if (!pictures.ok()) return pictures.status();
  const report::ClearanceReport report{.title = pair.title,
                                       .findings = *findings,
                                       .relation = NoteOf(relation),
                                       .statistics = statistics,
                                       .pictures = *std::move(pictures),
                                       .unit = settings.style.unit};
  return WriteSideFile(files.report, report::ClearanceReportPage(report));
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
  return WriteReport(files, pair, *a, within, settings, progress);
}

}  // namespace orbox::cli
