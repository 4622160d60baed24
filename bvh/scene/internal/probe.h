// SPDX-License-Identifier: Apache-2.0

// A mesh with its bounds, for the queries of scene_overlap.h, scene_within.h
// and scene_closest.h against the bodies of a scene. Private.
#ifndef ORBOX_BVH_SCENE_INTERNAL_PROBE_H_
#define ORBOX_BVH_SCENE_INTERNAL_PROBE_H_

#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/body_filter.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct Probe {
  const PosedTree& mesh;
  Aabb bounds;
  BodyId except = kNoBody;
  BodyId first = 0;  // bodies with lower numbers are skipped
  // True if the probe is mesh a of a pair. Otherwise the body is.
  bool is_a = false;

  static Probe Of(const PosedTree& mesh, BodyId except);
};

// Calls visit(body) for each body whose bounds are within `distance` of the
// probe's, in no particular order, until it returns kStop.
void VisitBoundsWithin(const Scene& scene, const Probe& probe, double distance,
                       absl::FunctionRef<Visit(BodyId)> visit);

// Returns the bodies that VisitBoundsWithin visits, ascending.
std::vector<BodyId> BoundsWithin(const Scene& scene, const Probe& probe,
                                 double distance);

bool IsAnyOverlapping(const Scene& scene, const Probe& probe,
                      const Execution& run);
bool IsAnyWithin(const Scene& scene, const Probe& probe, double distance,
                 const Execution& run);

std::vector<BodyGap> AllWithin(const Scene& scene, const Probe& probe,
                               double distance, const Execution& run);
std::optional<BodyGap> ClosestBody(const Scene& scene, const Probe& probe,
                                   double max_distance, const Execution& run);

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_PROBE_H_
