// SPDX-License-Identifier: Apache-2.0

// Cuts simple polygons of any shape into triangles.
//
//   if (!CrossesItself(points, plane)) ClipEars(points, plane, fan);  //
//   self_crossing.h
//
// Ear clipping (Meisters, "Polygons have ears", 1975), with a grid over the
// corners that may be inside an ear (Held, "FIST: fast industrial-strength
// triangulation of polygons", 2001). A corner is tested again only after a
// neighbour is clipped, or the corner that was inside its ear is clipped or
// becomes convex. The library earcut is not used, because it
// removes coincident corners and corners within a side, which would open a
// closed surface.
#ifndef ORBOX_BVH_IO_INTERNAL_EAR_CLIPPING_H_
#define ORBOX_BVH_IO_INTERNAL_EAR_CLIPPING_H_

#include <cmath>
#include <cstddef>
#include <span>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox::mesh_internal {

// The plane of two coordinates in which a polygon is counterclockwise.
struct PolygonPlane {
  size_t u = 0;
  size_t v = 1;

  // Returns the exact sign of the area of the triangle a, b, c. Requires
  // coordinates in the range (range.h).
  int Side(const Vec3& a, const Vec3& b, const Vec3& c) const {
    const double left = (b[u] - a[u]) * (c[v] - a[v]);
    const double right = (b[v] - a[v]) * (c[u] - a[u]);
    // Relative error of two differences, a product and their difference, each
    // rounded once.
    constexpr double kError = 0x1p-50;
    const double error = kError * (std::abs(left) + std::abs(right));
    if (left - right > error) return 1;
    if (left - right < -error) return -1;
    // Products of differences do not underflow.
    if (left == 0 && right == 0) return 0;
    return Orient2d(a, b, c, u, v);
  }
};

// Replaces the fan of a polygon by triangles that do not overlap. Parts of the
// polygon without area become triangles without area. Returns false and leaves
// the fan unchanged if the polygon crosses itself, because there are no such
// triangles then. Requires points.size() - 2 triangles. Near O(n log n).
bool ClipEars(std::span<const Vec3> points, const PolygonPlane& plane,
              std::span<TriangleIndices> fan);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_EAR_CLIPPING_H_
