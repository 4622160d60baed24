// SPDX-License-Identifier: Apache-2.0

// Classifies the triangles of a closed mesh by their two sides. A triangle
// either bounds the inside or is a wall, with the inside on both sides.
// Private.
//
//   absl::StatusOr<SurfaceSides> sides = SurfaceSides::Create(mesh);
//   std::vector<Front> fronts = FrontsOf(tree, *sides);
//   if (!IsBoundary(fronts[id], InsideRule::kWinding)) ...  // a wall
//
// Connected triangles that overlap only their neighbours have the same sides,
// so one exact winding number decides them all. Takes about twice as long as
// the build of the tree if few triangles overlap others.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_WALLS_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_WALLS_H_

#include <cstdint>
#include <vector>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/query/inside/internal/surface_sides.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// The winding number in front of a triangle, as far as the two inside rules
// need it. The winding number behind is larger by 1.
enum class Front : uint8_t {
  kZero,      // outside in front, inside behind
  kMinusOne,  // inside in front, outside behind
  kEven,      // any other: inside on both sides, outside in front by parity
  kOdd,       // any other: inside on both sides, inside in front by parity
  // The winding number varies along the triangle, because the triangle overlaps
  // others than its neighbours; or the triangle is too thin to decide.
  kUnknown,
};

// Returns true if the triangle bounds the inside: exactly one side is inside.
// Requires a known front.
inline bool IsBoundary(Front front, InsideRule rule) {
  return rule == InsideRule::kParity || front == Front::kZero ||
         front == Front::kMinusOne;
}
// Requires a known front.
inline bool IsInsideInFront(Front front, InsideRule rule) {
  return front == Front::kMinusOne || front == Front::kOdd ||
         (front == Front::kEven && rule == InsideRule::kWinding);
}

// Returns the front of each triangle. Requires the sides of the tree's mesh.
ORBOX_EXPORT std::vector<Front> FrontsOf(const Tree& tree,
                                         const SurfaceSides& sides);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_WALLS_H_
