#include "orbox/bvh/query/parallel_pairs.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/internal/pair_parts.h"
#include "orbox/bvh/query/internal/pairs_below.h"

namespace orbox {
namespace {

// Sorts runs of equal length, several at a time, and merges them.
template <typename Value>
void Sort(std::span<Value> values, int halvings, const Workers& workers) {
  // Shorter runs are not worth a thread.
  constexpr size_t kShort = 4096;
  if (halvings == 0 || values.size() <= kShort) {
    std::sort(values.begin(), values.end());
    return;
  }
  const size_t middle = values.size() / 2;
  workers.Invoke([&] { Sort(values.first(middle), halvings - 1, workers); },
                 [&] { Sort(values.subspan(middle), halvings - 1, workers); });
  std::inplace_merge(values.begin(),
                     values.begin() + static_cast<ptrdiff_t>(middle),
                     values.end());
}

// Whether there is nothing to cut the work up for.
bool IsPlain(const BatchOptions& options) {
  return options.threads == 1 && !options.progress &&
         options.cancelled == nullptr;
}

// The pairs of all parts.
template <typename Value>
class PairCollector {
 public:
  // Appends a part's pairs.
  using Collect =
      absl::FunctionRef<void(const SelfPart& part, std::vector<Value>* pairs,
                             TraversalStatistics* statistics)>;

  PairCollector(const BatchOptions& options, TraversalStatistics* statistics)
      : options_(options),
        statistics_(statistics),
        workers_(std::max(options.threads, 0)) {}

  // `make_parts` returns the PairParts.
  template <typename MakeParts>
  absl::StatusOr<std::vector<Value>> Run(MakeParts make_parts,
                                         Collect collect) {
    if (options_.threads < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("BatchOptions::threads is ", options_.threads,
                       "; give 0 for all cores, or a number of threads"));
    }
    PairParts parts = make_parts();
    found_.resize(parts.size());
    workers_.For(parts.size(), 1, [&](size_t i, size_t) {
      if (!IsCancelled()) CollectPart(parts, i, collect);
    });
    if (IsCancelled()) {
      return absl::CancelledError(
          "the search for pairs was cancelled by its caller");
    }
    std::vector<uint8_t> fruitful;
    for (const auto& pairs : found_) fruitful.push_back(!pairs.empty());
    parts.Finish(fruitful);
    return Joined();
  }

 private:
  bool IsCancelled() const {
    return options_.cancelled != nullptr &&
           options_.cancelled->load(std::memory_order_relaxed);
  }

  void CollectPart(const PairParts& parts, size_t i, Collect collect) {
    std::optional<TraversalStatistics> own;
    if (statistics_ != nullptr) own.emplace();
    collect(parts[i], &found_[i], own ? &*own : nullptr);
    if (!own && !options_.progress) return;
    const std::lock_guard lock(mutex_);
    if (own) *statistics_ += *own;
    ++done_;
    if (options_.progress) {
      options_.progress(static_cast<double>(done_) /
                        static_cast<double>(parts.size()));
    }
  }

  std::vector<Value> Joined() {
    size_t count = 0;
    for (const auto& pairs : found_) count += pairs.size();
    std::vector<Value> all;
    all.reserve(count);
    for (auto& pairs : found_) {
      all.insert(all.end(), pairs.begin(), pairs.end());
      std::vector<Value>().swap(pairs);
    }
    constexpr int kHalvings = 5;
    Sort(std::span<Value>(all), kHalvings, workers_);
    return all;
  }

  const BatchOptions& options_;
  TraversalStatistics* const statistics_;
  const Workers workers_;
  std::vector<std::vector<Value>> found_;  // of each part

  std::mutex mutex_;  // of what follows, and of *statistics_
  size_t done_ = 0;
};

constexpr char kWhat[] =
    "for all pairs; have them visited one by one, or ask for fewer";

}  // namespace

absl::StatusOr<std::vector<TrianglePair>> ParallelOverlappingPairs(
    const PosedTree& a, const PosedTree& b, const BatchOptions& options,
    TraversalStatistics* statistics) {
  using Result = absl::StatusOr<std::vector<TrianglePair>>;
  return GuardMemory(kWhat, [&]() -> Result {
    if (IsPlain(options)) return OverlappingPairs(a, b, statistics);
    return PairCollector<TrianglePair>(options, statistics)
        .Run([&] { return PairParts(a, b, 0, statistics); },
             [&](const SelfPart& part, std::vector<TrianglePair>* pairs,
                 TraversalStatistics* s) {
               OverlappingPairsBelow(a, b, part.below, pairs, s);
             });
  });
}

absl::StatusOr<std::vector<PairDistance>> ParallelPairsWithin(
    const PosedTree& a, const PosedTree& b, double distance,
    const BatchOptions& options, TraversalStatistics* statistics) {
  // No pair is within a distance that is negative or NaN.
  if (!(distance >= 0)) return std::vector<PairDistance>();
  using Result = absl::StatusOr<std::vector<PairDistance>>;
  return GuardMemory(kWhat, [&]() -> Result {
    if (IsPlain(options)) return PairsWithin(a, b, distance, statistics);
    return PairCollector<PairDistance>(options, statistics)
        .Run([&] { return PairParts(a, b, distance, statistics); },
             [&](const SelfPart& part, std::vector<PairDistance>* pairs,
                 TraversalStatistics* s) {
               PairsWithinBelow(a, b, distance, part.below, pairs, s);
             });
  });
}

absl::StatusOr<std::vector<TrianglePair>> ParallelSelfIntersections(
    const Tree& tree, SharedCorners shared, const BatchOptions& options,
    TraversalStatistics* statistics) {
  using Result = absl::StatusOr<std::vector<TrianglePair>>;
  return GuardMemory(kWhat, [&]() -> Result {
    if (IsPlain(options)) return SelfIntersections(tree, shared, statistics);
    return PairCollector<TrianglePair>(options, statistics)
        .Run([&] { return PairParts(tree, 0, statistics); },
             [&](const SelfPart& part, std::vector<TrianglePair>* pairs,
                 TraversalStatistics* s) {
               SelfIntersectionsOf(tree, shared, part, pairs, s);
             });
  });
}

absl::StatusOr<std::vector<PairDistance>> ParallelSelfPairsWithin(
    const Tree& tree, double distance, SharedCorners shared,
    const BatchOptions& options, TraversalStatistics* statistics) {
  if (!(distance >= 0)) return std::vector<PairDistance>();
  using Result = absl::StatusOr<std::vector<PairDistance>>;
  return GuardMemory(kWhat, [&]() -> Result {
    if (IsPlain(options)) {
      return SelfPairsWithin(tree, distance, shared, statistics);
    }
    return PairCollector<PairDistance>(options, statistics)
        .Run([&] { return PairParts(tree, distance, statistics); },
             [&](const SelfPart& part, std::vector<PairDistance>* pairs,
                 TraversalStatistics* s) {
               SelfPairsWithinOf(tree, distance, shared, part, pairs, s);
             });
  });
}

}  // namespace orbox
