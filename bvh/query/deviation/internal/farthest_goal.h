// SPDX-License-Identifier: Apache-2.0

// Stop condition of FarthestSearch (farthest_search.h). Private.
#ifndef ORBOX_BVH_QUERY_DEVIATION_INTERNAL_FARTHEST_GOAL_H_
#define ORBOX_BVH_QUERY_DEVIATION_INTERNAL_FARTHEST_GOAL_H_

#include <cstddef>

#include "absl/status/status.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/points/internal/distance_sample.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// The tolerances and the limit of a search.
struct ORBOX_EXPORT FarthestGoal {
  double tolerance = 0;
  double relative_tolerance = 0;
  size_t max_parts = 0;
  // Required precision of all distances except the largest. Exact only if the
  // tolerance is not far above rounding.
  DistanceSample::Known known = DistanceSample::Known::kExactly;

  // Returns a lower bound of the distance of a sample.
  double LeastOf(const DistanceSample& sample) const;

  // Returns the amount by which the upper bound may exceed `lower` within the
  // tolerance.
  double Slack(double lower) const;
  // Returns the largest upper bound that needs no further search, if the
  // farthest point is known to be at least `lower` away: `lower` and its slack,
  // rounded down.
  double EnoughFor(double lower) const;
};

// Returns the goal for a target within these bounds.
ORBOX_EXPORT FarthestGoal GoalOf(const HausdorffLimits& limits,
                                 const Aabb& bounds);

// Returns the errors of the arguments that hausdorff.h lists.
ORBOX_EXPORT absl::Status CheckHausdorff(const HausdorffLimits& limits,
                                         const RunOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_DEVIATION_INTERNAL_FARTHEST_GOAL_H_
