// SPDX-License-Identifier: Apache-2.0

// Reports on two meshes: computes their contents from the meshes, and draws
// their pictures.
//
//   const PairReportOptions options{.title = "A (arm.stl) and B (wall.stl)"};
//   absl::StatusOr<std::string> page = MakeClearancePage(arm, wall, 0.1,
//   options);
//
//   absl::StatusOr<SurfaceDeviation> deviation =
//       MeasureDeviation(scan, model, {.tolerance = 1e-3}, options);
//   if (deviation.ok()) page = MakeDeviationPage(scan, model, *deviation,
//   options);
//
// Equal meshes and titles give equal bytes. Errors are those of the queries
// (query_options.h) and of DrawReportPictures.
#ifndef ORBOX_TOOLS_REPORT_PAIR_REPORT_H_
#define ORBOX_TOOLS_REPORT_PAIR_REPORT_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/deviation/deviation_summary.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/picture/picture.h"

namespace orbox::report {

inline constexpr picture::PictureSize kReportPictureSize = {.width = 1120,
                                                            .height = 840};

struct PairReportOptions {
  std::string title = {};  // "A (arm.stl) and B (wall.stl)"
  std::string unit = {};   // of lengths, as a label; may be empty
  // Options of all queries. Their cost is counted for the page.
  QueryOptions query = {};
  // False if there is no page: MeasureDeviation does not count the cost, and
  // leaves out the summary, and the bounds of a cloud.
  bool has_page = true;
  picture::PictureOptions drawing = {.size = kReportPictureSize};
  // Limits of the statistics of a deviation. True if the deviation of B from A
  // is not wanted.
  DeviationLimits limits = {};
  bool one_way = false;
  // Distances of A's vertices, as DistancesOfVertices has them; empty if they
  // are not known.
  std::span<const double> vertices = {};
  // Called at the beginning of each step of the work, with its name.
  std::function<void(std::string_view)> begin = [](std::string_view) {};
};

// Returns a page with the distance of A and B, and their pairs within a
// distance; if `within` is absent, their overlapping pairs.
absl::StatusOr<std::string> MakeClearancePage(
    const PosedTree& a, const PosedTree& b, const std::optional<double>& within,
    const PairReportOptions& options);

// Returns the part of a relation that is not about surfaces, such as "A is
// inside B", or nothing.
std::string_view NoteOf(MeshRelation relation);

// Returns true for a closed mesh whose faces do not agree, if the rule is
// kWinding: parity decides what is inside.
bool IsJudgedByParity(const Mesh& mesh, InsideRule rule);

// Returns "the faces of B do not agree: parity decides what is inside".
std::string NoteOnParity(std::string_view mesh);

// The deviation of A from B.
struct SurfaceDeviation {
  HausdorffResult a_to_b;
  std::optional<HausdorffResult> b_to_a;  // unset if one way
  // Distance at which colours end: the upper bound of a_to_b, or the cut-off if
  // that is smaller.
  double end = 0;
  DeviationSummary summary;
  std::vector<Vec3> places;      // of A's vertices, moved
  std::vector<double> vertices;  // their distances
  // upper bounds of the distances of each face's points
  std::vector<double> faces;
  TraversalStatistics statistics;
};

// Returns the distance of each vertex of A from B.
absl::StatusOr<std::vector<double>> DistancesOfVertices(const PosedTree& a,
                                                        const PosedTree& b,
                                                        const RunOptions& run);

// Measures the deviation. `wanted` defines the accuracy of the bounds,
// `options` all else.
absl::StatusOr<SurfaceDeviation> MeasureDeviation(
    const PosedTree& a, const Tree& b, const HausdorffLimits& wanted,
    const PairReportOptions& options);

// Returns the page of a deviation. If `is_cloud`, A has only points, and there
// are no pictures.
absl::StatusOr<std::string> MakeDeviationPage(const PosedTree& a, const Tree& b,
                                              const SurfaceDeviation& deviation,
                                              const PairReportOptions& options,
                                              bool is_cloud = false);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_PAIR_REPORT_H_
