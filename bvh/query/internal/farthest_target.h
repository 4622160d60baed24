// SPDX-License-Identifier: Apache-2.0

// From what FarthestSearch (farthest_search.h) measures distances. Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_FARTHEST_TARGET_H_
#define ORBOX_BVH_QUERY_INTERNAL_FARTHEST_TARGET_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/hausdorff.h"
#include "orbox/bvh/query/internal/distance_sample.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point whose distance is sought, what it is at most, and how well it is to
// be known.
struct DistanceQuestion {
  Vec3 point;
  double limit = std::numeric_limits<double>::infinity();
  // Nearly or exactly.
  DistanceSample::Known known = DistanceSample::Known::kExactly;
};

// From what distances are measured.
class FarthestTarget {
 public:
  virtual ~FarthestTarget() = default;

  // samples[i] is that of questions[i]. All have to be known alike; where
  // nearly will do, points from far away are known exactly as well.
  virtual absl::Status Measure(std::span<const DistanceQuestion> questions,
                               std::span<DistanceSample> samples) = 0;
  // One that a sample names.
  virtual Triangle TriangleOf(uint64_t id) const = 0;
  // Does work between two measurements; where several processes search
  // together, its status is that of all.
  virtual absl::Status Together(absl::FunctionRef<absl::Status()> work) {
    return work();
  }
};

// A tree where it stands.
class FarthestTree final : public FarthestTarget {
 public:
  // All of them have to outlive this.
  FarthestTree(const Tree& tree, const Workers& workers, const Watch& watch)
      : tree_(tree), workers_(workers), watch_(watch) {}

  absl::Status Measure(std::span<const DistanceQuestion> questions,
                       std::span<DistanceSample> samples) override;
  Triangle TriangleOf(uint64_t id) const override {
    return tree_.mesh().triangle(static_cast<uint32_t>(id));
  }

 private:
  const Tree& tree_;
  const Workers& workers_;
  const Watch watch_;
};

// The same of many points, in no order, with the progress of the options. Where
// nearly will do, points from very far away are known at most, to within a
// fraction of the tolerance and rounding; but of the largest distances, one is
// exact.
absl::Status MeasurePoints(const Tree& tree, std::span<const Vec3> points,
                           DistanceSample::Known known,
                           const HausdorffOptions& options,
                           std::vector<DistanceSample>* samples);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_FARTHEST_TARGET_H_
