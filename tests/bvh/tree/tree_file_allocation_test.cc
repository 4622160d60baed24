// SPDX-License-Identifier: Apache-2.0

// Trees to files and back when memory runs out at the n-th allocation, for
// every n: a clean status, nothing leaked (which a leak checker sees), and
// nothing half done.
#include <cstddef>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

TEST(TreeFileAllocationTest, Encoding) {
  const Tree tree = trees::Make(meshes::Icosphere(2));
  EXPECT_GT(FailEachAllocation(
                [&] { return EncodeTree(tree, {.threads = 1}).status(); }),
            3u);
}

TEST(TreeFileAllocationTest, Decoding) {
  const std::string bytes = *EncodeTree(trees::Make(meshes::Icosphere(2)));
  EXPECT_GT(FailEachAllocation([&] {
              return DecodeTree(bytes, "bytes", {.threads = 1}).status();
            }),
            5u);
}

TEST(TreeFileAllocationTest, ReadingAndMapping) {
  const ScratchDirectory scratch;
  const std::string path =
      scratch.Write("a.orbox", *EncodeTree(trees::Make(meshes::Icosphere(2))));
  EXPECT_GT(FailEachAllocation(
                [&] { return ReadTree(path, {.threads = 1}).status(); }),
            5u);
  for (const TreeCheck check :
       {TreeCheck::kHeader, TreeCheck::kChecksums, TreeCheck::kEverything}) {
    EXPECT_GT(FailEachAllocation([&] {
                return MapTree(path, {.check = check, .threads = 1}).status();
              }),
              2u);
  }
}

TEST(TreeFileAllocationTest, WritingLeavesNoTemporary) {
  const ScratchDirectory scratch;
  const Tree tree = trees::Make(meshes::Icosphere(2));
  const std::string path = scratch.Path("a.orbox");
  EXPECT_GT(
      FailEachAllocation([&] { return WriteTree(tree, path, {.threads = 1}); }),
      3u);
  EXPECT_EQ(scratch.Names(), std::vector<std::string>{"a.orbox"});
}

}  // namespace
}  // namespace orbox
