// SPDX-License-Identifier: Apache-2.0

// The boundary of a solid near a box, in a local frame. Private: the search for
// a volume (volume_search.h) uses it.
//
//   LocalSolid local(Frame::At(center), solid, box);
//   bool inside = local.IsInside(p);
//
// A frame has an origin and three axes at right angles. Coordinates of vertices
// are rounded in the frame. Equal vertices stay equal, so a closed surface
// stays closed. error() bounds the effect of this and later roundings.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_LOCAL_SOLID_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_LOCAL_SOLID_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/query/inside/internal/polygon.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct Frame {
  Vec3 origin;
  // Unit vectors at right angles, up to rounding.
  std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  bool is_turned = false;

  static Frame At(const Vec3& origin) { return {.origin = origin}; }

  Vec3 Enter(const Vec3& p) const {
    const Vec3 d = p - origin;
    if (!is_turned) return d;
    return {Dot(axes[0], d), Dot(axes[1], d), Dot(axes[2], d)};
  }
  Vec3 Leave(const Vec3& p) const {
    if (!is_turned) return p + origin;
    return axes[0] * p.x + axes[1] * p.y + axes[2] * p.z + origin;
  }
  // Return a box that contains the given one, up to rounding.
  Aabb Enter(const Aabb& box) const;
  Aabb Leave(const Aabb& box) const;
};

class LocalSolid {
 public:
  // Keeps the boundary that overlaps the box, given in the frame. `solid` must
  // outlive this object.
  LocalSolid(const Frame& frame, const Solid& solid, const Aabb& box);

  // Boundary triangles that overlap the box.
  std::span<const BoundaryTriangle> triangles() const { return near_; }
  double error() const { return error_; }

  // Tests whether p belongs to the solid. Either result is possible within
  // error() of the boundary.
  bool IsInside(const Vec3& p) const {
    return solid_.IsInside(frame_.Leave(p));
  }

 private:
  const Solid& solid_;
  Frame frame_;
  double error_ = 0;
  std::vector<BoundaryTriangle> near_;
};

// Range of Dot(n, p) over the part of a triangle in a box, widened by the
// rounding error. lo > hi if the part is empty.
struct Extent {
  double lo;
  double hi;
};
Extent ExtentInBox(const BoundaryTriangle& t, const Aabb& box, const Vec3& n);
// Returns the extent of the whole triangle.
Extent ExtentOf(const BoundaryTriangle& t, const Vec3& n);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_LOCAL_SOLID_H_
