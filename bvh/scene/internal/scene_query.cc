// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/scene_query.h"

#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {

absl::Status CheckUpToDate(const Scene& scene) {
  if (scene.is_up_to_date()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "a query of a scene that has changed since its last update; call "
      "Scene::Update first");
}

TreeSpace SpaceOf(const Scene& scene) {
  if (!scene.is_up_to_date() || scene.bodies().empty()) return {};
  Aabb all = scene.bounds(scene.bodies().front());
  for (const BodyId body : scene.bodies()) {
    all = Union(all, scene.bounds(body));
  }
  return SpaceAround(all);
}

void ForEachTask(size_t count, const Execution& run, TaskRunner::Work work) {
  // Small tasks, because a query of two meshes takes from a microsecond to
  // minutes.
  TaskRunner(run, count).For(count, TaskRunner::GrainOf(count, 1, 4), work);
}

}  // namespace orbox
