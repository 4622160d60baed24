// SPDX-License-Identifier: Apache-2.0

// What the batches of points, rays and regions in a scene share. Private.
//
//   return SceneBatch(scene, rays, options)
//       .AskEach<std::optional<BodyHit>>(
//           [&](size_t i) { return rays[i].origin; },         // where it is
//           [](const auto&... asked) { return ClosestHit(asked...); });
#ifndef ORBOX_BVH_SCENE_INTERNAL_SCENE_BATCH_H_
#define ORBOX_BVH_SCENE_INTERNAL_SCENE_BATCH_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_options.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

template <typename Queries>
class SceneBatch {
 public:
  // Refers to all of them. Requires that the scene is up to date.
  SceneBatch(const Scene& scene, const Queries& queries,
             const SceneOptions& options)
      : scene_(scene),
        queries_(queries),
        options_(options),
        space_(SpaceOf(scene)),
        run_(space_, queries.size(), Execution(options)) {
    RequireUpToDate(scene);
  }

  // What ask(scene, query, alone) returns for each query.
  template <typename Result, typename Ask>
  absl::StatusOr<std::vector<Result>> AskEach(BatchRun::PlaceOf place_of,
                                              Ask ask) {
    return run_.AskEach<Result>(
        place_of, [&](size_t i, const QueryOptions& alone) -> Result {
          return ask(scene_, queries_[i], With(alone));
        });
  }

  // The same for lists.
  template <typename Value, typename Ask>
  absl::StatusOr<Lists<Value>> CollectEach(BatchRun::PlaceOf place_of,
                                           Ask ask) {
    return run_.CollectLists<Value>(
        place_of,
        [&](size_t i, std::vector<Value>* values, TraversalStatistics* s) {
          const std::vector<Value> found =
              ask(scene_, queries_[i], With(run_.Alone(s)));
          values->insert(values->end(), found.begin(), found.end());
        });
  }

 private:
  SceneOptions With(const QueryOptions& alone) const {
    return {.except = options_.except,
            .max_distance = alone.max_distance,
            .statistics = alone.statistics,
            .cancelled = alone.cancelled};
  }

  const Scene& scene_;
  const Queries& queries_;
  const SceneOptions& options_;
  const TreeSpace space_;
  BatchRun run_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_SCENE_BATCH_H_
