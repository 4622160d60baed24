// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/deviation/internal/farthest_goal.h"

#include <algorithm>
#include <cmath>

#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

FarthestGoal GoalOf(const HausdorffLimits& limits, const Aabb& bounds) {
  FarthestGoal goal{.tolerance = limits.tolerance.has_value()
                                     ? *limits.tolerance
                                     : 0.002 * SafeNorm(bounds.HalfExtents()),
                    .relative_tolerance = limits.relative_tolerance,
                    .max_parts = limits.max_parts};
  // Points with kNearly distances are at most a few sizes of the target away.
  if (goal.tolerance > 0x1p-30 * MagnitudeOf(bounds))
    goal.known = DistanceSample::Known::kNearly;
  return goal;
}

absl::Status CheckHausdorff(const HausdorffLimits& limits,
                            const RunOptions& options) {
  if (absl::Status s = Execution(options).Check(); !s.ok()) return s;
  if ((!limits.tolerance.has_value() || *limits.tolerance >= 0) &&
      limits.relative_tolerance >= 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "a tolerance of the Hausdorff distance is negative or NaN; give 0 or "
      "more");
}

double FarthestGoal::LeastOf(const DistanceSample& sample) const {
  if (sample.known == DistanceSample::Known::kExactly) return sample.distance;
  // The error of distances of kNearly is far smaller than this.
  return std::max(0.0, sample.distance - 0x1p-6 * tolerance);
}

double FarthestGoal::Slack(double lower) const {
  return std::max(tolerance, relative_tolerance * lower);
}

double FarthestGoal::EnoughFor(double lower) const {
  const double slack = Slack(lower);
  const double enough = lower + slack;
  return enough - lower > slack ? std::nextafter(enough, 0) : enough;
}

}  // namespace orbox
