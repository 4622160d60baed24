// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/scene_query.h"

#include <cstdio>
#include <cstdlib>

#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {

void RequireUpToDate([[maybe_unused]] const Scene& scene) {
#ifndef NDEBUG
  if (scene.is_up_to_date()) return;
  std::fputs(
      "orbox: a query of a scene that has changed since its last update; call "
      "Scene::Update first\n",
      stderr);
  std::abort();
#endif
}

TreeSpace SpaceOf(const Scene& scene) {
  if (scene.bodies().empty()) return {};
  Aabb all = scene.bounds(scene.bodies().front());
  for (const BodyId body : scene.bodies()) {
    all = Union(all, scene.bounds(body));
  }
  return SpaceAround(all);
}

void ForEachPiece(
    size_t count, const Execution& run,
    absl::FunctionRef<void(size_t begin, size_t end, TraversalStatistics*)>
        work) {
  // A query of two meshes takes from a microsecond to a second: few to a piece.
  constexpr size_t kGrain = 4;
  std::mutex mutex;  // of the statistics
  Progress progress(run.progress(), count);
  ParallelFor(count, kGrain, run.threads(), [&](size_t begin, size_t end) {
    if (run.is_cancelled()) return;
    if (run.statistics() == nullptr) {
      work(begin, end, nullptr);
    } else {
      TraversalStatistics own;
      work(begin, end, &own);
      const std::lock_guard lock(mutex);
      *run.statistics() += own;
    }
    progress.Add(end - begin);
  });
}

}  // namespace orbox
