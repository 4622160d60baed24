// SPDX-License-Identifier: Apache-2.0

// Statistics of the distances of a surface, or of points, from another surface:
// mean, root of the mean square, standard deviation, percentiles, and the share
// within a tolerance.
//
//   absl::StatusOr<DeviationSummary> s =
//       SummarizeDeviation(scan, model, {.within = 0.1, .max_distance = 5});
//   if (s.ok() && s->points > 0) use(s->mean, *s->share_within);
//
// The distances are those of the vertices of A from the surface of B. A vertex
// has a third of the area of its triangles as its weight, so that a surface
// counts by its area, and not by the density of its vertices. If A has no area,
// such as a cloud of points, all its vertices have the same weight. Vertices
// without weight are left out: those of no triangle, and those of triangles
// without area only. Points in the middle of triangles do not take part, so a
// coarse A has to be divided first. HausdorffDistance (hausdorff.h) encloses
// the largest distance of all points.
//
// Distances are correctly rounded, and so are `smallest`, `largest` and the
// percentiles, which are distances of vertices. The other numbers are accurate
// to within rounding.
#ifndef ORBOX_BVH_QUERY_DEVIATION_DEVIATION_SUMMARY_H_
#define ORBOX_BVH_QUERY_DEVIATION_DEVIATION_SUMMARY_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct DeviationLimits {
  // Tolerance of share_within. Requires that it is at least 0.
  std::optional<double> within = {};
  // Points farther than this are left out and counted in `beyond`. Requires
  // that it is at least 0.
  double max_distance = std::numeric_limits<double>::infinity();
};

// All numbers except `beyond` are of the points within
// DeviationLimits::max_distance. If there are none, `points` is 0 and the other
// numbers have no meaning.
struct DeviationSummary {
  uint64_t points = 0;
  uint64_t beyond = 0;  // points that are farther than max_distance

  double smallest = 0;
  double largest = 0;
  double mean = 0;
  double root_mean_square = 0;
  // Root of the mean square of the differences from the mean.
  double standard_deviation = 0;

  // The smallest distance such that the points at most that far have at least
  // 50, 90, 95 or 99 % of the weight.
  double median = 0;
  double percentile_90 = 0;
  double percentile_95 = 0;
  double percentile_99 = 0;

  // Fraction of the weight of the points at most `within` away. Unset without
  // `within`.
  std::optional<double> share_within;
};

// Returns the statistics of distances with weights. An empty list of weights
// gives all points the same weight. Requires one weight for each distance
// otherwise, no NaN, and neither negative distances nor negative or infinite
// weights. An infinite distance is beyond any limit. The result does not depend
// on the order. O(n log n).
ORBOX_EXPORT DeviationSummary SummarizeDistances(
    std::span<const double> distances, std::span<const double> weights = {},
    const DeviationLimits& limits = {});

// Returns the weight of each vertex of a mesh at its pose, as above. Only
// ratios of weights have a meaning. O(n).
ORBOX_EXPORT std::vector<double> WeightsOfVertices(const PosedTree& mesh);

// Measures the vertices of A. Errors are those of query_options.h, and
// kInvalidArgument for a limit that is negative or NaN. The bytes of the result
// do not depend on the number of threads. Costs one closest-point query for
// each vertex. Thread-safe.
ORBOX_EXPORT absl::StatusOr<DeviationSummary> SummarizeDeviation(
    const PosedTree& a, const PosedTree& b, const DeviationLimits& limits = {},
    const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_DEVIATION_DEVIATION_SUMMARY_H_
