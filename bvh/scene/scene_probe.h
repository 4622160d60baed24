// One mesh, which need not belong to the scene, against all of its bodies: does
// it meet any, which ones, which are near, and which is closest?
//
//   bool clash = MeetsAnyBody(scene, tool);          // tool: a PosedTree
//   for (const NearBody& n : BodiesNear(scene, tool, 0.5)) ...
//   std::optional<NearBody> n = ClosestBody(scene, tool);
//
// Exact: what mesh_overlap.h, mesh_distance.h and mesh_within.h say of the mesh
// and each body, asked of those alone whose bounds are close enough. Results
// ascend by the bodies' numbers. To ask about a body of the scene itself, leave
// it out: `but` is not looked at. Require that the scene is up to date
// (Scene::Update). A call takes ten microseconds to find bounds of a mesh of
// more than 64 vertices; for many poses of one mesh, motion_batch.h takes one.
// Thread-safe; allocate the results and what the queries of two meshes do.
#ifndef ORBOX_BVH_SCENE_SCENE_PROBE_H_
#define ORBOX_BVH_SCENE_SCENE_PROBE_H_

#include <limits>
#include <optional>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/mesh_distance.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// No body has this number.
inline constexpr BodyId kNoBody = std::numeric_limits<BodyId>::max();

// Stops at the first body found.
ORBOX_EXPORT bool MeetsAnyBody(const Scene& scene, const PosedTree& mesh,
                               BodyId but = kNoBody,
                               TraversalStatistics* statistics = nullptr);

// All bodies that meet the mesh.
ORBOX_EXPORT std::vector<BodyId> BodiesMeeting(
    const Scene& scene, const PosedTree& mesh, BodyId but = kNoBody,
    TraversalStatistics* statistics = nullptr);

// Whether a body is within `distance` of the mesh; stops at the first found.
// No where that is negative or NaN.
ORBOX_EXPORT bool IsNearAnyBody(const Scene& scene, const PosedTree& mesh,
                                double distance, BodyId but = kNoBody,
                                TraversalStatistics* statistics = nullptr);

// A body and how far it is from the mesh, which is the gap's mesh a.
struct NearBody {
  BodyId body = 0;
  MeshDistanceResult gap;
};

// All bodies within `distance`; none where that is negative or NaN.
ORBOX_EXPORT std::vector<NearBody> BodiesNear(
    const Scene& scene, const PosedTree& mesh, double distance,
    BodyId but = kNoBody, TraversalStatistics* statistics = nullptr);

// The body at the smallest distance, of several the lowest; nothing where none
// is within `max_distance`, or where that is negative or NaN.
ORBOX_EXPORT std::optional<NearBody> ClosestBody(
    const Scene& scene, const PosedTree& mesh,
    double max_distance = std::numeric_limits<double>::infinity(),
    BodyId but = kNoBody, TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_PROBE_H_
