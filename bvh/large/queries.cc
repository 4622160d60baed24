// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/queries.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/internal/chunk_edges.h"
#include "orbox/bvh/large/internal/chunk_loop.h"
#include "orbox/bvh/large/internal/queries-inl.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/query_options.h"

namespace orbox {

absl::StatusOr<bool> IsClosed(const ChunkedTree& tree) {
  const absl::StatusOr<ChunkedTree::Faces> faces = FacesOf(tree, {});
  if (!faces.ok()) return faces.status();
  return *faces != ChunkedTree::Faces::kOpen;
}

absl::StatusOr<bool> DoFacesAgree(const ChunkedTree& tree) {
  const absl::StatusOr<ChunkedTree::Faces> faces = FacesOf(tree, {});
  if (!faces.ok()) return faces.status();
  return *faces == ChunkedTree::Faces::kAgree;
}

// Functions that queries-inl.h calls.

inline absl::StatusOr<bool> DoFacesAgreeIfNeeded(const ChunkedTree& tree,
                                                 bool is_needed,
                                                 const QueryOptions&) {
  if (!is_needed) return false;
  return DoFacesAgree(tree);
}

inline constexpr char kNoMemoryForAnswers[] =
    "for the answers; use smaller batches";

// Returns of(answer) for each answer, in the order of the queries.
template <typename Result, typename Traits, typename Queries, typename Of>
absl::StatusOr<std::vector<Result>> EachAnswer(
    const ChunkedTree& tree, const Traits& traits, const QueryName& /*name*/,
    const Queries& queries, const QueryOptions& options, Of of) {
  auto found = RunOnChunks(tree, traits, queries, options);
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

// Returns the lists of FoundOf(answer), in the order of the queries.
template <typename Value, typename Traits, typename Queries>
absl::StatusOr<Lists<Value>> AnswerLists(const ChunkedTree& tree,
                                         const Traits& traits,
                                         const QueryName& /*name*/,
                                         const Queries& queries,
                                         const QueryOptions& options) {
  auto found = RunOnChunks(tree, traits, queries, options);
  if (!found.ok()) return found.status();
  return GuardMemory(
      kNoMemoryForAnswers, [&]() -> absl::StatusOr<Lists<Value>> {
        Lists<Value> lists;
        if constexpr (requires { found->answers[0].ids.Take(); }) {
          // A long list is not in memory twice.
          if (found->answers.size() == 1) {
            lists.values = found->answers[0].ids.Take();
            lists.offsets.push_back(lists.values.size());
            return lists;
          }
        }
        lists.offsets.assign(found->answers.size() + 1, 0);
        for (size_t n = 0; n < found->answers.size(); ++n) {
          lists.offsets[found->order[n] + 1] =
              FoundOf(found->answers[n]).size();
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
          const auto list = FoundOf(found->answers[n]);
          lists.values.insert(lists.values.end(), list.begin(), list.end());
          // Freed at once, so that the values are in memory twice only briefly.
          found->answers[n] = {};
        }
        return lists;
      });
}

// Calls visitor(index, found) for what each query finds, chunk by chunk, until
// it returns kStop.
template <typename Traits, typename Queries, typename Visitor>
absl::Status VisitAnswers(const ChunkedTree& tree, const Traits& traits,
                          const QueryName& /*name*/, const Queries& queries,
                          const QueryOptions& options, Visitor visitor) {
  return VisitChunks(
      tree, traits, queries, options, [&](const Chunk& chunk, size_t i) {
        Visit next = Visit::kContinue;
        traits.VisitFound(
            chunk, queries[i],
            [&](const auto& found) { return next = visitor(i, found); },
            Execution(options));
        return next;
      });
}

ORBOX_INSTANTIATE_QUERIES(ChunkedTree)

}  // namespace orbox
