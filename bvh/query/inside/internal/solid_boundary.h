// SPDX-License-Identifier: Apache-2.0

// The boundary of a solid whose shells overlap: without the walls that have the
// inside on both sides. Private.
//
//   std::vector<Front> fronts = FrontsOf(tree, sides);   // walls.h
//   std::optional<SolidBoundary> b = BoundaryWithoutWalls(tree, fronts, {});
//   if (b) use(b->tree, b->error);           // else every triangle bounds it
//
// Triangles whose front is known are kept, turned so that the inside is behind
// them, or are walls. Those that meet others
// than their neighbours are cut along these into pieces, and each piece is kept
// if the inside is on one side of it alone.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_SOLID_BOUNDARY_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_SOLID_BOUNDARY_H_

#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/query/inside/internal/walls.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

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

// Requires the fronts of all triangles. `left_out` marks triangles that do not
// count, or is empty. Returns nothing where no triangle is a wall.
ORBOX_EXPORT std::optional<SolidBoundary> BoundaryWithoutWalls(
    const Tree& tree, std::span<const Front> fronts,
    const std::vector<bool>& left_out);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_SOLID_BOUNDARY_H_
