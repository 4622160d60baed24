// SPDX-License-Identifier: Apache-2.0

// The queries of large/queries.h, for trees that ranks share.
#include "orbox/bvh/large/queries.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/internal/queries-inl.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/edge_exchange.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/owner_loop.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/query/lists.h"

namespace orbox {

// Functions that queries-inl.h calls.

// Ranks compute it together if a rank needs it.
inline absl::StatusOr<bool> DoFacesAgreeIfNeeded(
    const DistributedTree& tree, bool is_needed,
    const DistributedOptions& options) {
  uint64_t needed[] = {is_needed ? uint64_t{1} : uint64_t{0}};
  absl::Status status = tree.ranks().Max(needed);
  if (!status.ok()) return status;
  if (needed[0] == 0) return false;
  const absl::StatusOr<ChunkedTree::Faces> faces = FacesOf(tree, options);
  if (!faces.ok()) return faces.status();
  return *faces == ChunkedTree::Faces::kAgree;
}

inline Fingerprint FingerprintOf(const QueryName& name) {
  return Fingerprint(name.name).Add(name.number);
}

// Returns the answers to `traits`, collected into one result in the last
// phase. `convert(answer, &out)` adds an answer to the result.
template <typename Result, typename Traits, typename Queries, typename Convert>
absl::StatusOr<Result> AnswersOfRanks(const DistributedTree& tree,
                                      const Traits& traits,
                                      const QueryName& name,
                                      const Queries& queries,
                                      const DistributedOptions& options,
                                      Convert convert) {
  std::vector<typename Traits::Answer> answers;
  absl::Status status = RunOnOwners(tree, traits, FingerprintOf(name), queries,
                                    options, &answers);
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

// Returns of(answer) for each answer.
template <typename Result, typename Traits, typename Queries, typename Of>
absl::StatusOr<std::vector<Result>> EachAnswer(
    const DistributedTree& tree, const Traits& traits, const QueryName& name,
    const Queries& queries, const DistributedOptions& options, Of of) {
  using Results = std::vector<Result>;
  return AnswersOfRanks<Results>(
      tree, traits, name, queries, options,
      [&of](const typename Traits::Answer& answer, Results* results) {
        results->push_back(of(answer));
      });
}

// Returns the lists of FoundOf(answer).
template <typename Value, typename Traits, typename Queries>
absl::StatusOr<Lists<Value>> AnswerLists(const DistributedTree& tree,
                                         const Traits& traits,
                                         const QueryName& name,
                                         const Queries& queries,
                                         const DistributedOptions& options) {
  return AnswersOfRanks<Lists<Value>>(
      tree, traits, name, queries, options,
      [](const typename Traits::Answer& answer, Lists<Value>* lists) {
        const auto list = FoundOf(answer);
        lists->values.insert(lists->values.end(), list.begin(), list.end());
        lists->offsets.push_back(lists->values.size());
      });
}

// Calls visitor(rank, index, found) on the ranks that find the answers.
template <typename Traits, typename Queries, typename Visitor>
absl::Status VisitAnswers(const DistributedTree& tree, const Traits& traits,
                          const QueryName& name, const Queries& queries,
                          const DistributedOptions& options, Visitor visitor) {
  using Answer = typename Traits::Answer;
  const auto visit = [&](int rank, uint64_t query, const Answer& answer) {
    for (const auto& found : FoundOf(answer)) visitor(rank, query, found);
  };
  std::vector<Answer> none;
  absl::FunctionRef<void(int, uint64_t, const Answer&)> each(visit);
  return RunOnOwners(tree, traits, FingerprintOf(name), queries, options, &none,
                     &each);
}

ORBOX_INSTANTIATE_QUERIES(DistributedTree)

}  // namespace orbox
