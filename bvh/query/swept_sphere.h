// When does a ball that moves along a segment first touch the mesh, and where?
//
//   SweptSphere ball{.from = p, .to = q, .radius = 0.1};
//   std::optional<SweepHit> hit = FirstContact(tree, ball);
//   const double t = hit ? hit->earliest : 1;      // it may go as far as that
//
// The centre is at from + t (to - from), t from 0 to 1. Whether the ball
// touches the mesh at all is decided exactly, and so is whether it does at the
// start, touching included; the time of first contact is enclosed as closely as
// overlap/triangles/swept_sphere.h says. A ball that is not valid touches
// nothing. Near O(log n), and more where the ball is large beside the
// triangles. Thread-safe; nothing is allocated.
#ifndef ORBOX_BVH_QUERY_SWEPT_SPHERE_H_
#define ORBOX_BVH_QUERY_SWEPT_SPHERE_H_

#include <cstdint>
#include <optional>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

struct SweepHit {
  // The triangle whose `latest` is lowest; of those, the one of lowest id.
  uint32_t triangle = 0;
  // Before `earliest` the ball touches nothing; at `latest` it has touched, or
  // is touching, this triangle.
  double earliest = 0;
  double latest = 0;
  // Of the triangle, closest to where the centre is at `latest`.
  Vec3 point;
};

ORBOX_EXPORT std::optional<SweepHit> FirstContact(
    const Tree& tree, const SweptSphere& ball,
    TraversalStatistics* statistics = nullptr);

// Whether the ball touches the mesh anywhere on its way.
ORBOX_EXPORT bool AnyContact(const Tree& tree, const SweptSphere& ball,
                             TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_SWEPT_SPHERE_H_
