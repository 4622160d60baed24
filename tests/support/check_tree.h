// SPDX-License-Identifier: Apache-2.0

// Is a tree what its headers promise? Every law that a traversal relies on,
// checked the slow way.
#ifndef ORBOX_TESTS_SUPPORT_CHECK_TREE_H_
#define ORBOX_TESTS_SUPPORT_CHECK_TREE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

class TreeChecker {
 public:
  explicit TreeChecker(const Tree& tree) : tree_(tree) {}

  void Check() {
    seen_.assign(tree_.mesh().triangle_count(), 0);
    nodes_seen_.assign(tree_.node_count(), 0);
    leaves_seen_.assign(tree_.leaf_count(), 0);
    CheckNode(0, 0);
    EXPECT_EQ(deepest_, tree_.depth());
    EXPECT_LE(deepest_, kMaxTreeDepth);
    for (size_t id = 0; id < seen_.size(); ++id) {
      ASSERT_EQ(seen_[id], 1) << "triangle " << id;
    }
    for (size_t i = 0; i < nodes_seen_.size(); ++i) {
      ASSERT_EQ(nodes_seen_[i], 1) << "node " << i;
    }
    for (size_t i = 0; i < leaves_seen_.size(); ++i) {
      ASSERT_EQ(leaves_seen_[i], 1) << "leaf " << i;
    }
  }

 private:
  // Returns the triangles below.
  std::vector<uint32_t> CheckNode(uint32_t index, int depth) {
    const Node node = tree_.node(index);
    ++nodes_seen_[index];
    deepest_ = std::max(deepest_, depth);
    EXPECT_GE(node.count, 1);
    EXPECT_LE(node.count, kLanes);
    EXPECT_LE(node.inner_count, node.count);
    if (tree_.volumes() == Volumes::kSphere) {
      EXPECT_EQ(node.kind, VolumeKind::kSphere);
    } else if (tree_.volumes() == Volumes::kAabb) {
      EXPECT_EQ(node.kind, VolumeKind::kAabb);
    } else if (tree_.volumes() == Volumes::kObb) {
      EXPECT_EQ(node.kind, VolumeKind::kObb);
    }
    CheckFrame(node);
    std::vector<uint32_t> all;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if (lane >= node.count) {
        for (const auto& row : node.rows) EXPECT_EQ(row[lane], row[0]);
        continue;
      }
      const std::vector<uint32_t> below =
          lane < node.inner_count
              ? CheckNode(node.first_node + lane, depth + 1)
              : CheckLeaf(node.first_leaf + lane - node.inner_count);
      for (uint32_t id : below) {
        const Triangle t = tree_.mesh().triangle(id);
        for (size_t c = 0; c < 3; ++c) {
          EXPECT_TRUE(Contains(node, lane, tree_.space().FromModel(t[c])))
              << "node " << index << " lane " << lane << " triangle " << id;
        }
      }
      all.insert(all.end(), below.begin(), below.end());
    }
    // The leaves below hold just the triangles below.
    std::vector<uint32_t> in_leaves;
    for (uint32_t i = 0; i < node.leaves_below; ++i) {
      for (uint32_t id : tree_.leaf_ids(node.first_leaf + i)) {
        if (id != kNoTriangle) in_leaves.push_back(id);
      }
    }
    std::vector<uint32_t> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    std::sort(in_leaves.begin(), in_leaves.end());
    EXPECT_EQ(sorted, in_leaves) << "node " << index;
    return all;
  }

  static void CheckFrame(const Node& node) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        double dot = 0;
        for (int k = 0; k < 3; ++k) {
          dot += static_cast<double>(node.frame[i][k]) * node.frame[j][k];
        }
        EXPECT_NEAR(dot, i == j, static_cast<double>(kFrameError));
      }
    }
  }

  std::vector<uint32_t> CheckLeaf(uint32_t index) {
    const Leaf leaf = tree_.leaf(index);
    ++leaves_seen_[index];
    std::vector<uint32_t> ids;
    for (int lane = 0; lane < kLanes; ++lane) {
      const uint32_t id = leaf.ids[lane];
      const bool used = id != kNoTriangle;
      const Triangle t = tree_.mesh().triangle(used ? id : leaf.ids[0]);
      for (int row = 0; row < 9; ++row) {
        const double exact = tree_.space().FromModel(t[row / 3])[row % 3];
        EXPECT_LE(std::abs(leaf.rows[row][lane] - exact),
                  tree_.space().leaf_error);
      }
      if (!used) continue;
      EXPECT_EQ(static_cast<int>(ids.size()), lane)
          << "a hole in leaf " << index;
      ids.push_back(id);
      ++seen_[id];
    }
    EXPECT_FALSE(ids.empty());
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    return ids;
  }

  // In long double, whose error is far below the margin of the fit.
  static bool Contains(const Node& node, uint32_t lane, const Vec3& p) {
    const auto row = [&](int i) -> long double { return node.rows[i][lane]; };
    if (node.kind == VolumeKind::kSphere) {
      long double squared = 0;
      for (int k = 0; k < 3; ++k) squared += (p[k] - row(k)) * (p[k] - row(k));
      return squared <= row(3) * row(3);
    }
    for (int k = 0; k < 3; ++k) {
      long double x = 0;
      for (int i = 0; i < 3; ++i) {
        x += static_cast<long double>(node.frame[k][i]) * p[i];
      }
      if (x < row(k) || x > row(k + 3)) return false;
    }
    return true;
  }

  const Tree& tree_;
  std::vector<int> seen_;
  std::vector<int> nodes_seen_;
  std::vector<int> leaves_seen_;
  int deepest_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_CHECK_TREE_H_
