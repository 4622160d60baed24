// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/layout.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/build/internal/collapse.h"
#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {
namespace {

// A node of the binary tree that becomes a wide node.
struct WideNode {
  // Positions in the binary tree, inner nodes first.
  std::array<uint32_t, kLanes> children;
  uint8_t inner_count;
  uint8_t count;
  // Number of nodes and of leaves below this node, at all levels.
  uint32_t nodes_below;
  uint32_t leaves_below;
};

// Two passes, both shared by threads. The first chooses all children, and
// counts the nodes and leaves below them from the leaves up. After that, each
// node's position is known, and the second pass writes the nodes.
class LayoutMaker {
 public:
  LayoutMaker(std::span<const BinaryNode> tree,
              std::span<const Primitive> primitives, const Workers& workers)
      : tree_(tree), primitives_(primitives), workers_(workers) {}

  Layout Run() {
    // In a binary tree with n nodes, (n + 1) / 2 are leaves.
    const size_t leaves = (tree_.size() + 1) / 2;
    auto ranges = FreshInLargePages<PrimitiveRange>(leaves);
    {
      const Collapse collapse(tree_, workers_);
      auto wide = FreshInLargePages<WideNode>(tree_.size());
      wide_ = wide.values();
      layout_.depth = Choose(collapse, 0, tree_.size(), 1);
      layout_.nodes = FreshInLargePages<Node>(2 + wide_[0].nodes_below);
      Node& anchor = Cleared(0);
      anchor.first_node = Tree::kRoot;
      anchor.leaves_below = static_cast<uint32_t>(leaves);
      anchor.inner_count = anchor.count = 1;
      ranges_ = ranges.values();
      Place(0, Tree::kRoot, Tree::kRoot + 1, 0);
    }
    layout_.leaves = FreshInLargePages<Leaf>(leaves);
    constexpr size_t kTaskSize = 1024;
    workers_.For(leaves, kTaskSize, [&](size_t begin, size_t end) {
      workers_.Poll();
      WriteLeafIds(ranges_.subspan(begin, end - begin), primitives_,
                   layout_.leaves.values().subspan(begin, end - begin));
    });
    return std::move(layout_);
  }

 private:
  // Below this many nodes of the binary tree, passing work to another thread
  // costs more than it saves.
  static constexpr size_t kTask = 2048;

  void ForEachInner(const WideNode& wide, bool is_large,
                    absl::FunctionRef<void(size_t i)> work) const {
    const auto run = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) work(i);
    };
    if (is_large) {
      workers_.For(wide.inner_count, 1, run);
    } else {
      run(0, wide.inner_count);
    }
  }

  // Chooses the children of the wide node for tree_[binary], and of all wide
  // nodes below it, which end before tree_[end]. Returns the depth of the
  // deepest one of these nodes.
  int Choose(const Collapse& collapse, uint32_t binary, size_t end, int depth) {
    WideNode& wide = wide_[binary];
    ChildList children;
    if (tree_[binary].is_leaf()) {
      children.push_back(binary);  // the tree is a single leaf
    } else {
      children = collapse.ChildrenOf(binary, depth);
    }
    wide.count = static_cast<uint8_t>(children.size());
    size_t filled = 0;
    std::array<size_t, kLanes> ends{};
    for (size_t i = 0; i < children.size(); ++i) {
      if (tree_[children[i]].is_leaf()) continue;
      ends[filled] = i + 1 < children.size() ? children[i + 1] : end;
      wide.children[filled++] = children[i];
    }
    wide.inner_count = static_cast<uint8_t>(filled);
    for (const uint32_t child : children) {
      if (tree_[child].is_leaf()) wide.children[filled++] = child;
    }
    std::array<int, kLanes> depths{};
    if (end - binary >= kTask) workers_.Poll();
    ForEachInner(wide, end - binary >= kTask, [&](size_t i) {
      depths[i] = Choose(collapse, wide.children[i], ends[i], depth + 1);
    });
    wide.nodes_below = wide.inner_count;
    wide.leaves_below = wide.count - wide.inner_count;
    for (size_t i = 0; i < wide.inner_count; ++i) {
      wide.nodes_below += wide_[wide.children[i]].nodes_below;
      wide.leaves_below += wide_[wide.children[i]].leaves_below;
      depth = std::max(depth, depths[i]);
    }
    return depth;
  }

  // Writes nodes[index], the wide form of tree_[binary], and everything below
  // it. The children come first, then everything below the first child, and so
  // on.
  void Place(uint32_t binary, uint32_t index, uint32_t first_node,
             uint32_t first_leaf) const {
    const WideNode& wide = wide_[binary];
    Node& node = Cleared(index);
    node.first_node = first_node;
    node.first_leaf = first_leaf;
    node.leaves_below = wide.leaves_below;
    node.inner_count = wide.inner_count;
    node.count = wide.count;
    uint32_t next_node = first_node + wide.inner_count;
    uint32_t next_leaf = first_leaf;
    for (size_t i = wide.inner_count; i < wide.count; ++i) {
      ranges_[next_leaf++] = tree_[wide.children[i]].range;
    }
    if (wide.leaves_below >= kTask / 2) workers_.Poll();
    std::array<uint32_t, kLanes> nodes{};
    std::array<uint32_t, kLanes> leaves{};
    for (size_t i = 0; i < wide.inner_count; ++i) {
      nodes[i] = next_node;
      leaves[i] = next_leaf;
      next_node += wide_[wide.children[i]].nodes_below;
      next_leaf += wide_[wide.children[i]].leaves_below;
    }
    ForEachInner(wide, wide.leaves_below >= kTask / 2, [&](size_t i) {
      Place(wide.children[i], first_node + static_cast<uint32_t>(i), nodes[i],
            leaves[i]);
    });
  }

  // Returns a node with all bytes zero, including padding. So the bytes of a
  // tree do not depend on the previous contents of the memory.
  Node& Cleared(uint32_t index) const {
    Node* const node = &layout_.nodes.values()[index];
    std::memset(static_cast<void*>(node), 0, sizeof(Node));
    return *node;
  }

  const std::span<const BinaryNode> tree_;
  const std::span<const Primitive> primitives_;
  const Workers& workers_;
  std::span<WideNode> wide_;          // indexed like the binary tree
  std::span<PrimitiveRange> ranges_;  // of the leaves
  Layout layout_;
};

}  // namespace

Layout LayOut(std::span<const BinaryNode> tree,
              std::span<const Primitive> primitives, const Workers& workers) {
  return LayoutMaker(tree, primitives, workers).Run();
}

}  // namespace orbox
