#include "orbox/bvh/query/internal/pair_parts.h"

#include <algorithm>

#include "orbox/bvh/query/mesh_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/pair_parts.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/self_tree-inl.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Only its bound is asked for.
class NoQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;

  explicit NoQuery(double bound) : bound_(bound) {}
  double bound() const { return bound_; }

 private:
  double bound_;
};

// Enough for many threads, even where some parts take much longer than others;
// few enough that starting each takes no time.
constexpr size_t kEnoughParts = 512;

// Calls split(counters), which returns parts, and puts them into *parts.
template <typename Split>
void Put(Counters* counters, std::vector<PairPart>* parts, Split split) {
  if (counters == nullptr) {
    NoCounters none;
    for (const auto& part : split(none)) {
      parts->push_back({{0, 0, part.pair}, {}});
    }
  } else {
    for (const auto& part : split(*counters)) {
      parts->push_back({{0, 0, part.pair}, part.ticket});
    }
  }
}

void SplitTrees(const PosedTree& a, const PosedTree& b, double bound,
                Counters* counters, std::vector<PairPart>* parts) {
  NoQuery query(bound);
  Put(counters, parts, [&]<typename AnyCounters>(AnyCounters& c) HWY_ATTR {
    return TwoTrees<NoQuery, AnyCounters>(a, b, query, c)
        .Split({{}}, kEnoughParts);
  });
}

void SplitNodes(const PosedTree& tree, double bound,
                const std::vector<uint32_t>& nodes, Counters* counters,
                std::vector<PairPart>* parts) {
  NoQuery query(bound);
  Put(counters, parts, [&]<typename AnyCounters>(AnyCounters& c) HWY_ATTR {
    return SelfTree<NoQuery, AnyCounters>(tree, query, c)
        .Split(nodes, kEnoughParts);
  });
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {
namespace {

// The nodes at the top, ascending: those whose pairs of children may take long.
std::vector<uint32_t> TopOf(const Tree& tree) {
  constexpr size_t kEnough = 64;
  std::vector<uint32_t> top = {Tree::kRoot};
  for (size_t i = 0; i < top.size() && top.size() < kEnough; ++i) {
    const Node node = tree.node(top[i]);
    for (uint32_t k = 0; k < node.inner_count; ++k) {
      top.push_back(node.first_node + k);
    }
  }
  std::sort(top.begin(), top.end());
  return top;
}

}  // namespace

HWY_EXPORT(SplitTrees);
HWY_EXPORT(SplitNodes);

PairParts::PairParts(const PosedTree& a, const PosedTree& b, double bound,
                     TraversalStatistics* statistics) {
  if (statistics != nullptr) counters_.emplace(statistics);
  ORBOX_DYNAMIC_DISPATCH(SplitTrees)(a, b, bound, counters(), &parts_);
}

PairParts::PairParts(const Tree& tree, double bound,
                     TraversalStatistics* statistics) {
  if (statistics != nullptr) counters_.emplace(statistics);
  std::vector<uint32_t> top = TopOf(tree);
  ORBOX_DYNAMIC_DISPATCH(SplitNodes)(tree, bound, top, counters(), &parts_);
  // The nodes between, some at a time.
  constexpr uint32_t kRun = 32;
  top.push_back(static_cast<uint32_t>(tree.node_count()));
  for (size_t i = 1; i < top.size(); ++i) {
    for (uint32_t begin = top[i - 1] + 1; begin < top[i]; begin += kRun) {
      parts_.push_back({{begin, std::min(begin + kRun, top[i]), {}}, {}});
    }
  }
}

void PairParts::Finish(std::span<const uint8_t> fruitful) {
  if (!counters_) return;
  for (size_t i = 0; i < parts_.size(); ++i) {
    counters_->Enter(parts_[i].ticket);
    if (fruitful[i] != 0) counters_->Contribute();
  }
  counters_->Finish();
}

}  // namespace orbox
#endif  // HWY_ONCE
