// SPDX-License-Identifier: Apache-2.0

// Building and refitting when memory runs out at the n-th allocation, for every
// n, of one thread and of several: a clean status, and nothing leaked (which a
// leak checker sees).
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/build/deforming_tree.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

constexpr absl::string_view kWhat = "out of memory";

// oneTBB gets itself ready once in a process; where that runs out of memory, it
// waits for itself forever. So it is ready before anything fails.
[[maybe_unused]] const bool kIsReady = Build(meshes::OneTriangle()).ok();

TEST(BuildAllocationTest, EachQualityAndStorage) {
  const Mesh mesh = meshes::Icosphere(2);
  for (const Quality quality :
       {Quality::kFast, Quality::kBalanced, Quality::kBest}) {
    for (const Storage storage : {Storage::kWide, Storage::kCompact}) {
      const BuildOptions options = {
          .quality = quality, .storage = storage, .threads = 1};
      EXPECT_GT(
          FailEachAllocation([&] { return Build(mesh, options).status(); },
                             FailingThreads::kThisOne, kWhat),
          5u);
    }
  }
}

TEST(BuildAllocationTest, Refitting) {
  const Mesh mesh = meshes::Icosphere(2);
  const Mesh moved = meshes::Scaled(mesh, 3);
  for (const Storage storage : {Storage::kWide, Storage::kCompact}) {
    const Tree tree = Build(mesh, {.storage = storage}).value();
    EXPECT_GT(FailEachAllocation(
                  [&] { return Refit(tree, moved, {.threads = 1}).status(); },
                  FailingThreads::kThisOne, kWhat),
              3u);
  }
}

TEST(BuildAllocationTest, Moving) {
  const Mesh mesh = meshes::Icosphere(2);
  const Mesh moved = meshes::Scaled(mesh, 3);
  EXPECT_GT(FailEachAllocation(
                [&] {
                  return DeformingTree::Create(mesh, {.build = {.threads = 1}})
                      .status();
                },
                FailingThreads::kThisOne, kWhat),
            5u);
  EXPECT_GT(FailEachAllocation(
                [&] {
                  absl::StatusOr<DeformingTree> deforming =
                      DeformingTree::Create(mesh, {.build = {.threads = 1}});
                  if (!deforming.ok()) return deforming.status();
                  const absl::Status status = deforming->Move(moved.vertices());
                  if (!status.ok()) {
                    EXPECT_EQ(deforming->tree().mesh().bounds().hi,
                              mesh.bounds().hi);
                  }
                  return status;
                },
                FailingThreads::kThisOne, kWhat),
            8u);
}

// Whichever thread it is that fails, and the next build is as good as ever.
TEST(BuildAllocationTest, AllCores) {
  const Mesh mesh = meshes::Torus(60, 40);
  const BuildOptions options = {.storage = Storage::kCompact};
  const std::string expected = EncodeTree(Build(mesh, options).value()).value();
  EXPECT_GT(FailEachAllocation([&] { return Build(mesh, options).status(); },
                               FailingThreads::kAny, kWhat),
            10u);
  EXPECT_EQ(EncodeTree(Build(mesh, options).value()).value(), expected);
}

}  // namespace
}  // namespace orbox
