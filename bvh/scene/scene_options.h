// SPDX-License-Identifier: Apache-2.0

// Options of a query of a scene against a point, a region, a ray or a mesh.
//
//   SceneOptions options;
//   options.except = body;                      // the body to ignore
//   bool clash = AnyOverlap(scene, tool, options);
//   clash = AnyOverlap(scene, tool, {.except = body});
//
// query_options.h explains the other fields and lists the errors.
#ifndef ORBOX_BVH_SCENE_SCENE_OPTIONS_H_
#define ORBOX_BVH_SCENE_SCENE_OPTIONS_H_

#include <atomic>
#include <functional>
#include <limits>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// No body has this number.
inline constexpr BodyId kNoBody = std::numeric_limits<BodyId>::max();

struct SceneOptions {
  // A body that the query ignores, for a mesh that is itself a body of the
  // scene.
  BodyId except = kNoBody;

  // See QueryOptions.
  double max_distance = std::numeric_limits<double>::infinity();
  TraversalStatistics* statistics = nullptr;
  int threads = 1;
  std::function<void(double)> progress = {};
  const std::atomic<bool>* cancelled = nullptr;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_OPTIONS_H_
