// SPDX-License-Identifier: Apache-2.0

// The ids of a pair of triangles: one from each of two meshes, or two from one
// mesh.
//
//   TrianglePair pair{.a = 7, .b = 12};
//   bool first = pair < TrianglePair{8, 0};   // ordered by a, then by b
//   PairDistance gap{pair, 0.25};
#ifndef ORBOX_BVH_POSED_TRIANGLE_PAIR_H_
#define ORBOX_BVH_POSED_TRIANGLE_PAIR_H_

#include <compare>
#include <cstdint>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/text.h"

namespace orbox {

// Ids of triangles, of type `Id`. For a pair within one mesh, a < b.
template <typename Id>
struct ORBOX_EXPORT BasicTrianglePair {
  Id a = 0;
  Id b = 0;

  friend auto operator<=>(const BasicTrianglePair&,
                          const BasicTrianglePair&) = default;
};
using TrianglePair = BasicTrianglePair<uint32_t>;

// Returns TrianglePair{7, 12}. See overlap/shapes/text.h for the uses of a
// text.
ORBOX_EXPORT ShapeText TextOf(const TrianglePair& pair);

// A pair and the distance of its triangles: the exact distance, correctly
// rounded.
template <typename Id>
struct ORBOX_EXPORT BasicPairDistance {
  BasicTrianglePair<Id> triangles;
  double distance = 0;

  friend auto operator<=>(const BasicPairDistance&,
                          const BasicPairDistance&) = default;
};
using PairDistance = BasicPairDistance<uint32_t>;

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_TRIANGLE_PAIR_H_
