// SPDX-License-Identifier: Apache-2.0

// A traversal of two trees, or of one against itself, divided into tasks for
// many threads. Private.
//
//   PairParts parts({a, b}, limit, statistics);
//   for (size_t i = 0; i < parts.size(); ++i) ...       // parts[i], anywhere
//   parts.Finish(outcomes);       // which of them had results, for statistics
//
// The volumes above the tasks are tested here, once, so the sum of the
// statistics is that of the whole traversal. The tasks depend only on the
// trees.
#ifndef ORBOX_BVH_QUERY_INTERNAL_PAIR_PARTS_H_
#define ORBOX_BVH_QUERY_INTERNAL_PAIR_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Outcome of a part, for statistics.
enum class PartOutcome : uint8_t { kNotEntered, kBarren, kFruitful };

class PairParts {
 public:
  // Divides the search for pairs within `limit`.
  PairParts(const PairScope& whole, double limit,
            TraversalStatistics* statistics);

  size_t size() const { return parts_.size(); }
  // For two trees, only `below` is used.
  const SelfPart& operator[](size_t i) const { return parts_[i].part; }

  void Finish(std::span<const PartOutcome> outcomes);

 private:
  Counters* counters() { return counters_ ? &*counters_ : nullptr; }

  std::optional<Counters> counters_;  // absent without statistics
  std::vector<PairPart> parts_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_PAIR_PARTS_H_
