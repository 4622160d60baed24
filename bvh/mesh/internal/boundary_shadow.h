// SPDX-License-Identifier: Apache-2.0

// The boundary of a surface, projected along the x axis. The boundary consists
// of the edges with an odd number of triangle sides, as IsClosed (mesh.h)
// counts them. Also stores if the faces of a closed surface agree
// (inside_rule.h).
//
//   const BoundaryShadow& boundary = BoundaryOf(mesh);
//   if (boundary.is_empty()) ...                     // the mesh is closed
//   if (boundary.do_faces_agree()) ...
//   if (!boundary.MayOverlap(box)) ...     // nor anything along x from the box
//
// Private. Conservative, and of bounded size: a grid of cells.
#ifndef ORBOX_BVH_MESH_INTERNAL_BOUNDARY_SHADOW_H_
#define ORBOX_BVH_MESH_INTERNAL_BOUNDARY_SHADOW_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
class Mesh;
}  // namespace orbox

namespace orbox::mesh_internal {

class BoundaryShadow {
 public:
  using Edge = std::pair<Vec3, Vec3>;

  // `bounds` is the box of the mesh. `unequal` is the number of edges along
  // which more triangle sides have one direction than the other. O(edges +
  // cells).
  BoundaryShadow(const Aabb& bounds, const std::vector<Edge>& edges,
                 size_t unequal = 0);

  bool is_empty() const { return edge_count_ == 0; }
  size_t edge_count() const { return edge_count_; }
  bool do_faces_agree() const { return edge_count_ + unequal_ == 0; }

  // Returns false only if no edge overlaps the box, at any translation of the
  // box along x. Box and edges are closed sets. O(1).
  bool MayOverlap(const Aabb& box) const;

 private:
  static constexpr size_t kCells = 128;  // along y, and along z

  // Monotonic in the coordinate, so that overlapping sets have common cells.
  size_t CellOf(const Vec3& p, size_t axis) const;

  Vec3 origin_;
  Vec3 scale_;
  size_t edge_count_;
  size_t unequal_;
  // Entry (y, z): the number of cells below y and z that edges cover. Empty if
  // there are no edges.
  std::vector<uint32_t> sums_;
};

// Returns the boundary of the mesh. Computed at the first call, in O(n log n),
// and stored in the mesh. Polls the workers. Thread-safe.
ORBOX_EXPORT const BoundaryShadow& BoundaryOf(
    const Mesh& mesh, const Workers& workers = Workers(1));

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_BOUNDARY_SHADOW_H_
