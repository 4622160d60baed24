// SPDX-License-Identifier: Apache-2.0

// Sinks of the pairs that a search finds (pair_search.h): collecting, visiting
// and counting. Private.
#ifndef ORBOX_BVH_QUERY_PAIRS_INTERNAL_PAIR_SINKS_H_
#define ORBOX_BVH_QUERY_PAIRS_INTERNAL_PAIR_SINKS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/step.h"

namespace orbox {

template <typename Pair>
class CollectingPairs final : public PairSink<Pair> {
 public:
  explicit CollectingPairs(std::vector<Pair>* pairs) : pairs_(*pairs) {}

  Step Add(std::span<const Pair> pairs) override {
    pairs_.insert(pairs_.end(), pairs.begin(), pairs.end());
    return Step::kContinue;
  }

 private:
  std::vector<Pair>& pairs_;
};

template <typename Pair>
class VisitingPairs final : public PairSink<Pair> {
 public:
  using Visitor = absl::FunctionRef<Visit(const Pair& pair)>;

  explicit VisitingPairs(Visitor visitor) : visitor_(visitor) {}

  Step Add(std::span<const Pair> pairs) override {
    is_any_ = true;
    for (const Pair& pair : pairs) {
      if (visitor_(pair) == Visit::kStop) return Step::kStop;
    }
    return Step::kContinue;
  }
  bool is_any() const { return is_any_; }

 private:
  Visitor visitor_;
  bool is_any_ = false;
};

template <typename Pair>
class CountingPairs final : public PairSink<Pair> {
 public:
  Step Add(std::span<const Pair> pairs) override {
    count_ += pairs.size();
    return Step::kContinue;
  }
  size_t count() const { return count_; }

 private:
  size_t count_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_INTERNAL_PAIR_SINKS_H_
