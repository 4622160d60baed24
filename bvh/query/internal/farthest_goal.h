// SPDX-License-Identifier: Apache-2.0

// When FarthestSearch (farthest_search.h) may stop. Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_FARTHEST_GOAL_H_
#define ORBOX_BVH_QUERY_INTERNAL_FARTHEST_GOAL_H_

#include <cstddef>

#include "absl/status/status.h"
#include "orbox/bvh/query/hausdorff.h"
#include "orbox/bvh/query/internal/distance_sample.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// What to stop at.
struct FarthestGoal {
  double tolerance = 0;
  double relative_tolerance = 0;
  size_t max_parts = 0;
  // How well distances have to be known: but for the largest one, exactly only
  // where the tolerance is not far above rounding.
  DistanceSample::Known known = DistanceSample::Known::kExactly;

  // No less is the distance of a sample.
  double LeastOf(const DistanceSample& sample) const;

  // How far above `lower` nothing interests any more.
  double Slack(double lower) const;
  // What is no farther than this is near enough, where the farthest is known to
  // be at least so far: `lower` and its slack, rounded down.
  double EnoughFor(double lower) const;
};

// That of the options, for a target within these bounds.
ORBOX_EXPORT FarthestGoal GoalOf(const HausdorffOptions& options,
                                 const Aabb& bounds);

// The errors of hausdorff.h's options.
ORBOX_EXPORT absl::Status CheckHausdorff(const HausdorffOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_FARTHEST_GOAL_H_
