// SPDX-License-Identifier: Apache-2.0

// The solid that a mesh bounds: which of its triangles are its boundary, and
// whether they enclose anything. Private: what clashes and shared regions
// (query/shared_region.h has the law) rest on.
//
//   const SolidSurface surface(mesh);            // once a mesh
//   const Solid solid(posed, surface);           // once a body
//   if (surface.is_closed()) ...
#ifndef ORBOX_BVH_QUERY_INTERNAL_SOLID_H_
#define ORBOX_BVH_QUERY_INTERNAL_SOLID_H_

#include <cstdint>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Immutable. Expected O(n).
class SolidSurface {
 public:
  explicit SolidSurface(const Mesh& mesh);

  // Whether the boundary is closed, and not empty.
  bool is_closed() const { return is_closed_; }

  // Whether a triangle is left out of the boundary: because it has no area, or
  // because of others with the same corners.
  bool IsLeftOut(uint32_t triangle) const {
    return !left_out_.empty() && left_out_[triangle];
  }

 private:
  bool is_closed_ = false;
  std::vector<bool> left_out_;  // empty where none is
};

// Triangles with their bounds, side by side, so that those near a box are found
// without the others.
struct BoxedTriangles {
  void Add(const Triangle& t);
  // The bounds of all triangles. Requires one.
  Aabb Bounds() const;

  std::vector<Triangle> triangles;
  std::vector<Aabb> boxes;
};

// A surface where it stands. Refers to both, which have to outlive it.
class Solid {
 public:
  Solid(const PosedTree& posed, const SolidSurface& surface);

  const PosedTree& posed() const { return posed_; }
  const SolidSurface& surface() const { return surface_; }
  bool is_closed() const { return surface_.is_closed(); }
  // No moved vertex of a triangle is outside of it.
  const Aabb& bounds() const { return bounds_; }
  // The moved triangles of the boundary, or of an open mesh all of them.
  const BoxedTriangles& boundary() const { return boundary_; }

 private:
  const PosedTree& posed_;
  const SolidSurface& surface_;
  Aabb bounds_;
  BoxedTriangles boundary_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_SOLID_H_
