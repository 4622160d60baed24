// SPDX-License-Identifier: Apache-2.0

// Bodies that a query of a scene considers, and how far it searches.
//
//   bool clash = AnyOverlap(scene, tool, {.except = body});
//   auto gap = ClosestPair(scene, tool, {.except = body, .max_distance = 2});
#ifndef ORBOX_BVH_SCENE_BODY_FILTER_H_
#define ORBOX_BVH_SCENE_BODY_FILTER_H_

#include <limits>

#include "orbox/bvh/broad_phase/broad_phase.h"

namespace orbox {

// No body has this number.
inline constexpr BodyId kNoBody = std::numeric_limits<BodyId>::max();

struct BodyFilter {
  // A body that the query ignores, for a mesh that is itself a body of the
  // scene.
  BodyId except = kNoBody;
};

// A filter with a limit, for queries that search for the closest body.
struct BodyLimits {
  // See BodyFilter.
  BodyId except = kNoBody;
  // Nothing beyond this distance is found. A negative or NaN limit is not
  // valid.
  double max_distance = std::numeric_limits<double>::infinity();
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_BODY_FILTER_H_
