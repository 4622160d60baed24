// SPDX-License-Identifier: Apache-2.0

// Nodes and leaves as traversals read them, against their plain expansion.
#include <cstddef>
#include <cstdint>

#include "orbox/bvh/tree/tree.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bvh/traverse/tree_memory_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

void ReadInto(const Tree& tree, uint32_t index, Node* node) {
  const TreeMemory memory(tree);
  Node room = {};
  *node = memory.ReadNode(index, room);
  if (memory.FirstNode(index) != node->first_node ||
      memory.FirstLeaf(index) != node->first_leaf ||
      memory.InnerCount(index) != node->inner_count ||
      memory.KindOf(index) != node->kind ||
      memory.LeavesBelow(index) != node->leaves_below) {
    *node = {};  // which no test takes for the right one
  }
}

void ReadLeafInto(const Tree& tree, uint32_t index, Leaf* leaf) {
  const TreeMemory memory(tree);
  *leaf = memory.ReadLeaf(index, *leaf);
}

void TrianglesInto(const Tree& tree, uint32_t leaf, Triangle (&triangles)[8]) {
  const TreeMemory memory(tree);
  for (uint32_t lane = 0; lane < 8; ++lane) {
    const uint32_t slot = leaf * kLanes + lane;
    memory.PrefetchTriangle(slot);
    if (memory.IdOf(slot) != kNoTriangle) {
      triangles[lane] = memory.TriangleOf(slot);
    }
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cstring>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

HWY_EXPORT(ReadInto);
HWY_EXPORT(ReadLeafInto);
HWY_EXPORT(TrianglesInto);

void CheckTree(const Tree& tree) {
  for (uint32_t i = 0; i < tree.node_count(); ++i) {
    Node node;
    ORBOX_DYNAMIC_DISPATCH(ReadInto)(tree, i, &node);
    const Node expected = tree.node(i);
    // All but the bytes that are not in use.
    ASSERT_EQ(std::memcmp(&node, &expected, offsetof(Node, unused)), 0) << i;
  }
  for (uint32_t i = 0; i < tree.leaf_count(); ++i) {
    Leaf leaf;
    ORBOX_DYNAMIC_DISPATCH(ReadLeafInto)(tree, i, &leaf);
    const Leaf expected = tree.leaf(i);
    ASSERT_EQ(std::memcmp(&leaf, &expected, sizeof leaf), 0) << i;
    Triangle triangles[8];
    ORBOX_DYNAMIC_DISPATCH(TrianglesInto)(tree, i, triangles);
    for (int lane = 0; lane < kLanes; ++lane) {
      if (leaf.ids[lane] == kNoTriangle) continue;
      const Triangle t = tree.mesh().triangle(leaf.ids[lane]);
      for (size_t corner = 0; corner < 3; ++corner) {
        EXPECT_EQ(triangles[lane][corner], t[corner]);
      }
    }
  }
}

TEST(TreeMemoryTest, ReadsWhatTheTreeHolds) {
  for (const auto& [name, mesh] : meshes::Assortment()) {
    SCOPED_TRACE(name);
    for (const trees::Kind& kind : trees::Kinds()) {
      SCOPED_TRACE(kind.name);
      for (const Storage storage : {Storage::kWide, Storage::kCompact}) {
        const Tree tree =
            Build(mesh, {.volumes = kind.volumes, .storage = storage}).value();
        trees::OnEachInstructionSet([&] { CheckTree(tree); });
      }
    }
  }
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
