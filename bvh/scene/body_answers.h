// SPDX-License-Identifier: Apache-2.0

// Results of scene queries: bodies, with their distances or triangles.
//
//   for (const BodyPairGap& g : AllWithin(scene, 0.5)) use(g.bodies, g.gap);
//   const BodyPairLists<TrianglePair> found = AllOverlappingTriangles(scene);
//   for (size_t i = 0; i < found.bodies.size(); ++i) {
//     for (const TrianglePair& p : found.pairs[i]) use(found.bodies[i], p);
//   }
#ifndef ORBOX_BVH_SCENE_BODY_ANSWERS_H_
#define ORBOX_BVH_SCENE_BODY_ANSWERS_H_

#include <compare>
#include <cstdint>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/query/lists.h"

namespace orbox {

// A triangle of a body.
struct BodyTriangle {
  BodyId body = 0;
  uint32_t triangle = 0;

  friend auto operator<=>(const BodyTriangle&, const BodyTriangle&) = default;
};

// A body and its smallest distance from a mesh. The body is mesh a of the gap,
// as the scene is the first argument of the query.
struct BodyGap {
  BodyId body = 0;
  Witness gap;
};

// Two bodies and their smallest distance. Body a is mesh a of the gap.
struct BodyPairGap {
  BodyPair bodies;
  Witness gap;
};

// Bodies, or pairs of them, each with a list of at least one pair of triangles:
// bodies[i] has the list pairs[i].
template <typename Body, typename Pair>
struct ListsOfBodies {
  std::vector<Body> bodies;
  Lists<Pair> pairs;
};
template <typename Pair>
using BodyLists = ListsOfBodies<BodyId, Pair>;
template <typename Pair>
using BodyPairLists = ListsOfBodies<BodyPair, Pair>;

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_BODY_ANSWERS_H_
