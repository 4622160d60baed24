// SPDX-License-Identifier: Apache-2.0

// Classifies the triangles of a closed mesh by what is on their two sides: some
// bound the inside, others are walls within it. Private.
//
//   absl::StatusOr<SurfaceSides> sides = SurfaceSides::Create(mesh);
//   std::vector<Front> fronts = FrontsOf(tree, *sides);
//   if (!IsBoundary(fronts[id], InsideRule::kWinding)) ...  // a wall
//
// Triangles that hang together and that meet no others than their neighbours
// have the same sides, so one exact winding number decides them all. Costs
// about twice as long as to build the tree where few triangles meet others.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_WALLS_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_WALLS_H_

#include <cstdint>
#include <vector>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/query/inside/internal/surface_sides.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// The winding number in front of a triangle, as far as both rules need it. The
// one behind is larger by 1.
enum class Front : uint8_t {
  kZero,      // outside in front, inside behind
  kMinusOne,  // inside in front, outside behind
  kEven,      // any other: inside on both sides, outside in front by parity
  kOdd,       // any other: inside on both sides, inside in front by parity
  // Not one number along the triangle, because it meets others than its
  // neighbours; or too thin to find out.
  kUnknown,
};

// Returns true if the triangle bounds the inside: it is inside on one side
// only. Requires a front that is known.
inline bool IsBoundary(Front front, InsideRule rule) {
  return rule == InsideRule::kParity || front == Front::kZero ||
         front == Front::kMinusOne;
}
// Requires a front that is known.
inline bool IsInsideInFront(Front front, InsideRule rule) {
  return front == Front::kMinusOne || front == Front::kOdd ||
         (front == Front::kEven && rule == InsideRule::kWinding);
}

// One for each triangle. Requires the sides of the tree's mesh.
ORBOX_EXPORT std::vector<Front> FrontsOf(const Tree& tree,
                                         const SurfaceSides& sides);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_WALLS_H_
