// SPDX-License-Identifier: Apache-2.0

// The boundary of a solid whose shells overlap: without the walls that have the
// inside on both sides. Private.
//
//   std::optional<SolidBoundary> b = BoundaryWithoutWalls(tree, left_out);
//   if (b) use(b->tree, b->error);           // else every triangle bounds it
//
// Triangles that meet others than their neighbours are cut along these into
// pieces, and each piece is kept if the inside is on one side of it alone.
// O(n log n) where nothing meets.
#ifndef ORBOX_BVH_QUERY_INTERNAL_SOLID_BOUNDARY_H_
#define ORBOX_BVH_QUERY_INTERNAL_SOLID_BOUNDARY_H_

#include <optional>
#include <vector>

#include "orbox/bvh/tree/tree.h"

namespace orbox {

struct SolidBoundary {
  Tree tree;
  // How far the pieces may be from the boundary.
  double error;
  // For each triangle of the mesh, bounds of what of it is a wall; empty where
  // nothing is.
  std::vector<Aabb> walls;
  // The inside is behind all triangles.
  bool is_outward;
};

// Requires a closed mesh whose faces agree. `left_out` marks triangles that do
// not count, or is empty.
std::optional<SolidBoundary> BoundaryWithoutWalls(
    const Tree& tree, const std::vector<bool>& left_out);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_SOLID_BOUNDARY_H_
