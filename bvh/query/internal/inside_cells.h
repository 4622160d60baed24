// SPDX-License-Identifier: Apache-2.0

// Which points of a batch are inside: many at once, cell by cell.
//
//   const PlacedPoints placed(tree, points, workers);
//   AnswerByCells({tree, boundary, points, placed}, 0, placed.points().size(),
//                 statistics, results);
//
// Cells shrink, and with them the list of what of the tree may meet them. Where
// that is nothing, all points are on one side. Where it is some triangles, one
// point tells of the others: how often the ways to them cross these triangles.
// Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_INSIDE_CELLS_H_
#define ORBOX_BVH_QUERY_INTERNAL_INSIDE_CELLS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "orbox/bvh/mesh/internal/boundary_shadow.h"
#include "orbox/bvh/query/internal/placed_points.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct InsideQuestion {
  const Tree& tree;
  const mesh_internal::BoundaryShadow& boundary;
  std::span<const Vec3> points;
  const PlacedPoints& placed;
};

// Sets the results of the placed points from `begin` to `end` to 1 where they
// are inside; others are 0 before. Exact: of what float does not tell,
// crossings.h is asked.
//
// For a surface with holes, a point tells of another where no edge of a hole is
// between the lines along x from the one and from the other: then the way and
// those lines together cross the surface an even number of times.
void AnswerByCells(const InsideQuestion& question, size_t begin, size_t end,
                   const Watch& watch, std::span<uint8_t> results);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_INSIDE_CELLS_H_
