// Which bodies of a scene overlap, which are within d of each other, and how
// far apart are they, and where?
//
//   for (const BodyPair& p : ClashingBodies(scene)) ...
//   for (const BodyGap& g : BodiesWithin(scene, 0.5)) report(g.bodies, g.gap);
//   auto tight = TrianglesWithin(scene, 0.5);   // of all those bodies
//   for (size_t i = 0; i < tight.bodies.size(); ++i) {
//     for (const PairDistance& p : tight.pairs[i]) ...
//   }
//
// Exact: the answers of pair_overlap.h, closest_pair.h and pair_within.h for
// every two bodies, the lower number first. Only bodies with bounds that are
// close enough are queried. Pairs ascend by (a, b) and do not depend on the
// number of threads. Bodies are surfaces, not solids: a body wholly inside
// another does not overlap it.
//
// Require that the scene is up to date (Scene::Update). Thread-safe. Allocate
// the results and the lists of the queries of two meshes.
#ifndef ORBOX_BVH_SCENE_SCENE_PAIRS_H_
#define ORBOX_BVH_SCENE_SCENE_PAIRS_H_

#include <vector>

#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/query/pair_within.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct SceneOptions {
  // 0 or less: one per core.
  int threads = 0;
};

// All pairs of bodies whose meshes overlap.
ORBOX_EXPORT std::vector<BodyPair> ClashingBodies(
    const Scene& scene, const SceneOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// Two bodies and their smallest distance, with the triangles and points at
// which it is attained. Body a is mesh a of the gap.
struct BodyGap {
  BodyPair bodies;
  Witness gap;
};

// All pairs of bodies whose distance is at most `distance`; it is 0 for bodies
// that overlap. None if `distance` is negative or NaN, all if it is infinite.
ORBOX_EXPORT std::vector<BodyGap> BodiesWithin(
    const Scene& scene, double distance, const SceneOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// Pairs of bodies with at least one pair of triangles each: bodies[i] has
// pairs[i].
template <typename Pair>
struct BodyPairLists {
  std::vector<BodyPair> bodies;
  Lists<Pair> pairs;
};

// All overlapping pairs of triangles of different bodies; ascending for each
// pair of bodies.
ORBOX_EXPORT BodyPairLists<TrianglePair> ClashingTriangles(
    const Scene& scene, const SceneOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// All pairs of triangles of different bodies within `distance`, in the same
// order.
ORBOX_EXPORT BodyPairLists<PairDistance> TrianglesWithin(
    const Scene& scene, double distance, const SceneOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// The pairs of bodies whose bounds are within `distance` of each other: the
// candidates of the queries above.
ORBOX_EXPORT std::vector<BodyPair> BoundsWithin(
    const Scene& scene, double distance, const SceneOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_PAIRS_H_
