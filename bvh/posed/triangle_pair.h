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

// Ids of triangles. For a pair within one mesh, a < b.
struct TrianglePair {
  uint32_t a = 0;
  uint32_t b = 0;

  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

// Returns TrianglePair{7, 12}. See overlap/shapes/text.h for the uses of a
// text.
ORBOX_EXPORT ShapeText TextOf(const TrianglePair& pair);

// A pair and the distance of its triangles: the exact distance, correctly
// rounded.
struct PairDistance {
  TrianglePair triangles;
  double distance = 0;

  friend auto operator<=>(const PairDistance&, const PairDistance&) = default;
};

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_TRIANGLE_PAIR_H_
