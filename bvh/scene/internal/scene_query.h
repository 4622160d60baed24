// SPDX-License-Identifier: Apache-2.0

// Common code of the queries of a scene: their two forms (execution.h), and one
// query for each of many bodies. Private.
//
//   size_t Count(scene, d) {
//     return ValueOrEnd(Count(scene, d, RunOptions()));
//   }
//   absl::StatusOr<size_t> Count(scene, d, const RunOptions& options) {
//     return RunWith(options, scene, CheckDistance("distance", d), count);
//   }
//
//   const auto found = FindEach<BodyPair>(
//       scene.pairs_of_bounds(), run,
//       [&](const BodyPair& p, const Execution& alone) {
//         return OverlapSearch(alone).Any({scene.body(p.a), scene.body(p.b)})
//                    ? std::optional(p) : std::nullopt;
//       });
#ifndef ORBOX_BVH_SCENE_INTERNAL_SCENE_QUERY_H_
#define ORBOX_BVH_SCENE_INTERNAL_SCENE_QUERY_H_

#include <cstddef>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/task_runner.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Returns kFailedPrecondition if the scene has changed since its last Update.
ORBOX_EXPORT absl::Status CheckUpToDate(const Scene& scene);

// Result of the plain form of a query, from that of the other form. Throws
// std::bad_alloc if memory ran out, and ends the program for other errors.
template <typename Result>
Result ValueOrEnd(absl::StatusOr<Result> result) {
  if (!result.ok()) {
    if (absl::IsResourceExhausted(result.status())) throw std::bad_alloc();
    EndInvalid(result.status());
  }
  return *std::move(result);
}

// Returns call(run), or the error: that the scene is not up to date, or
// `query`, the status of the query's arguments.
template <typename Call>
auto RunWith(const RunOptions& options, const Scene& scene,
             const absl::Status& query, Call call) {
  const absl::Status status = CheckUpToDate(scene);
  return WithRunOptions(options, status.ok() ? query : status, call);
}

// Returns a space that contains all bodies, for the order of batches. Returns
// an arbitrary one if the scene is not up to date.
TreeSpace SpaceOf(const Scene& scene);

// AllBoundsWithin (scene_within.h) as a part of another query. Requires a scene
// that is up to date and a valid distance.
ORBOX_EXPORT std::vector<BodyPair> FindBoundsWithin(const Scene& scene,
                                                    double distance,
                                                    const Execution& run);

// Calls work(begin, end, watch) for ranges of [0, count) (task_runner.h).
ORBOX_EXPORT void ForEachTask(size_t count, const Execution& run,
                              TaskRunner::Work work);

// Returns call(candidate, run) for each candidate, in order.
template <typename Result, typename Candidate, typename Call>
std::vector<Result> RunEach(std::span<const Candidate> candidates,
                            const Execution& run, Call call) {
  std::vector<Result> results(candidates.size());
  ForEachTask(candidates.size(), run,
              [&](size_t begin, size_t end, const Watch& watch) {
                const auto alone = watch.Alone<RunOptions>();
                for (size_t i = begin; i < end; ++i) {
                  results[i] = call(candidates[i], Execution(alone));
                }
              });
  return results;
}

// Returns the values found by `call`, which returns std::optional<Found>, in
// order.
template <typename Found, typename Candidate, typename Call>
std::vector<Found> FindEach(std::span<const Candidate> candidates,
                            const Execution& run, Call call) {
  std::vector<Found> found;
  for (std::optional<Found>& one :
       RunEach<std::optional<Found>>(candidates, run, call)) {
    if (one.has_value()) found.push_back(*std::move(one));
  }
  return found;
}

// Returns the nonempty lists that `call` returns.
template <typename Pair, typename Candidate, typename Call>
ListsOfBodies<Candidate, Pair> ListEach(std::span<const Candidate> candidates,
                                        const Execution& run, Call call) {
  auto lists = RunEach<std::vector<Pair>>(candidates, run, call);
  ListsOfBodies<Candidate, Pair> all;
  for (size_t i = 0; i < lists.size(); ++i) {
    if (lists[i].empty()) continue;
    std::vector<Pair>& values = all.pairs.values;
    values.insert(values.end(), lists[i].begin(), lists[i].end());
    all.pairs.offsets.push_back(values.size());
    all.bodies.push_back(candidates[i]);
    lists[i] = {};  // frees each list after it is copied
  }
  return all;
}

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_SCENE_QUERY_H_
