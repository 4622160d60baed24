// SPDX-License-Identifier: Apache-2.0

// Search for the triangles of a moved mesh that are nearest to a point.
// Private.
//
//   const NearestMoved search(posed, p, run);
//   if (const auto far = search.FromAfar()) ...      // another search
//   search.Visit(
//       [&](const Vec3& q, const QueryOptions& within) {
//         return ClosestPoint(posed.tree(), q, within) ...;  // a bound
//       },
//       [&](const SurfacePoint& near) { ... });
//
// A triangle that is near in model space bounds the distance in world space.
// All triangles that may be as near after moving are in a ball of model space.
// Fast only if the pose does not stretch (WithoutStretch in in_model.h).
#ifndef ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_MOVED_H_
#define ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_MOVED_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "orbox/bvh/posed/internal/into_model.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {

class NearestMoved {
 public:
  // Refers to its arguments. Requires a moved tree.
  NearestMoved(const PosedTree& posed, const Vec3& p, const Execution& run)
      : posed_(posed), p_(p), run_(run), into_(posed), q_(into_.At(p)) {}

  // Returns a search for far points if floats cannot distinguish the distances.
  std::optional<FarSearch> FromAfar() const {
    if (!is_precise() || !FarSearch::MayPay(posed_.tree(), q_.at)) {
      return std::nullopt;
    }
    return FarSearch::Between(posed_, p_);
  }

  double DistanceTo(uint32_t id) const {
    return Distance(p_, posed_.triangle(id)).distance;
  }

  // Passes triangles to `take`: all within the largest distance of the run that
  // may be as near as a bound. `guess(q, within)` returns the bound, which may
  // be infinite. It returns nothing if no triangle is within the limits of q in
  // model space.
  template <typename Guess, typename Take>
  void Visit(Guess guess, Take take) const {
    const auto radius_of = [&](double distance) {
      return (into_.RadiusOf(distance) + q_.error) * (1 + 0x1p-50);
    };
    double radius = std::numeric_limits<double>::infinity();
    if (is_precise()) {
      const double most = run_.max_distance();
      const std::optional<double> bound =
          guess(q_.at, run_.Alone(radius_of(most)));
      if (!bound.has_value()) return;
      radius = radius_of(std::min(*bound, most));
    }
    if (std::isfinite(radius)) {
      VisitOverlaps(
          posed_.tree(), Sphere{q_.at, radius},
          [&](uint32_t id) {
            Offer(id, take);
            return orbox::Visit::kContinue;
          },
          run_.Alone());
      return;
    }
    const size_t count = posed_.tree().mesh().triangle_count();
    for (uint32_t id = 0; id < count; ++id) Offer(id, take);
  }

 private:
  // Returns false if the point in model space is too inaccurate in double.
  bool is_precise() const { return IsFinite(q_.at) && std::isfinite(q_.error); }

  template <typename Take>
  void Offer(uint32_t id, Take take) const {
    const Triangle t = posed_.triangle(id);
    const PointTriangleDistance d = Distance(p_, t);
    const double most = run_.max_distance();
    // A distance above the largest may round to it, but not to a smaller
    // double.
    if (d.distance > most) return;
    if (d.distance == most && !WithinDistance(p_, t, most)) return;
    take(SurfacePoint{id, d.distance, d.closest});
  }

  const PosedTree& posed_;
  const Vec3& p_;
  const Execution& run_;
  const IntoModel into_;
  const IntoModel::Point q_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_MOVED_H_
