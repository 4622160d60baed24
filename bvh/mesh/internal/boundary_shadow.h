// SPDX-License-Identifier: Apache-2.0

// The boundary of a surface, projected along the x axis: edges with an odd
// number of triangle sides, counted as by IsClosed (mesh.h).
//
//   const BoundaryShadow& boundary = BoundaryOf(mesh);
//   if (boundary.is_empty()) ...                     // the mesh is closed
//   if (!boundary.MayMeet(box)) ...     // nor any box behind it
//
// Private. Conservative, and of bounded size: a grid of cells.
#ifndef ORBOX_BVH_MESH_INTERNAL_BOUNDARY_SHADOW_H_
#define ORBOX_BVH_MESH_INTERNAL_BOUNDARY_SHADOW_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
class Mesh;
}  // namespace orbox

namespace orbox::mesh_internal {

class BoundaryShadow {
 public:
  using Edge = std::pair<Vec3, Vec3>;

  // Requires the bounds of the mesh. O(edges + cells).
  BoundaryShadow(const Aabb& bounds, const std::vector<Edge>& edges);

  bool is_empty() const { return edge_count_ == 0; }
  size_t edge_count() const { return edge_count_; }

  // Returns false only if no edge overlaps the box, at any translation of the
  // box along x. Box and edges are closed sets. O(1).
  bool MayMeet(const Aabb& box) const;

 private:
  static constexpr size_t kCells = 128;  // along y, and along z

  // Monotone in the coordinate, so that overlapping sets have cells in common.
  size_t CellOf(const Vec3& p, size_t axis) const;

  Vec3 origin_;
  Vec3 scale_;
  size_t edge_count_;
  // At (y, z): the number of cells that edges cover, summed over all cells
  // below y and z. Empty if there are no edges.
  std::vector<uint32_t> sums_;
};

// Computed at the first call, in O(n log n), and stored in the mesh.
// Thread-safe.
const BoundaryShadow& BoundaryOf(const Mesh& mesh);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_BOUNDARY_SHADOW_H_
