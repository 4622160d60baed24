// SPDX-License-Identifier: Apache-2.0

// A buffer of pairs, passed on to a sink (pair_search.h) in batches. Private.
//
//   FoundPairs<TrianglePair> found(sink);
//   if (found.Add(pair) == Step::kStop) ...
//   found.Flush();
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_FOUND_PAIRS_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_FOUND_PAIRS_H_

#include <array>
#include <cstddef>
#include <span>

#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/step.h"

namespace orbox {

template <typename Pair>
class FoundPairs {
 public:
  explicit FoundPairs(PairSink<Pair>& sink) : sink_(sink) {}

  Step Add(const Pair& pair) {
    pairs_[count_++] = pair;
    return count_ == pairs_.size() ? Flush() : Step::kContinue;
  }

  Step Flush() {
    if (count_ == 0) return Step::kContinue;
    const size_t count = count_;
    count_ = 0;
    return sink_.Add(std::span<const Pair>(pairs_.data(), count));
  }

 private:
  PairSink<Pair>& sink_;
  std::array<Pair, 64> pairs_;
  size_t count_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_FOUND_PAIRS_H_
