// SPDX-License-Identifier: Apache-2.0

// The boundary of a solid whose shells overlap, without walls. A wall is a part
// of the surface with the inside on both sides. Private.
//
//   std::vector<Front> fronts = FrontsOf(tree, sides);   // walls.h
//   std::optional<SolidBoundary> b = BoundaryWithoutWalls(tree, fronts, {});
//   if (b) use(b->tree, b->error);           // else every triangle bounds it
//
// A triangle whose front is known is dropped if it is a wall. Otherwise it is
// kept, turned so that the inside is behind it. A triangle that overlaps others
// than its neighbours is cut along them into pieces. A piece is kept if the
// inside is on exactly one side of it.
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
  // Upper bound of the distance between the pieces and the boundary.
  double error;
  // For each triangle of the mesh, the bounding box of its parts that are
  // walls. Empty if no part is.
  std::vector<Aabb> walls;
  // True if the inside is behind all triangles.
  bool is_outward;
};

// Requires the fronts of all triangles. `ignored` marks triangles to ignore, or
// is empty. Returns nothing if no triangle is a wall.
ORBOX_EXPORT std::optional<SolidBoundary> BoundaryWithoutWalls(
    const Tree& tree, std::span<const Front> fronts,
    const std::vector<bool>& ignored);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_SOLID_BOUNDARY_H_
