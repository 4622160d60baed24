// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox_mpi/ranks_executor.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/mpi/distributed_hausdorff.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::cli {
namespace {

// The options of a rank.
template <typename Options>
DistributedOptions OwnOptions(const Options& options) {
  DistributedOptions own{.statistics = options.statistics,
                         .progress = options.progress,
                         .cancelled = options.cancelled};
  if constexpr (requires { options.max_distance; }) {
    own.max_distance = options.max_distance;
  }
  if constexpr (requires { options.inside; }) own.inside = options.inside;
  return own;
}

// This rank's run of the queries.
template <typename Query>
std::span<const Query> OwnRun(const Communicator& ranks,
                              std::span<const Query> all) {
  const auto [begin, end] = OwnedChunks(all.size(), ranks.size(), ranks.rank());
  return all.subspan(begin, end - begin);
}

// Calls `work`, which may run out of memory; then agrees on how it went.
template <typename Work>
absl::Status Together(Communicator& ranks, Work work) {
  absl::Status own;
  try {
    work();
  } catch (const std::bad_alloc&) {
    own = absl::ResourceExhaustedError("not enough memory for all answers");
  }
  return ranks.Agree(own);
}

// Results that all ranks have.
template <typename Value>
absl::StatusOr<Value> Joined(Communicator&, const Value& own) {
  return own;
}

// Gathers the values of all ranks, in their order, on each rank.
template <typename Value>
absl::StatusOr<std::vector<Value>> Joined(Communicator& ranks,
                                          const std::vector<Value>& own) {
  const auto size = static_cast<size_t>(ranks.size());
  std::vector<uint64_t> counts;
  std::vector<uint64_t> received;
  absl::Status status = Together(ranks, [&] {
    counts.assign(size, own.size());
    received.resize(size);
  });
  if (status.ok()) status = ranks.ExchangeCounts(counts, received);
  if (!status.ok()) return status;
  std::vector<Value> all;
  std::vector<std::span<const std::byte>> sent;
  std::vector<std::span<std::byte>> into;
  status = Together(ranks, [&] {
    all.resize(std::accumulate(received.begin(), received.end(), uint64_t{0}));
    sent.assign(size, std::as_bytes(std::span<const Value>(own)));
    std::span<Value> rest(all);
    for (const uint64_t count : received) {
      into.push_back(std::as_writable_bytes(rest.first(count)));
      rest = rest.subspan(count);
    }
  });
  if (status.ok()) status = ranks.Exchange(sent, into);
  if (!status.ok()) return status;
  return all;
}

template <typename Value>
absl::StatusOr<Lists<Value>> Joined(Communicator& ranks,
                                    const Lists<Value>& own) {
  std::vector<size_t> lengths;
  absl::Status status = Together(ranks, [&] {
    for (size_t i = 0; i < own.size(); ++i) lengths.push_back(own[i].size());
  });
  if (!status.ok()) return status;
  const absl::StatusOr<std::vector<size_t>> all_lengths =
      Joined(ranks, lengths);
  if (!all_lengths.ok()) return all_lengths.status();
  absl::StatusOr<std::vector<Value>> values = Joined(ranks, own.values);
  if (!values.ok()) return values.status();
  std::optional<Lists<Value>> all;
  status = Together(ranks, [&] {
    all.emplace();
    all->values = *std::move(values);
    for (const size_t length : *all_lengths) {
      all->offsets.push_back(all->offsets.back() + length);
    }
  });
  if (!status.ok()) return status;
  return *std::move(all);
}

// An optional result in the form in which it is sent.
template <typename Value>
struct Perhaps {
  Value value;
  uint64_t is_there = 0;
};

template <typename Value>
absl::StatusOr<std::vector<std::optional<Value>>> Joined(
    Communicator& ranks, const std::vector<std::optional<Value>>& own) {
  std::vector<Perhaps<Value>> plain;
  absl::Status status = Together(ranks, [&] {
    for (const std::optional<Value>& one : own) {
      plain.push_back({one.value_or(Value{}), one.has_value() ? 1u : 0u});
    }
  });
  if (!status.ok()) return status;
  const absl::StatusOr<std::vector<Perhaps<Value>>> all = Joined(ranks, plain);
  if (!all.ok()) return all.status();
  std::vector<std::optional<Value>> answers;
  status = Together(ranks, [&] {
    for (const Perhaps<Value>& one : *all) {
      answers.emplace_back();
      if (one.is_there != 0) answers.back() = one.value;
    }
  });
  if (!status.ok()) return status;
  return answers;
}

// A function of all points that the ranks run together; defined below.
template <typename Result, typename Options>
using PointFunctionOf =
    std::function<Result(std::span<const Vec3>, const Options&)>;
template <typename Result>
absl::StatusOr<PointFunctionOf<Result, QueryOptions>> Joined(
    Communicator& ranks,
    const PointFunctionOf<Result, DistributedOptions>& own);

// Deviations in the order of their triangles, like those of one process.
absl::StatusOr<std::vector<TriangleDeviation>> Joined(
    Communicator& ranks, const std::vector<GlobalDeviation>& own) {
  const auto all = Joined<GlobalDeviation>(ranks, own);
  if (!all.ok()) return all.status();
  std::vector<TriangleDeviation> field;
  const absl::Status status =
      Together(ranks, [&] { field.assign(all->begin(), all->end()); });
  if (!status.ok()) return status;
  return field;
}

// Calls `next` with an argument as this rank passes it: a tree that the ranks
// share, its run of the queries, its options.
template <typename Next>
auto Pass(Communicator& ranks, const ChunkedTree& tree, const Next& next)
    -> decltype(next(std::declval<const DistributedTree&>())) {
  const absl::StatusOr<DistributedTree> shared =
      DistributedTree::Replicate(ranks, tree);
  if (!shared.ok()) return shared.status();
  return next(*shared);
}
template <typename Next>
auto Pass(Communicator& ranks, const PosedChunkedTree& tree, const Next& next) {
  return Pass(ranks, tree.tree(), [&](const DistributedTree& shared) {
    return next(PosedDistributedTree(shared, tree.pose()));
  });
}
template <typename Query, typename Next>
auto Pass(Communicator& ranks, std::span<const Query> all, const Next& next) {
  return next(OwnRun(ranks, all));
}
template <typename Next>
auto Pass(Communicator& ranks, const Regions& all, const Next& next)
    -> decltype(next(all)) {
  std::vector<Region> own;
  const absl::Status status = Together(ranks, [&] {
    const auto [begin, end] =
        OwnedChunks(all.size(), ranks.size(), ranks.rank());
    for (size_t i = begin; i < end; ++i) own.push_back(all[i]);
  });
  if (!status.ok()) return status;
  return next(Regions(own));
}
template <typename Next>
auto Pass(Communicator&, const QueryOptions& options, const Next& next) {
  return next(OwnOptions(options));
}
template <typename Next>
auto Pass(Communicator&, const RunOptions& options, const Next& next) {
  return next(OwnOptions(options));
}
template <typename Next>
auto Pass(Communicator&, const HausdorffLimits& limits, const Next& next) {
  return next(limits);
}
template <typename Number, typename Next>
requires std::is_arithmetic_v<Number>
auto Pass(Communicator&, Number number, const Next& next) {
  return next(number);
}

// Calls `function` with all arguments as this rank passes them.
template <typename Function>
auto CallOwn(Communicator&, const Function& function) {
  return function();
}
template <typename Function, typename First, typename... Rest>
auto CallOwn(Communicator& ranks, const Function& function, const First& first,
             const Rest&... rest) {
  return Pass(ranks, first, [&](const auto&... own) {
    return CallOwn(
        ranks, [&](const auto&... more) { return function(own..., more...); },
        rest...);
  });
}

// Runs a function of bvh/large on all ranks, and joins their results.
struct RunOnRanks {
  template <typename Function, typename... Arguments>
  auto operator()(const Function& function,
                  const Arguments&... arguments) const {
    const auto own = CallOwn(ranks, function, arguments...);
    using Result = decltype(Joined(ranks, *own));
    return own.ok() ? Joined(ranks, *own) : Result(own.status());
  }

  Communicator& ranks;
};

template <typename Result>
absl::StatusOr<PointFunctionOf<Result, QueryOptions>> Joined(
    Communicator& ranks,
    const PointFunctionOf<Result, DistributedOptions>& own) {
  return [run = RunOnRanks{ranks}, own](std::span<const Vec3> points,
                                        const QueryOptions& options) {
    return run(own, points, options);
  };
}

}  // namespace

RanksExecutor::RanksExecutor(Communicator& ranks)
    : ChunkExecutor(ChunkQueries(RunOnRanks{ranks})), ranks_(ranks) {}

}  // namespace orbox::cli
