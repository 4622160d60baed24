// SPDX-License-Identifier: Apache-2.0

// Pairs that the loop over two trees (two_trees-inl.h) does not traverse
// itself: those of detail trees, and those of the tasks of a search. Private;
// compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_DETAIL_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_DETAIL_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_DETAIL_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_DETAIL_INL_H_
#endif

#include <cstddef>
#include <vector>

#include "hwy/highway.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"
#include "orbox/bvh/tree/node.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Query, typename Counters>
Step TwoTrees<Query, Counters>::TraverseOwnDeferred() {
  if constexpr (kIsBestFirst) {
    // The pairs that were deferred first are the nearest. The list grows during
    // the loop.
    for (size_t i = 0; i < own_deferred_.size(); ++i) {
      const DetailPair pair = own_deferred_[i];
      counters_.Restart();
      if (TraverseDetail(pair) == Step::kStop) return Step::kStop;
    }
    own_deferred_.clear();
    limits_.Set(query_.bound());
  }
  return Step::kContinue;
}

template <typename Query, typename Counters>
auto TwoTrees<Query, Counters>::DetailsOf(const Entry& entry) const
    -> DetailsBelow {
  const bool both = AreSimilar(entry);
  DetailsBelow details{nullptr, nullptr};
  if (entry.a_size >= 0 && (both || entry.a_size >= entry.b_size)) {
    details.a = a_.memory.DetailAt(a_.NodeBelow(entry.a));
  }
  if (entry.b_size >= 0 && (both || entry.a_size < entry.b_size)) {
    details.b = b_.memory.DetailAt(b_.NodeBelow(entry.b));
  }
  return details;
}

template <typename Query, typename Counters>
HWY_NOINLINE bool TwoTrees<Query, Counters>::DeferDetailPair(
    const Entry& entry) {
  const DetailsBelow details = DetailsOf(entry);
  if (!details.any()) return false;
  const PosedTree a =
      details.a != nullptr ? roles_.a.OfDetail(*details.a) : roles_.a;
  const PosedTree b =
      details.b != nullptr ? roles_.b.OfDetail(*details.b) : roles_.b;
  // Sizes must be converted to units of the new b.
  const auto unit = static_cast<float>(WorldUnit(roles_.b) / WorldUnit(b));
  const auto size = [&](float old_size) {
    return old_size < 0 ? kLeafSize : old_size * unit;
  };
  const SubtreePair below{details.a != nullptr ? Slot::Of(0, 0) : entry.a,
                          details.b != nullptr ? Slot::Of(0, 0) : entry.b,
                          size(entry.a_size), size(entry.b_size)};
  deferred_->push_back(swapped_ ? DetailPair{b, a, below}
                                : DetailPair{a, b, below});
  return true;
}

template <typename Query, typename Counters>
auto TwoTrees<Query, Counters>::Split(const std::vector<Task>& whole,
                                      size_t count) -> std::vector<Task> {
  limits_.Set(query_.bound());
  std::vector<Task> level = whole;
  for (bool expands = true; expands && level.size() < count;) {
    expands = false;
    std::vector<Task> next;
    for (const Task& task : level) {
      const SubtreePair& p = task.pair;
      if (p.a_size < 0 && p.b_size < 0) {
        next.push_back(task);
        continue;
      }
      Entry entry = EntryOf(p);
      if (has_details_ && DetailsOf(entry).any()) {
        // The traversal of this task will leave it to the detail tree.
        next.push_back(task);
        continue;
      }
      expands = true;
      counters_.Enter(task.ticket);
      for (bool any = ExpandAny(&entry); any; any = frontier_.Next(&entry)) {
        next.push_back({{entry.a, entry.b, entry.a_size, entry.b_size,
                         counters_.DepthOf(entry.ticket)},
                        entry.ticket});
      }
    }
    level.swap(next);
  }
  return level;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_DETAIL_INL_H_
