// SPDX-License-Identifier: Apache-2.0

// Two solids near their shared region, in a frame of its own, and the boxes
// into which a search divides that region. Private; used by volume_search.h.
//
//   const RegionPair pair(a, b);
//   RegionCell cell = pair.Root();
//   pair.Keep(cell.box, &cell);                 // what does not reach the box
//   const CellSplit split = pair.SplitOf(cell);
//
// The frame has three axes at right angles along which the faces of most of the
// surface near the region are flat. Coordinates of vertices are rounded in the
// frame. Equal vertices stay equal, so a closed surface stays closed.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_REGION_PAIR_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_REGION_PAIR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A box of the region's frame, and the triangles of each solid that may matter
// inside the box.
struct RegionCell {
  Aabb box;
  std::array<std::vector<uint32_t>, 2> triangles;
};

struct CellSplit {
  size_t axis;
  double at;
};

class RegionPair {
 public:
  // The solids must outlive this object.
  RegionPair(const Solid& a, const Solid& b);

  // False if the bounds have no common point. Then no other function may be
  // called.
  bool has_region() const { return has_region_; }
  // Box that contains the region.
  const Aabb& box() const { return box_; }
  // Boundary triangles of a solid that overlap the box.
  std::span<const BoundaryTriangle> triangles(size_t i) const {
    return triangles_[i];
  }
  // Bound of the rounding error of a coordinate or a distance.
  double error() const { return error_; }

  // Tests whether p belongs to a solid. Either result is possible within
  // error() of the boundary.
  bool IsInside(size_t i, const Vec3& p) const {
    return solids_[i]->IsInside(frame_.Leave(p));
  }

  RegionCell Root() const;
  // Drops triangles that do not overlap `reach`.
  void Keep(const Aabb& reach, RegionCell* cell) const;

  // Returns the cut of a cell: along the face at right angles to an axis that
  // is nearest to the middle, or else through the middle of the longest side.
  CellSplit SplitOf(const RegionCell& cell) const;

 private:
  struct Frame {
    Vec3 Enter(const Vec3& p) const {
      const Vec3 d = p - origin;
      if (!is_turned) return d;
      return {Dot(axes[0], d), Dot(axes[1], d), Dot(axes[2], d)};
    }
    Vec3 Leave(const Vec3& p) const {
      if (!is_turned) return p + origin;
      return axes[0] * p.x + axes[1] * p.y + axes[2] * p.z + origin;
    }
    Triangle Enter(const Triangle& t) const {
      return {Enter(t.a), Enter(t.b), Enter(t.c)};
    }
    // Return a box that contains the given one, up to rounding.
    Aabb Enter(const Aabb& box) const;
    Aabb Leave(const Aabb& box) const;

    Vec3 origin;
    // Unit vectors at right angles, up to rounding.
    std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    bool is_turned = false;
  };

  // Chooses the SquareAxes of the triangles near the box. Coincident faces then
  // have flat boxes.
  void ChooseFrame(const Aabb& world);
  Aabb BoundsInFrame(const Solid& solid) const;

  std::array<const Solid*, 2> solids_;
  bool has_region_;
  Frame frame_;
  Aabb box_;
  std::array<std::vector<BoundaryTriangle>, 2> triangles_;
  double error_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_REGION_PAIR_H_
