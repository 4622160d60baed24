// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/mesh_distance_bounds.h"

#include <cmath>
#include <limits>

#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/regions/internal/region_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// Bounds of the smallest of several distances. The smallest rounds to
// `rounded`. Each triangle found within `rounded` updates the bounds.
class SmallestDistance {
 public:
  explicit SmallestDistance(double rounded) : rounded_(rounded) {}

  // Adds a distance that is certainly at most `rounded`. Once one is below it,
  // further distances add no information.
  Visit Add(const DistanceInterval& bounds) {
    is_within_ = true;
    is_below_ = bounds.lower < rounded_;
    return is_below_ ? Visit::kStop : Visit::kContinue;
  }

  DistanceInterval Bounds() const {
    if (is_below_) return {std::nextafter(rounded_, -kInfinity), rounded_};
    if (is_within_) return {rounded_, rounded_};
    return {rounded_, std::nextafter(rounded_, kInfinity)};
  }

 private:
  double rounded_;
  bool is_within_ = false;
  bool is_below_ = false;
};

// Sets the bounds of a distance that needs no query: one of 0, or one beyond
// double's range. Returns false for any other distance.
bool IsKnown(double distance, DistanceInterval* bounds) {
  *bounds = {distance, distance};
  if (!std::isinf(distance)) return distance == 0;
  bounds->lower = std::numeric_limits<double>::max();
  return true;
}

DistanceInterval BoundsAt(TreeAtPose tree, const Vec3& p,
                          const SurfacePoint& closest, const Watch& watch) {
  DistanceInterval bounds;
  const double distance = std::abs(closest.distance);
  if (!IsKnown(distance, &bounds)) {
    SmallestDistance smallest(distance);
    RegionSearch(watch).Visit(tree, Sphere{p, distance}, [&](uint32_t id) {
      return smallest.Add(BoundsOfDistance(p, tree.triangle(id)));
    });
    bounds = smallest.Bounds();
  }
  return closest.distance < 0 ? DistanceInterval{-bounds.upper, -bounds.lower}
                              : bounds;
}

DistanceInterval BoundsBetween(const PosedTree& a, const PosedTree& b,
                               const Witness& closest, const Execution& run) {
  DistanceInterval bounds;
  if (IsKnown(closest.distance, &bounds)) return bounds;
  SmallestDistance smallest(closest.distance);
  WithinSearch(closest.distance, run)
      .Visit({a, b}, [&](const PairDistance& pair) {
        return smallest.Add(BoundsOfDistance(a.triangle(pair.triangles.a),
                                             b.triangle(pair.triangles.b)));
      });
  return smallest.Bounds();
}

}  // namespace

DistanceInterval BoundsOfDistance(TreeAtPose tree, const Vec3& p,
                                  const SurfacePoint& closest) {
  return BoundsAt(tree, p, closest, Watch());
}

DistanceInterval BoundsOfDistance(const PosedTree& a, const PosedTree& b,
                                  const Witness& closest) {
  return BoundsBetween(a, b, closest, Execution(RunOptions()));
}

absl::StatusOr<DistanceInterval> BoundsOfDistance(TreeAtPose tree,
                                                  const Vec3& p,
                                                  const SurfacePoint& closest,
                                                  const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(p), [&](const Execution& run) {
    return BoundsAt(tree, p, closest, run);
  });
}

absl::StatusOr<DistanceInterval> BoundsOfDistance(const PosedTree& a,
                                                  const PosedTree& b,
                                                  const Witness& closest,
                                                  const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return BoundsBetween(a, b, closest, run);
  });
}

}  // namespace orbox
