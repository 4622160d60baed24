// SPDX-License-Identifier: Apache-2.0

// Common code of the batches of points, rays and regions in a scene. Private.
//
//   return SceneBatch(scene, rays, options)
//       .RunEach<std::optional<BodyHit>>(
//           [&](size_t i) { return rays[i].origin; },         // position
//           [](const auto&... args) { return ClosestHit(args...); });
#ifndef ORBOX_BVH_SCENE_INTERNAL_SCENE_BATCH_H_
#define ORBOX_BVH_SCENE_INTERNAL_SCENE_BATCH_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_options.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

template <typename Queries>
class SceneBatch {
 public:
  // Refers to all arguments. Requires that the scene is up to date.
  SceneBatch(const Scene& scene, const Queries& queries,
             const SceneOptions& options)
      : scene_(scene),
        queries_(queries),
        options_(options),
        space_(SpaceOf(scene)),
        run_(space_, queries.size(), Execution(options)) {}

  // Returns call(scene, query, alone) for each query.
  template <typename Result, typename Call>
  absl::StatusOr<std::vector<Result>> RunEach(BatchRun::PositionOf position_of,
                                              Call call) {
    if (absl::Status s = CheckQueries(queries_); !s.ok()) return s;
    return run_.RunEach<Result>(
        position_of, [&](size_t i, const QueryOptions& alone) -> Result {
          return call(scene_, queries_[i], With(alone));
        });
  }

  // Like RunEach, for lists.
  template <typename Value, typename Call>
  absl::StatusOr<Lists<Value>> CollectEach(BatchRun::PositionOf position_of,
                                           Call call) {
    if (absl::Status s = CheckQueries(queries_); !s.ok()) return s;
    return run_.CollectLists<Value>(
        position_of,
        [&](size_t i, std::vector<Value>* values, const QueryOptions& alone) {
          const std::vector<Value> found =
              call(scene_, queries_[i], With(alone));
          values->insert(values->end(), found.begin(), found.end());
        });
  }

 private:
  SceneOptions With(const QueryOptions& alone) const {
    auto options = Execution(alone).Alone<SceneOptions>(alone.max_distance);
    options.except = options_.except;
    return options;
  }

  const Scene& scene_;
  const Queries& queries_;
  const SceneOptions& options_;
  const TreeSpace space_;
  BatchRun run_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_SCENE_BATCH_H_
