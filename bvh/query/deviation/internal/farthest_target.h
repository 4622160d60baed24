// SPDX-License-Identifier: Apache-2.0

// The target from which FarthestSearch (farthest_search.h) measures distances.
// Private.
#ifndef ORBOX_BVH_QUERY_DEVIATION_INTERNAL_FARTHEST_TARGET_H_
#define ORBOX_BVH_QUERY_DEVIATION_INTERNAL_FARTHEST_TARGET_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/points/internal/distance_sample.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point, an upper bound of its unknown distance, and the required precision.
struct DistanceQuery {
  Vec3 point;
  double limit = std::numeric_limits<double>::infinity();
  // kNearly or kExactly.
  DistanceSample::Known known = DistanceSample::Known::kExactly;
};

// A target that measures distances.
class FarthestTarget {
 public:
  virtual ~FarthestTarget() = default;

  // Sets samples[i] to the result of queries[i]. Requires one precision for
  // all. Points from far away are measured exactly even with kNearly.
  virtual absl::Status Measure(std::span<const DistanceQuery> queries,
                               std::span<DistanceSample> samples) = 0;
  // Returns a triangle that a sample names.
  virtual Triangle TriangleOf(uint64_t id) const = 0;
  // Runs work between two measurements. If several processes search together,
  // the returned status is that of all.
  virtual absl::Status Together(absl::FunctionRef<absl::Status()> work) {
    return work();
  }
};

// A tree as a target.
class FarthestTree final : public FarthestTarget {
 public:
  // All arguments have to outlive this object.
  FarthestTree(const Tree& tree, const Workers& workers, const Watch& watch)
      : tree_(tree), workers_(workers), watch_(watch) {}

  absl::Status Measure(std::span<const DistanceQuery> queries,
                       std::span<DistanceSample> samples) override;
  Triangle TriangleOf(uint64_t id) const override {
    return tree_.mesh().triangle(static_cast<uint32_t>(id));
  }

 private:
  const Tree& tree_;
  const Workers& workers_;
  const Watch watch_;
};

// Measures many points, in any order, with the progress of the options. With
// kNearly, points from very far away get upper bounds that exceed the distance
// by at most a fraction of the tolerance and rounding. At least one sample of
// the largest distance is exact.
absl::Status MeasurePoints(const Tree& tree, std::span<const Vec3> points,
                           DistanceSample::Known known, double tolerance,
                           const RunOptions& options,
                           std::vector<DistanceSample>* samples);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_DEVIATION_INTERNAL_FARTHEST_TARGET_H_
