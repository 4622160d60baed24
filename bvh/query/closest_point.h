// Which point of the mesh is closest to a given point, and how far away is it?
//
//   std::optional<SurfacePoint> hit = ClosestPoint(tree, p);
//   if (hit) use(hit->triangle, hit->distance, hit->point);
//
// The distance is the exact one, correctly rounded
// (overlap/triangles/triangle_distance.h); of triangles at the same distance,
// the one with the lowest id is reported. Near O(log n). Thread-safe; allocates
// nothing.
#ifndef ORBOX_BVH_QUERY_CLOSEST_POINT_H_
#define ORBOX_BVH_QUERY_CLOSEST_POINT_H_

#include <cstdint>
#include <limits>
#include <optional>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point of a mesh's surface, found from elsewhere.
struct SurfacePoint {
  uint32_t triangle = 0;
  double distance = 0;
  Vec3 point;
};

// Nothing where no triangle is within `max_distance` (exactly: of triangles
// further away, distances may round to it), and where `p` is not finite or
// `max_distance` is negative or NaN.
ORBOX_EXPORT std::optional<SurfacePoint> ClosestPoint(
    const Tree& tree, const Vec3& p,
    double max_distance = std::numeric_limits<double>::infinity(),
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_CLOSEST_POINT_H_
