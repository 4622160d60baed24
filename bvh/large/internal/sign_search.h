// SPDX-License-Identifier: Apache-2.0

// Signs of the distances of closest points: the points that may be inside, and
// their distances with signs. For one machine and for ranks. Private.
//
//   SignSearch signs;
//   signs.Begin(points, closest, tree.bounds());
//   ... inside = IsInside(tree, signs.queries()) ...
//   signs.Finish(inside, closest);
#ifndef ORBOX_BVH_LARGE_INTERNAL_SIGN_SEARCH_H_
#define ORBOX_BVH_LARGE_INTERNAL_SIGN_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/large/global_ids.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

using SignedPoint = std::optional<GlobalSurfacePoint>;

// Returns NaN if there is no closest point.
inline double DistanceOf(const SignedPoint& closest) {
  return closest ? closest->distance : std::numeric_limits<double>::quiet_NaN();
}

inline std::vector<double> DistancesOf(std::span<const SignedPoint> closest) {
  std::vector<double> distances;
  distances.reserve(closest.size());
  for (const SignedPoint& c : closest) distances.push_back(DistanceOf(c));
  return distances;
}

class SignSearch {
 public:
  // Keeps the points that are neither on the surface nor outside its box. May
  // throw std::bad_alloc.
  void Begin(std::span<const Vec3> points, std::span<const SignedPoint> closest,
             const Aabb& bounds) {
    for (size_t i = 0; i < points.size(); ++i) {
      const SignedPoint& near = closest[i];
      if (!near || near->distance == 0) continue;
      const Vec3& p = points[i];
      if (Max(p, bounds.lo) != p || Min(p, bounds.hi) != p) continue;
      queries_.push_back(p);
      which_.push_back(i);
    }
  }

  // The points for which the caller has to find out whether they are inside.
  std::span<const Vec3> queries() const { return queries_; }

  void Finish(std::span<const uint8_t> inside,
              std::span<SignedPoint> closest) const {
    for (size_t n = 0; n < which_.size(); ++n) {
      double& distance = closest[which_[n]]->distance;
      if (inside[n] != 0) distance = -distance;
    }
  }

 private:
  std::vector<Vec3> queries_;
  std::vector<size_t> which_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_SIGN_SEARCH_H_
