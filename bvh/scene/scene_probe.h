// One mesh against all bodies of a scene: does it overlap any, which ones,
// which are near, and which is closest? The mesh need not belong to the scene.
//
//   bool clash = MeetsAnyBody(scene, tool);          // tool: a PosedTree
//   for (const NearBody& n : BodiesNear(scene, tool, 0.5)) ...
//   std::optional<NearBody> n = ClosestBody(scene, tool);
//
// Exact: the answers of pair_overlap.h, closest_pair.h and pair_within.h for
// the mesh and each body. Only bodies with bounds that are close enough are
// queried. Results ascend by body. If the mesh is itself a body of the scene,
// pass its number as `but` to exclude it.
//
// A call takes ten microseconds to bound a mesh of more than 64 vertices;
// motion_batch.h does this once for many poses. Require that the scene is up to
// date (Scene::Update). Thread-safe. Allocate the results and the lists of the
// queries of two meshes.
#ifndef ORBOX_BVH_SCENE_SCENE_PROBE_H_
#define ORBOX_BVH_SCENE_SCENE_PROBE_H_

#include <limits>
#include <optional>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// No body has this number.
inline constexpr BodyId kNoBody = std::numeric_limits<BodyId>::max();

// Ends at the first body found.
ORBOX_EXPORT bool MeetsAnyBody(const Scene& scene, const PosedTree& mesh,
                               BodyId but = kNoBody,
                               TraversalStatistics* statistics = nullptr);

// All bodies that overlap the mesh.
ORBOX_EXPORT std::vector<BodyId> BodiesMeeting(
    const Scene& scene, const PosedTree& mesh, BodyId but = kNoBody,
    TraversalStatistics* statistics = nullptr);

// Whether a body is within `distance` of the mesh; ends at the first one found.
// False if `distance` is negative or NaN.
ORBOX_EXPORT bool IsNearAnyBody(const Scene& scene, const PosedTree& mesh,
                                double distance, BodyId but = kNoBody,
                                TraversalStatistics* statistics = nullptr);

// A body and its distance from the mesh, which is mesh a of the gap.
struct NearBody {
  BodyId body = 0;
  Witness gap;
};

// All bodies within `distance`; none if it is negative or NaN.
ORBOX_EXPORT std::vector<NearBody> BodiesNear(
    const Scene& scene, const PosedTree& mesh, double distance,
    BodyId but = kNoBody, TraversalStatistics* statistics = nullptr);

// The body at the smallest distance; the lowest one of a tie. Nothing if none
// is within `max_distance`, or if that is negative or NaN.
ORBOX_EXPORT std::optional<NearBody> ClosestBody(
    const Scene& scene, const PosedTree& mesh,
    double max_distance = std::numeric_limits<double>::infinity(),
    BodyId but = kNoBody, TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_PROBE_H_
