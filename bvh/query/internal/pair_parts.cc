// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/pair_parts.h"

#include <algorithm>

namespace orbox {
namespace {

// Enough for many threads, even if some tasks take much longer than others; few
// enough that starting them takes no time.
constexpr size_t kEnoughParts = 512;

// Returns the nodes at the top, ascending: those whose pairs of children may
// take long.
std::vector<uint32_t> TopOf(const Tree& tree) {
  constexpr size_t kEnough = 64;
  std::vector<uint32_t> top = {Tree::kRoot};
  for (size_t i = 0; i < top.size() && top.size() < kEnough; ++i) {
    const Node node = tree.node(top[i]);
    for (uint32_t k = 0; k < node.inner_count; ++k) {
      const uint32_t child = node.first_node + k;
      // Detail trees are not divided.
      if (tree.parts() == nullptr || tree.parts()->At(child) == nullptr) {
        top.push_back(child);
      }
    }
  }
  std::sort(top.begin(), top.end());
  return top;
}

}  // namespace

PairParts::PairParts(const PairScope& whole, double limit,
                     TraversalStatistics* statistics) {
  if (statistics != nullptr) counters_.emplace(statistics);
  if (whole.self == nullptr) {
    SplitPairs(whole, limit, {}, kEnoughParts, counters(), &parts_);
    return;
  }
  const Tree& tree = whole.a.tree();
  std::vector<uint32_t> top = TopOf(tree);
  SplitPairs(whole, limit, top, kEnoughParts, counters(), &parts_);
  // The nodes between them, some per part.
  constexpr uint32_t kRun = 32;
  top.push_back(static_cast<uint32_t>(tree.node_count()));
  for (size_t i = 1; i < top.size(); ++i) {
    for (uint32_t begin = top[i - 1] + 1; begin < top[i]; begin += kRun) {
      parts_.push_back({{begin, std::min(begin + kRun, top[i]), {}}, {}});
    }
  }
}

void PairParts::Finish(std::span<const PartOutcome> outcomes) {
  if (!counters_) return;
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (outcomes[i] == PartOutcome::kNotEntered) continue;
    counters_->Enter(parts_[i].ticket);
    if (outcomes[i] == PartOutcome::kFruitful) counters_->Contribute();
  }
  counters_->Finish();
}

}  // namespace orbox
