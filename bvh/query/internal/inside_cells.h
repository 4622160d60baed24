// SPDX-License-Identifier: Apache-2.0

// Which points of a batch are inside: many at once, cell by cell.
//
//   std::vector<PlacedPoint> placed;      // neighbours near each other
//   AnswerByCells({tree, boundary, points}, placed, statistics, results);
//
// Cells shrink, and with them the list of what of the tree may meet them. Where
// that is nothing, all points are on one side. Where it is some triangles, one
// point tells of the others: how often the ways to them cross these triangles.
// Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_INSIDE_CELLS_H_
#define ORBOX_BVH_QUERY_INTERNAL_INSIDE_CELLS_H_

#include <cstdint>
#include <span>

#include "orbox/bvh/mesh/internal/boundary_shadow.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point within the mesh's bounds, in the tree's space.
struct PlacedPoint {
  // Sets nothing: all of many are set right after.
  PlacedPoint() {}  // NOLINT(modernize-use-equals-default)

  float at[3];
  uint32_t query;
};

struct InsideQuestion {
  const Tree& tree;
  const mesh_internal::BoundaryShadow& boundary;
  std::span<const Vec3> points;
};

// Sets the results of these points to 1 where they are inside; others are 0
// before. Exact: of what float does not tell, crossings.h is asked.
//
// For a surface with holes, a point tells of another where no edge of a hole is
// between the lines along x from the one and from the other: then the way and
// those lines together cross the surface an even number of times.
void AnswerByCells(const InsideQuestion& question,
                   std::span<const PlacedPoint> placed,
                   TraversalStatistics* statistics, std::span<uint8_t> results);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_INSIDE_CELLS_H_
