// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox_mpi/ranks_executor.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/mpi/distributed_hausdorff.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/distributed_winding_number.h"

namespace orbox::cli {
namespace {

template <typename Options>
DistributedOptions OptionsOf(const Options& options) {
  DistributedOptions own{.max_distance = options.max_distance,
                         .statistics = options.statistics,
                         .progress = options.progress,
                         .cancelled = options.cancelled};
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
absl::StatusOr<Lists<Value>> JoinedLists(Communicator& ranks,
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
absl::StatusOr<std::vector<std::optional<Value>>> JoinedOptionals(
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

// Runs `call` on the tree that the ranks share, and joins their results.
template <typename Call, typename Join>
auto RunOnRanks(Communicator& ranks, const ChunkedTree& tree, Call call,
                Join join)
    -> decltype(join(ranks, *call(std::declval<const DistributedTree&>()))) {
  const absl::StatusOr<DistributedTree> shared =
      DistributedTree::Replicate(ranks, tree);
  if (!shared.ok()) return shared.status();
  const auto own = call(*shared);
  if (!own.ok()) return own.status();
  return join(ranks, *own);
}

// Like the function above, for two trees at poses.
template <typename Call, typename Join>
auto RunOnRanks(Communicator& ranks, const PosedChunkedTree& a,
                const PosedChunkedTree& b, Call call, Join join) {
  return RunOnRanks(
      ranks, a.tree(),
      [&](const DistributedTree& shared_a) {
        using Answer = decltype(call(PosedDistributedTree(shared_a),
                                     PosedDistributedTree(shared_a)));
        const absl::StatusOr<DistributedTree> shared_b =
            DistributedTree::Replicate(ranks, b.tree());
        if (!shared_b.ok()) return Answer(shared_b.status());
        return call(PosedDistributedTree(shared_a, a.pose()),
                    PosedDistributedTree(*shared_b, b.pose()));
      },
      join);
}

// A field of the tree as the ranks share it.
template <typename Field, typename Make>
absl::StatusOr<Field> FieldOf(Communicator& ranks, const ChunkedTree& tree,
                              Make make) {
  const absl::StatusOr<DistributedTree> shared =
      DistributedTree::Replicate(ranks, tree);
  if (!shared.ok()) return shared.status();
  return make(*shared, DistributedOptions{});
}

// For Join.
constexpr auto kJoin = [](Communicator& ranks, const auto& own) {
  return Joined(ranks, own);
};
constexpr auto kJoinLists = [](Communicator& ranks, const auto& own) {
  return JoinedLists(ranks, own);
};
constexpr auto kJoinOptionals = [](Communicator& ranks, const auto& own) {
  return JoinedOptionals(ranks, own);
};
// Instead of a join, for results that all ranks have.
constexpr auto kSame = [](Communicator&, const auto& own) {
  return absl::StatusOr<std::decay_t<decltype(own)>>(own);
};

}  // namespace

RanksExecutor::ClosestPoints RanksExecutor::ClosestPoint(
    const ChunkedTree& tree, std::span<const Vec3> points,
    const QueryOptions& options) {
  return RunOnRanks(
      ranks_, tree,
      [&](const DistributedTree& shared) {
        return orbox::ClosestPoint(shared, OwnRun(ranks_, points),
                                   OptionsOf(options));
      },
      kJoinOptionals);
}

absl::StatusOr<RanksExecutor::SignedField> RanksExecutor::SignedFieldOf(
    const ChunkedTree& tree) {
  const absl::StatusOr<DistributedSignedDistanceField> field =
      FieldOf<DistributedSignedDistanceField>(
          ranks_, tree, DistributedSignedDistanceField::Create);
  if (!field.ok()) return field.status();
  return [this, field = *field](std::span<const Vec3> points,
                                const QueryOptions& options) -> ClosestPoints {
    const auto own =
        field.ClosestPoint(OwnRun(ranks_, points), OptionsOf(options));
    if (!own.ok()) return own.status();
    return JoinedOptionals(ranks_, *own);
  };
}

absl::StatusOr<RanksExecutor::WindingField> RanksExecutor::WindingFieldOf(
    const ChunkedTree& tree) {
  const absl::StatusOr<DistributedWindingNumberField> field =
      FieldOf<DistributedWindingNumberField>(ranks_, tree,
                                             DistributedWindingNumberField::Of);
  if (!field.ok()) return field.status();
  return [this, field = *field](std::span<const Vec3> points,
                                const WindingOptions& options)
             -> absl::StatusOr<std::vector<double>> {
    const auto own =
        field.At(OwnRun(ranks_, points), options.max_error, OptionsOf(options));
    if (!own.ok()) return own.status();
    return Joined(ranks_, *own);
  };
}

absl::StatusOr<Lists<GlobalSurfacePoint>> RanksExecutor::KNearest(
    const ChunkedTree& tree, std::span<const Vec3> points, size_t k,
    const QueryOptions& options) {
  return RunOnRanks(
      ranks_, tree,
      [&](const DistributedTree& shared) {
        return orbox::KNearest(shared, OwnRun(ranks_, points), k,
                               OptionsOf(options));
      },
      kJoinLists);
}

absl::StatusOr<Lists<uint64_t>> RanksExecutor::AllOverlaps(
    const ChunkedTree& tree, const Regions& regions,
    const QueryOptions& options) {
  std::vector<Region> own;
  const absl::Status status = Together(ranks_, [&] {
    const auto [begin, end] =
        OwnedChunks(regions.size(), ranks_.size(), ranks_.rank());
    for (size_t i = begin; i < end; ++i) own.push_back(regions[i]);
  });
  if (!status.ok()) return status;
  return RunOnRanks(
      ranks_, tree,
      [&](const DistributedTree& shared) {
        return orbox::AllOverlaps(shared, own, OptionsOf(options));
      },
      kJoinLists);
}

absl::StatusOr<std::vector<std::optional<GlobalRayHit>>>
RanksExecutor::ClosestHit(const ChunkedTree& tree, std::span<const Ray> rays,
                          const QueryOptions& options) {
  return RunOnRanks(
      ranks_, tree,
      [&](const DistributedTree& shared) {
        return orbox::ClosestHit(shared, OwnRun(ranks_, rays),
                                 OptionsOf(options));
      },
      kJoinOptionals);
}

absl::StatusOr<Lists<GlobalRayHit>> RanksExecutor::AllHits(
    const ChunkedTree& tree, std::span<const Ray> rays,
    const QueryOptions& options) {
  return RunOnRanks(
      ranks_, tree,
      [&](const DistributedTree& shared) {
        return orbox::AllHits(shared, OwnRun(ranks_, rays), OptionsOf(options));
      },
      kJoinLists);
}

absl::StatusOr<std::vector<uint8_t>> RanksExecutor::AnyHit(
    const ChunkedTree& tree, std::span<const Ray> rays,
    const QueryOptions& options) {
  return RunOnRanks(
      ranks_, tree,
      [&](const DistributedTree& shared) {
        return orbox::AnyHit(shared, OwnRun(ranks_, rays), OptionsOf(options));
      },
      kJoin);
}

absl::StatusOr<std::vector<GlobalPair>> RanksExecutor::AllOverlaps(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const QueryOptions& options) {
  return RunOnRanks(
      ranks_, a, b,
      [&](const PosedDistributedTree& x, const PosedDistributedTree& y) {
        return orbox::AllOverlaps(x, y, OptionsOf(options));
      },
      kJoin);
}

absl::StatusOr<uint64_t> RanksExecutor::CountWithin(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    const QueryOptions& options) {
  return RunOnRanks(
      ranks_, a, b,
      [&](const PosedDistributedTree& x, const PosedDistributedTree& y) {
        return orbox::CountWithin(x, y, distance, OptionsOf(options));
      },
      kSame);
}

absl::StatusOr<std::vector<GlobalWitness>> RanksExecutor::AllWitnessesWithin(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    const QueryOptions& options) {
  return RunOnRanks(
      ranks_, a, b,
      [&](const PosedDistributedTree& x, const PosedDistributedTree& y) {
        return orbox::AllWitnessesWithin(x, y, distance, OptionsOf(options));
      },
      kJoin);
}

absl::StatusOr<std::optional<GlobalWitness>> RanksExecutor::ClosestPair(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const QueryOptions& options) {
  return RunOnRanks(
      ranks_, a, b,
      [&](const PosedDistributedTree& x, const PosedDistributedTree& y) {
        return orbox::ClosestPair(x, y, OptionsOf(options));
      },
      kSame);
}

absl::StatusOr<GlobalSymmetricHausdorffResult>
RanksExecutor::SymmetricHausdorffDistance(const PosedChunkedTree& a,
                                          const PosedChunkedTree& b,
                                          const HausdorffOptions& options) {
  return RunOnRanks(
      ranks_, a, b,
      [&](const PosedDistributedTree& x, const PosedDistributedTree& y) {
        return orbox::SymmetricHausdorffDistance(x, y, options,
                                                 OptionsOf(options));
      },
      kSame);
}

absl::StatusOr<std::vector<TriangleDeviation>> RanksExecutor::DeviationField(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffOptions& options) {
  const absl::StatusOr<std::vector<GlobalDeviation>> all = RunOnRanks(
      ranks_, a, b,
      [&](const PosedDistributedTree& x, const PosedDistributedTree& y) {
        return orbox::DeviationField(x, y, options, OptionsOf(options));
      },
      kJoin);
  if (!all.ok()) return all.status();
  std::vector<TriangleDeviation> field;
  const absl::Status status = Together(ranks_, [&] {
    field.reserve(all->size());
    for (const GlobalDeviation& d : *all) {
      field.push_back({d.nearest, d.farthest_lower, d.farthest_upper});
    }
  });
  if (!status.ok()) return status;
  return field;
}

absl::StatusOr<std::vector<GlobalPair>> RanksExecutor::AllSelfOverlaps(
    const ChunkedTree& tree, const QueryOptions& options) {
  return RunOnRanks(
      ranks_, tree,
      [&](const DistributedTree& shared) {
        return orbox::AllSelfOverlaps(shared, OptionsOf(options));
      },
      kJoin);
}

absl::StatusOr<std::vector<GlobalWitness>>
RanksExecutor::AllSelfWitnessesWithin(const ChunkedTree& tree, double distance,
                                      const QueryOptions& options) {
  return RunOnRanks(
      ranks_, tree,
      [&](const DistributedTree& shared) {
        return orbox::AllSelfWitnessesWithin(shared, distance,
                                             OptionsOf(options));
      },
      kJoin);
}

}  // namespace orbox::cli
