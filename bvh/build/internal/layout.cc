// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/large_pages.h"
#include "orbox/bvh/build/internal/collapse.h"
#include "orbox/bvh/build/internal/fresh_array.h"
#include "orbox/bvh/build/internal/leaf_ids.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {
namespace {

class LayoutMaker {
 public:
  LayoutMaker(std::span<const BinaryNode> tree,
              std::span<const Primitive> primitives)
      : tree_(tree), primitives_(primitives) {}

  Layout Run(const Workers& workers) {
    size_t leaves = 0;
    for (const BinaryNode& node : tree_) leaves += node.is_leaf() ? 1 : 0;
    collapse_.emplace(tree_, workers);
    layout_.leaves = FreshInLargePages<Leaf>(leaves);
    ranges_.reserve(leaves);
    // Nodes have about six children.
    ReserveInLargePages(&layout_.nodes, leaves / 4 + 2);
    layout_.nodes.resize(2);
    Node& anchor = layout_.nodes[0];
    anchor.first_node = Tree::kRoot;
    anchor.inner_count = anchor.count = 1;
    PlaceBelow(Tree::kRoot, 0, 1);
    layout_.nodes[0].leaves_below = static_cast<uint32_t>(leaves);
    std::vector<Node> nodes;
    ReserveInLargePages(&nodes, layout_.nodes.size());
    nodes.assign(layout_.nodes.begin(), layout_.nodes.end());
    layout_.nodes = std::move(nodes);
    constexpr size_t kPiece = 1024;
    workers.For(leaves, kPiece, [&](size_t begin, size_t end) {
      WriteLeafIds(std::span(ranges_).subspan(begin, end - begin), primitives_,
                   layout_.leaves.values().subspan(begin, end - begin));
    });
    return std::move(layout_);
  }

 private:
  // Places all nodes and leaves below nodes[index], the wide form of
  // tree_[binary].
  void PlaceBelow(uint32_t index, uint32_t binary, int depth) {
    layout_.depth = std::max(layout_.depth, depth);
    ChildList children;
    if (tree_[binary].is_leaf()) {
      children.push_back(binary);  // a tree of one leaf
    } else {
      children = collapse_->ChildrenOf(binary, depth);
    }
    const auto first_leaf_child = std::stable_partition(
        children.begin(), children.end(),
        [this](uint32_t child) { return !tree_[child].is_leaf(); });
    const auto inner =
        static_cast<uint32_t>(first_leaf_child - children.begin());
    const auto first_node = static_cast<uint32_t>(layout_.nodes.size());
    const auto first_leaf = static_cast<uint32_t>(ranges_.size());
    Node& node = layout_.nodes[index];
    node.first_node = first_node;
    node.first_leaf = first_leaf;
    node.inner_count = static_cast<uint8_t>(inner);
    node.count = static_cast<uint8_t>(children.size());
    layout_.nodes.resize(first_node + inner);
    for (size_t i = inner; i < children.size(); ++i) {
      ranges_.push_back(tree_[children[i]].range);
    }
    for (uint32_t i = 0; i < inner; ++i) {
      PlaceBelow(first_node + i, children[i], depth + 1);
    }
    layout_.nodes[index].leaves_below =
        static_cast<uint32_t>(ranges_.size()) - first_leaf;
  }

  const std::span<const BinaryNode> tree_;
  const std::span<const Primitive> primitives_;
  std::optional<Collapse> collapse_;
  Layout layout_;
  std::vector<PrimitiveRange> ranges_;  // of the leaves
};

}  // namespace

Layout LayOut(std::span<const BinaryNode> tree,
              std::span<const Primitive> primitives, const Workers& workers) {
  return LayoutMaker(tree, primitives).Run(workers);
}

}  // namespace orbox
