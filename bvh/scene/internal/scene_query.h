// SPDX-License-Identifier: Apache-2.0

// Common code of the queries of a scene: the check of their precondition, and
// one query for each of many bodies. Private.
//
//   RequireUpToDate(scene);
//   std::vector<BodyPair> found = FindEach<BodyPair>(
//       scene.pairs_of_bounds(), Execution(options),
//       [&](const BodyPair& p, const QueryOptions& alone) {
//         return AnyOverlap(scene.body(p.a), scene.body(p.b), alone)
//                    ? std::optional(p) : std::nullopt;
//       });
#ifndef ORBOX_BVH_SCENE_INTERNAL_SCENE_QUERY_H_
#define ORBOX_BVH_SCENE_INTERNAL_SCENE_QUERY_H_

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_options.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/task_runner.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Ends the program, with a message, if the scene has changed since its last
// Update.
ORBOX_EXPORT void RequireUpToDate(const Scene& scene);

// Returns a space that contains all bodies, for the order of batches. Requires
// that the scene is up to date.
TreeSpace SpaceOf(const Scene& scene);

// Calls work(begin, end, watch) for ranges of [0, count) (task_runner.h).
ORBOX_EXPORT void ForEachTask(size_t count, const Execution& run,
                              TaskRunner::Work work);

// Returns call(candidate, options) for each candidate, in order.
template <typename Result, typename Candidate, typename Call>
std::vector<Result> RunEach(std::span<const Candidate> candidates,
                            const Execution& run, Call call) {
  std::vector<Result> results(candidates.size());
  ForEachTask(candidates.size(), run,
              [&](size_t begin, size_t end, const Watch& watch) {
                const QueryOptions alone = watch.Alone();
                for (size_t i = begin; i < end; ++i) {
                  results[i] = call(candidates[i], alone);
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
