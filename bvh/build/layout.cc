#include "orbox/bvh/build/layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "orbox/bvh/build/collapse.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {
namespace {

class LayoutMaker {
 public:
  LayoutMaker(std::span<const BinaryNode> tree,
              std::span<const Primitive> primitives)
      : tree_(tree), primitives_(primitives), collapse_(tree) {}

  Layout Run() {
    size_t leaves = 0;
    for (const BinaryNode& node : tree_) leaves += node.is_leaf() ? 1 : 0;
    layout_.leaves.reserve(leaves);
    // Nodes have six children or so.
    layout_.nodes.reserve(leaves / 4 + 2);
    layout_.nodes.resize(2);
    Node& anchor = layout_.nodes[0];
    anchor.first_node = Tree::kRoot;
    anchor.inner_count = anchor.count = 1;
    PlaceBelow(Tree::kRoot, 0, 1);
    layout_.nodes[0].leaves_below = static_cast<uint32_t>(leaves);
    layout_.nodes.shrink_to_fit();
    return std::move(layout_);
  }

 private:
  // Places all below nodes[index], which is what tree_[binary] becomes.
  void PlaceBelow(uint32_t index, uint32_t binary, int depth) {
    layout_.depth = std::max(layout_.depth, depth);
    ChildList children;
    if (tree_[binary].is_leaf()) {
      children.push_back(binary);  // a tree of one leaf
    } else {
      children = collapse_.ChildrenOf(binary, depth);
    }
    const auto first_leaf_child = std::stable_partition(
        children.begin(), children.end(),
        [this](uint32_t child) { return !tree_[child].is_leaf(); });
    const auto inner =
        static_cast<uint32_t>(first_leaf_child - children.begin());
    const auto first_node = static_cast<uint32_t>(layout_.nodes.size());
    const auto first_leaf = static_cast<uint32_t>(layout_.leaves.size());
    Node& node = layout_.nodes[index];
    node.first_node = first_node;
    node.first_leaf = first_leaf;
    node.inner_count = static_cast<uint8_t>(inner);
    node.count = static_cast<uint8_t>(children.size());
    layout_.nodes.resize(first_node + inner);
    for (size_t i = inner; i < children.size(); ++i) {
      PlaceLeaf(tree_[children[i]].range);
    }
    for (uint32_t i = 0; i < inner; ++i) {
      PlaceBelow(first_node + i, children[i], depth + 1);
    }
    layout_.nodes[index].leaves_below =
        static_cast<uint32_t>(layout_.leaves.size()) - first_leaf;
  }

  void PlaceLeaf(PrimitiveRange range) {
    Leaf& leaf = layout_.leaves.emplace_back();
    for (uint32_t i = 0; i < kLanes; ++i) {
      leaf.ids[i] =
          i < range.size() ? primitives_[range.begin + i].id() : kNoTriangle;
    }
    std::sort(leaf.ids, leaf.ids + range.size());
  }

  const std::span<const BinaryNode> tree_;
  const std::span<const Primitive> primitives_;
  const Collapse collapse_;
  Layout layout_;
};

}  // namespace

Layout LayOut(std::span<const BinaryNode> tree,
              std::span<const Primitive> primitives) {
  return LayoutMaker(tree, primitives).Run();
}

}  // namespace orbox
