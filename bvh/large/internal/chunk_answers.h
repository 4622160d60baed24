// SPDX-License-Identifier: Apache-2.0

// Conversion of the answers of a batch to the results of a caller. Private.
//
//   return EachOf<uint8_t>(RunOnChunks(tree, traits, points, options),
//                          IsAnyOf<Answer>);
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_ANSWERS_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_ANSWERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/large/internal/chunk_loop.h"
#include "orbox/bvh/query/lists.h"

namespace orbox {

inline constexpr char kNoMemoryForAnswers[] =
    "for the answers; ask in smaller batches";

// The answers of a batch, or an error.
template <typename Answer>
using Answered = absl::StatusOr<ChunkAnswers<Answer>>;

// Returns of(answer) for each answer, in the order of the queries.
template <typename Result, typename Answer, typename Of>
absl::StatusOr<std::vector<Result>> EachOf(Answered<Answer> found, Of of) {
  if (!found.ok()) return found.status();
  return GuardMemory(kNoMemoryForAnswers,
                     [&]() -> absl::StatusOr<std::vector<Result>> {
                       std::vector<Result> results(found->answers.size());
                       for (size_t n = 0; n < results.size(); ++n) {
                         results[found->order[n]] = of(found->answers[n]);
                       }
                       return results;
                     });
}

// Returns of(answer) for the only answer.
template <typename Result, typename Answer, typename Of>
absl::StatusOr<Result> OneOf(Answered<Answer> found, Of of) {
  if (!found.ok()) return found.status();
  return Result(of(found->answers.front()));
}

// Returns the lists of(answer), in the order of the queries.
template <typename Value, typename Answer, typename Of>
absl::StatusOr<Lists<Value>> ListsOf(Answered<Answer> found, Of of) {
  if (!found.ok()) return found.status();
  return GuardMemory(
      kNoMemoryForAnswers, [&]() -> absl::StatusOr<Lists<Value>> {
        Lists<Value> lists;
        lists.offsets.assign(found->answers.size() + 1, 0);
        for (size_t n = 0; n < found->answers.size(); ++n) {
          lists.offsets[found->order[n] + 1] = of(found->answers[n]).size();
        }
        std::partial_sum(lists.offsets.begin(), lists.offsets.end(),
                         lists.offsets.begin());
        // In the order of the queries, so that values are written once.
        std::vector<uint32_t> place(found->order.size());
        for (size_t n = 0; n < place.size(); ++n) {
          place[found->order[n]] = static_cast<uint32_t>(n);
        }
        lists.values.reserve(lists.offsets.back());
        for (const uint32_t n : place) {
          const auto& list = of(found->answers[n]);
          lists.values.insert(lists.values.end(), list.begin(), list.end());
          // Freed at once, so that the values are in memory twice only briefly.
          found->answers[n] = {};
        }
        return lists;
      });
}

template <typename Answer>
uint64_t CountOf(const Answer& answer) {
  return answer.count;
}
template <typename Answer>
bool IsAnyOf(const Answer& answer) {
  return answer.count != 0;
}

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_ANSWERS_H_
