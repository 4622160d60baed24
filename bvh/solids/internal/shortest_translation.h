// SPDX-License-Identifier: Apache-2.0

// The shortest vector that satisfies linear constraints. Private.
//
//   Vec3 t = ShortestTranslation({{n, d}, ...});  // Dot(n, t) >= d for each
//
// Seidel, "Small-dimensional linear programming and convex hulls made easy",
// 1991: adds one constraint after the other, in a pseudorandom order. If one is
// violated, the new solution is on its plane. Expected O(n). In double, without
// certificate. For contradictory constraints, the result is some vector.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_SHORTEST_TRANSLATION_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_SHORTEST_TRANSLATION_H_

#include <vector>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The vectors t with Dot(n, t) >= offset, for a unit vector n.
struct TranslationBound {
  Vec3 n;
  double offset = 0;
};

Vec3 ShortestTranslation(std::vector<TranslationBound> bounds);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_SHORTEST_TRANSLATION_H_
