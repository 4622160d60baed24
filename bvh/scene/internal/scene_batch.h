// SPDX-License-Identifier: Apache-2.0

// Common code of the batches of points, rays and regions in a scene. Private.
//
//   return SceneBatch(scene, rays, options)
//       .RunEach<std::optional<BodyHit>>(
//           [&](size_t i) { return rays[i].origin; },         // position
//           [&](const Ray& ray, const Execution& run) {
//             return FindClosestHit(scene, ray, limits, run);
//           });
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
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

template <typename Queries>
class SceneBatch {
 public:
  // Refers to all arguments.
  SceneBatch(const Scene& scene, const Queries& queries,
             const RunOptions& options)
      : scene_(scene),
        queries_(queries),
        space_(SpaceOf(scene)),
        run_(space_, queries.size(), Execution(options)) {}

  // Returns call(query, run) for each query.
  template <typename Result, typename Call>
  absl::StatusOr<std::vector<Result>> RunEach(BatchRun::PositionOf position_of,
                                              Call call) {
    if (absl::Status s = Check(); !s.ok()) return s;
    return run_.RunEach<Result>(
        position_of, [&](size_t i, const QueryOptions& alone) -> Result {
          return call(queries_[i], Execution(alone));
        });
  }

  // Like RunEach, for lists.
  template <typename Value, typename Call>
  absl::StatusOr<Lists<Value>> CollectEach(BatchRun::PositionOf position_of,
                                           Call call) {
    if (absl::Status s = Check(); !s.ok()) return s;
    return run_.CollectLists<Value>(
        position_of,
        [&](size_t i, std::vector<Value>* values, const QueryOptions& alone) {
          const std::vector<Value> found = call(queries_[i], Execution(alone));
          values->insert(values->end(), found.begin(), found.end());
        });
  }

 private:
  absl::Status Check() const {
    absl::Status status = CheckUpToDate(scene_);
    return status.ok() ? CheckQueries(queries_) : status;
  }

  const Scene& scene_;
  const Queries& queries_;
  const TreeSpace space_;
  BatchRun run_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_SCENE_BATCH_H_
