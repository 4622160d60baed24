// SPDX-License-Identifier: Apache-2.0

// Tree files of which whole sections are put together wrongly, each with right
// checksums; single numbers are changed in tree_file_contents_test.cc.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tests/support/meshes.h"
#include "tests/support/tree_file_editor.h"
#include "tests/support/tree_file_errors.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::HasSubstr;
using namespace tree_internal;  // NOLINT(google-build-using-namespace)

TEST(TreeFileStructureTest, WideAndCompactAtOnce) {
  const Tree wide = trees::Make(meshes::Cube());
  const Tree compact = *Build(meshes::Cube(), {.storage = Storage::kCompact});
  // Sections of the one in place of the other's.
  for (const Section section : {kNodes, kLeaves, kCorners}) {
    TreeFileEditor file(*EncodeTree(compact));
    file.EditFront(
        [&](TreeFileFront& front) { front.table[section].count = 1; });
    EXPECT_FALSE(DecodeTree(file.Sealed(), "mixed").ok());
  }
  EXPECT_TRUE(DecodeTree(*EncodeTree(wide), "wide").ok());
  EXPECT_TRUE(DecodeTree(*EncodeTree(compact), "compact").ok());
}

// Two leaves with the same triangle, each in order and with its corners.
TEST(TreeFileStructureTest, ATriangleInTwoLeaves) {
  const Tree tree = trees::Make(meshes::Soup(40, 0.5, 3), Volumes::kAabb, 1);
  TreeFileEditor file(*EncodeTree(tree));
  file.Edit<Leaf>(kLeaves, 7, [&](Leaf& leaf) { leaf = tree.leaves()[9]; });
  for (size_t i = 0; i < kLanes; ++i) {
    file.Edit<Triangle>(kCorners, 7 * kLanes + i, [&](Triangle& t) {
      t = tree.corners()[9 * kLanes + i];
    });
  }
  EXPECT_THAT(ErrorFor(file.Sealed()), HasSubstr("is in none of the leaves"));
}

// A chain of nodes with one child each, as deep as a tree may be, and deeper.
TEST(TreeFileStructureTest, TooDeep) {
  const Tree tree = trees::Make(meshes::OneTriangle(), Volumes::kAabb);
  for (const uint32_t depth : {kMaxTreeDepth, kMaxTreeDepth + 1}) {
    const std::string bytes = *EncodeTree(tree);
    const TreeFileFront old = TreeFileEditor(bytes).Front();
    std::string nodes;
    for (uint32_t i = 0; i <= depth; ++i) {
      Node node = tree.nodes()[i < depth ? 0 : 1];
      node.first_node = i + 1;
      nodes.append(reinterpret_cast<const char*>(&node), sizeof node);
    }
    const size_t begin = old.table[kNodes].offset;
    const size_t end = old.table[kLeaves].offset;
    TreeFileEditor file(bytes.substr(0, begin) + nodes + bytes.substr(end));
    file.EditFront([&](TreeFileFront& front) {
      const size_t more = nodes.size() - (end - begin);
      front.table[kNodes].count = depth + 1;
      for (size_t i = kLeaves; i < kSectionCount; ++i) {
        front.table[i].offset += more;
      }
      front.header.file_bytes += more;
      front.header.depth = std::min<uint32_t>(depth, kMaxTreeDepth);
    });
    const absl::StatusOr<Tree> read = DecodeTree(file.Sealed(), "deep");
    if (depth <= kMaxTreeDepth) {
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(ClosestPoint(*read, {0, 0, 2})->distance, 2);
    } else {
      EXPECT_THAT(std::string(read.status().message()),
                  HasSubstr("more nodes above it"));
    }
  }
}

}  // namespace
}  // namespace orbox
