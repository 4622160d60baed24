// Which bodies of a scene meet, which are within d of each other, how far are
// they apart, and where?
//
//   for (const BodyPair& p : ClashingBodies(scene)) ...
//   for (const BodyGap& g : BodiesWithin(scene, 0.5)) report(g.bodies, g.gap);
//   auto tight = TrianglesWithin(scene, 0.5);   // of all those bodies
//   for (size_t i = 0; i < tight.bodies.size(); ++i) {
//     for (const PairDistance& p : tight.pairs[i]) ...
//   }
//
// Exact: what mesh_overlap.h, mesh_distance.h and mesh_within.h say of each two
// bodies, the lower number first, asked of those alone whose bounds are close
// enough. Pairs ascend by (a, b), and do not depend on the number of threads.
// Surfaces, not solids: a body wholly inside another does not meet it. Require
// that the scene is up to date (Scene::Update). Thread-safe; allocate the
// results and what the queries of two meshes do.
#ifndef ORBOX_BVH_SCENE_SCENE_PAIRS_H_
#define ORBOX_BVH_SCENE_SCENE_PAIRS_H_

#include <vector>

#include "orbox/bvh/query/batch.h"
#include "orbox/bvh/query/mesh_distance.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/query/mesh_within.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct SceneOptions {
  // As many as the machine runs at a time where 0 or less.
  int threads = 0;
};

// All pairs of bodies whose meshes meet.
ORBOX_EXPORT std::vector<BodyPair> ClashingBodies(
    const Scene& scene, const SceneOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// Two bodies and their smallest distance, with the triangles and points where
// they are closest; body a is the gap's mesh a.
struct BodyGap {
  BodyPair bodies;
  MeshDistanceResult gap;
};

// All pairs of bodies whose distance is at most `distance`: those that meet
// have 0. None where that is negative or NaN, all where it is infinite.
ORBOX_EXPORT std::vector<BodyGap> BodiesWithin(
    const Scene& scene, double distance, const SceneOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// Pairs of bodies, each with at least one pair of triangles: those of bodies[i]
// are pairs[i].
template <typename Pair>
struct BodyPairLists {
  std::vector<BodyPair> bodies;
  Lists<Pair> pairs;
};

// All pairs of triangles of different bodies that meet; for each pair of
// bodies, ascending.
ORBOX_EXPORT BodyPairLists<TrianglePair> ClashingTriangles(
    const Scene& scene, const SceneOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// All pairs of triangles of different bodies within `distance`; likewise.
ORBOX_EXPORT BodyPairLists<PairDistance> TrianglesWithin(
    const Scene& scene, double distance, const SceneOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// The pairs of bodies whose bounds are within `distance` of each other: the
// candidates of the above.
ORBOX_EXPORT std::vector<BodyPair> BoundsWithin(
    const Scene& scene, double distance, const SceneOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_PAIRS_H_
