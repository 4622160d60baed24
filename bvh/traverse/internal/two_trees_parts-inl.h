// SPDX-License-Identifier: Apache-2.0

// Pairs that the loop over two trees (two_trees-inl.h) leaves to others: to
// detail trees, and to tasks of a search. Private; compiled once per
// instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_PARTS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_PARTS_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_PARTS_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_PARTS_INL_H_
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
Step TwoTrees<Query, Counters>::TraverseOwnLeft() {
  if constexpr (kIsBestFirst) {
    // The pairs left first are the nearest. The list grows during the loop.
    for (size_t i = 0; i < own_left_.size(); ++i) {
      const PartPair pair = own_left_[i];
      counters_.Restart();
      if (TraversePart(pair) == Step::kStop) return Step::kStop;
    }
    own_left_.clear();
    limits_.Set(query_.bound());
  }
  return Step::kContinue;
}

template <typename Query, typename Counters>
auto TwoTrees<Query, Counters>::PartsOf(const Entry& entry) const
    -> PartsBelow {
  const bool both = AreSimilar(entry);
  PartsBelow parts{nullptr, nullptr};
  if (entry.a_size >= 0 && (both || entry.a_size >= entry.b_size)) {
    parts.a = a_.memory.PartAt(a_.NodeBelow(entry.a));
  }
  if (entry.b_size >= 0 && (both || entry.a_size < entry.b_size)) {
    parts.b = b_.memory.PartAt(b_.NodeBelow(entry.b));
  }
  return parts;
}

template <typename Query, typename Counters>
HWY_NOINLINE bool TwoTrees<Query, Counters>::LeaveToPart(const Entry& entry) {
  const PartsBelow parts = PartsOf(entry);
  if (!parts.any()) return false;
  const PosedTree a = parts.a != nullptr ? roles_.a.OfPart(*parts.a) : roles_.a;
  const PosedTree b = parts.b != nullptr ? roles_.b.OfPart(*parts.b) : roles_.b;
  // Sizes must be in units of the new b.
  const auto unit = static_cast<float>(SpaceOf(roles_.b).WorldUnit() /
                                       SpaceOf(b).WorldUnit());
  const auto size = [&](float old_size) {
    return old_size < 0 ? kLeafSize : old_size * unit;
  };
  const SubtreePair below{parts.a != nullptr ? Slot::Of(0, 0) : entry.a,
                          parts.b != nullptr ? Slot::Of(0, 0) : entry.b,
                          size(entry.a_size), size(entry.b_size)};
  left_->push_back(swapped_ ? PartPair{b, a, below} : PartPair{a, b, below});
  return true;
}

template <typename Query, typename Counters>
auto TwoTrees<Query, Counters>::Split(const std::vector<Part>& whole,
                                      size_t count) -> std::vector<Part> {
  limits_.Set(query_.bound());
  std::vector<Part> level = whole;
  for (bool opens = true; opens && level.size() < count;) {
    opens = false;
    std::vector<Part> next;
    for (const Part& part : level) {
      const SubtreePair& p = part.pair;
      if (p.a_size < 0 && p.b_size < 0) {
        next.push_back(part);
        continue;
      }
      Entry entry = EntryOf(p);
      if (has_parts_ && PartsOf(entry).any()) {
        // The traversal of this pair will leave it to the detail tree.
        next.push_back(part);
        continue;
      }
      opens = true;
      counters_.Enter(part.ticket);
      for (bool any = OpenAny(&entry); any; any = frontier_.Next(&entry)) {
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

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_PARTS_INL_H_
