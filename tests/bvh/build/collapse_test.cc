// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/collapse.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

// A tree over `leaves` leaves, parted at random, with areas that shrink on the
// way down by random factors. Each leaf is a range of one.
void Grow(uint32_t begin, uint32_t leaves, float area, meshes::Random& random,
          BinaryTree& tree) {
  const size_t index = tree.size();
  tree.push_back({area, 0, {begin, begin + leaves}});
  if (leaves == 1) return;
  const auto left = 1 + static_cast<uint32_t>(random.Below(leaves - 1));
  const auto shrunk = [&] {
    return area * static_cast<float>(random.Uniform(0.2, 1));
  };
  Grow(begin, left, shrunk(), random, tree);
  tree[index].right = static_cast<uint32_t>(tree.size() - index);
  Grow(begin + left, leaves - left, shrunk(), random, tree);
}

// The sum of areas of the wide nodes that a collapse leaves; checks its laws.
double CostOf(const BinaryTree& tree, const Collapse& collapse, uint32_t index,
              int depth, int* deepest) {
  *deepest = std::max(*deepest, depth);
  const ChildList children = collapse.ChildrenOf(index, depth);
  EXPECT_GE(children.size(), 2u);
  EXPECT_LE(children.size(), 8u);
  uint32_t next = tree[index].range.begin;
  double cost = tree[index].half_area;
  for (const uint32_t child : children) {
    EXPECT_EQ(tree[child].range.begin, next);
    next = tree[child].range.end;
    if (!tree[child].is_leaf()) {
      cost += CostOf(tree, collapse, child, depth + 1, deepest);
    }
  }
  EXPECT_EQ(next, tree[index].range.end);
  return cost;
}

// The least cost there is, by trying all ways to part slots: as one child, or
// as parts of `slots` of them.
double LeastCost(const BinaryTree& tree, uint32_t index, int slots) {
  if (tree[index].is_leaf()) return 0;
  const auto parted = [&](int among) {
    double least = kFloatInfinity;
    for (int left = 1; left < among; ++left) {
      least = std::min(
          least, LeastCost(tree, index + 1, left) +
                     LeastCost(tree, index + tree[index].right, among - left));
    }
    return least;
  };
  double least = tree[index].half_area + parted(8);
  if (slots > 1) least = std::min(least, parted(slots));
  return least;
}

TEST(CollapseTest, NoOtherChoiceOfNodesIsCheaper) {
  meshes::Random random(1);
  for (int i = 0; i < 40; ++i) {
    const auto leaves = 2 + static_cast<uint32_t>(random.Below(13));
    BinaryTree tree;
    Grow(0, leaves, 1, random, tree);
    int deepest = 0;
    const double cost =
        CostOf(tree, Collapse(tree, Workers(1)), 0, 1, &deepest);
    EXPECT_NEAR(cost, LeastCost(tree, 0, 1), 1e-5 * cost) << leaves;
  }
}

TEST(CollapseTest, FullTreesBecomeFullNodes) {
  BinaryTree tree;
  // 512 leaves at one depth, all areas those of a plane.
  const auto grow = [&](auto& self, uint32_t begin, uint32_t leaves) -> void {
    const size_t index = tree.size();
    tree.push_back({static_cast<float>(leaves), 0, {begin, begin + leaves}});
    if (leaves == 1) return;
    self(self, begin, leaves / 2);
    tree[index].right = static_cast<uint32_t>(tree.size() - index);
    self(self, begin + leaves / 2, leaves / 2);
  };
  grow(grow, 0, 512);
  const Collapse collapse(tree, Workers(1));
  int deepest = 0;
  CostOf(tree, collapse, 0, 1, &deepest);
  EXPECT_EQ(deepest, 3);
  EXPECT_EQ(collapse.ChildrenOf(0, 1).size(), 8u);
}

// The deepest tree that builders make, with a bush at each step that is worth
// all slots but one: nodes would take one level each if nothing forced them.
TEST(CollapseTest, NoTreeGetsTooDeep) {
  BinaryTree tree;
  uint32_t triangles = 0;
  const auto grow = [&](auto& self, int levels) -> void {
    const size_t index = tree.size();
    tree.push_back({1, 0, {triangles, 0}});
    if (levels > 0) {
      meshes::Random random(static_cast<uint64_t>(levels));
      const uint32_t bush = levels > 64 ? 64 : 1;
      Grow(triangles, bush, 1, random, tree);
      for (size_t i = index + 1; i < tree.size(); ++i) tree[i].half_area = 4;
      triangles += bush;
      tree[index].right = static_cast<uint32_t>(tree.size() - index);
      self(self, levels - 1);
    } else {
      ++triangles;
    }
    tree[index].range.end = triangles;
  };
  grow(grow, kMaxBinaryDepth);
  int deepest = 0;
  CostOf(tree, Collapse(tree, Workers(1)), 0, 1, &deepest);
  EXPECT_LE(deepest, kMaxTreeDepth);
  EXPECT_GT(deepest, kMaxTreeDepth / 2);
}

}  // namespace
}  // namespace orbox
