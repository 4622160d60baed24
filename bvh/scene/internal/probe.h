// A mesh with its bounds, and the queries of scene_probe.h for it. For batches,
// which have bounds at hand and a guess. Private.
#ifndef ORBOX_BVH_SCENE_INTERNAL_PROBE_H_
#define ORBOX_BVH_SCENE_INTERNAL_PROBE_H_

#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_probe.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct Probe {
  const PosedTree& mesh;
  Aabb bounds;
  BodyId but = kNoBody;
  TraversalStatistics* statistics = nullptr;
};

// Calls visit(body) for each body except `but` whose bounds are within
// `distance` of the probe's, in no particular order, until it returns kStop.
void VisitBodiesNear(const Scene& scene, const Probe& probe, double distance,
                     absl::FunctionRef<Visit(BodyId)> visit);

// A body and an overlapping pair of triangles; the probe's is the first.
struct Meeting {
  BodyId body = kNoBody;
  TrianglePair triangles;
};

// The first body found; it depends on the broad phase. Tests `guess` first,
// which may be kNoBody.
std::optional<Meeting> FindMeeting(const Scene& scene, const Probe& probe,
                                   BodyId guess);
std::optional<BodyId> FindNear(const Scene& scene, const Probe& probe,
                               double distance, BodyId guess);

std::vector<BodyId> AllMeeting(const Scene& scene, const Probe& probe);
std::vector<NearBody> AllNear(const Scene& scene, const Probe& probe,
                              double distance);
std::optional<NearBody> Closest(const Scene& scene, const Probe& probe,
                                double max_distance);

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_PROBE_H_
