// SPDX-License-Identifier: Apache-2.0

// Conversion of the answers of ranks to the results of a caller. Private.
//
//   return AnswersOfRanks<std::vector<uint8_t>>(
//       tree, traits, Fingerprint("IsInside"), own_points, options,
//       [](const Answer& answer, std::vector<uint8_t>* result) { ... });
#ifndef ORBOX_BVH_MPI_INTERNAL_RANK_ANSWERS_H_
#define ORBOX_BVH_MPI_INTERNAL_RANK_ANSWERS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/owner_loop.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/query/lists.h"

namespace orbox {

// Returns the answers to `traits`, collected into one result in the last
// phase. `convert(answer, &out)` adds an answer to the result.
template <typename Result, typename Traits, typename Queries, typename Convert>
absl::StatusOr<Result> AnswersOfRanks(const DistributedTree& tree,
                                      const Traits& traits,
                                      const Fingerprint& fingerprint,
                                      const Queries& queries,
                                      const DistributedOptions& options,
                                      Convert convert) {
  std::vector<typename Traits::Answer> answers;
  absl::Status status =
      RunOnOwners(tree, traits, fingerprint, queries, options, &answers);
  if (!status.ok()) return status;
  // Optional, because even an empty list takes memory.
  std::optional<Result> result;
  status = RunPhase(tree.ranks(), "for the results", [&] {
    result.emplace();
    if constexpr (requires { result->reserve(answers.size()); }) {
      result->reserve(answers.size());
    } else {
      result->offsets.reserve(answers.size() + 1);
    }
    for (typename Traits::Answer& answer : answers) {
      convert(std::move(answer), &*result);
      answer = {};
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return *std::move(result);
}

// Calls visit(rank, query, answer) on the ranks that find the answers.
template <typename Traits, typename Queries, typename Visit>
absl::Status VisitAnswersOfRanks(const DistributedTree& tree,
                                 const Traits& traits,
                                 const Fingerprint& fingerprint,
                                 const Queries& queries,
                                 const DistributedOptions& options,
                                 const Visit& visit) {
  using Answer = typename Traits::Answer;
  std::vector<Answer> none;
  absl::FunctionRef<void(int, uint64_t, const Answer&)> visitor(visit);
  return RunOnOwners(tree, traits, fingerprint, queries, options, &none,
                     &visitor);
}

template <typename Value>
void AppendList(std::span<const Value> list, Lists<Value>* lists) {
  lists->values.insert(lists->values.end(), list.begin(), list.end());
  lists->offsets.push_back(lists->values.size());
}

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_RANK_ANSWERS_H_
