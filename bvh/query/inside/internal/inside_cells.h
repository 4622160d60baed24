// SPDX-License-Identifier: Apache-2.0

// Decides which points of a batch are inside, cell by cell.
//
//   const PlacedPoints placed(tree, points, workers);
//   AnswerByCells({tree, boundary, points, placed}, 0, placed.points().size(),
//                 statistics, results);
//
// Divides the points into smaller and smaller cells. Each cell has a list of
// the nodes that may overlap it. If the list is empty, all points of the cell
// have the same winding number. If the list has a few triangles, the winding
// number of one point gives those of the others: by adding the signed crossings
// of the segments between them. Private.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_INSIDE_CELLS_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_INSIDE_CELLS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/internal/boundary_shadow.h"
#include "orbox/bvh/query/inside/internal/placed_points.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct InsideQuery {
  const Tree& tree;
  const mesh_internal::BoundaryShadow& boundary;
  std::span<const Vec3> points;
  const PlacedPoints& placed;
  InsideRule rule = InsideRule::kWinding;
};

// Sets the results of the placed points from `begin` to `end` to 1 if they are
// inside. Requires that all results are 0 before. Exact: points that float
// leaves undecided are decided by crossings.h.
//
// In a surface with holes, one point gives the parity of another only if no
// edge of a hole is between the lines along x through both. Then the segment
// and the two lines together cross the surface an even number of times.
void AnswerByCells(const InsideQuery& query, size_t begin, size_t end,
                   const Watch& watch, std::span<uint8_t> results);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_INSIDE_CELLS_H_
