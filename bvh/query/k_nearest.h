// Which k triangles are nearest to a given point?
//
//   std::vector<SurfacePoint> near = KNearest(tree, p, 10);
//
// Each triangle is reported once, with its own closest point, nearest first and
// at equal distance by id. Distances as in closest_point.h. Near O(log n + k
// log k). Thread-safe; allocates the result and a list of about its size.
#ifndef ORBOX_BVH_QUERY_K_NEAREST_H_
#define ORBOX_BVH_QUERY_K_NEAREST_H_

#include <cstddef>
#include <limits>
#include <vector>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Fewer than k where the mesh, or the ball of `max_distance`, holds fewer;
// none where `p` is not finite or `max_distance` is negative or NaN.
ORBOX_EXPORT std::vector<SurfacePoint> KNearest(
    const Tree& tree, const Vec3& p, size_t k,
    double max_distance = std::numeric_limits<double>::infinity(),
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_K_NEAREST_H_
