// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

#include <algorithm>
#include <set>

#include "gtest/gtest.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

TEST(ChunkTasksTest, TasksAreThePairsOfChunksThatAreNear) {
  const chunks::Files files(meshes::Torus(40, 20));
  const ChunkedTree tree = files.Chunked(60);
  const PosedChunkedTree moved =
      PosedChunkedTree::Create(tree,
                               Pose::Rotation({0, 0, 1}, 0.4, {0.3, 0.2, 0.1}))
          .value();
  const PosedChunkedTree still(tree);
  for (const double d : {0.0, 0.1, 10.0}) {
    std::vector<std::pair<uint32_t, uint32_t>> expected;
    for (uint32_t i = 0; i < tree.table().size(); ++i) {
      for (uint32_t j = 0; j < tree.table().size(); ++j) {
        if (GapOf(moved.boxes()[i], still.boxes()[j]) <= d) {
          expected.emplace_back(i, j);
        }
      }
    }
    std::vector<std::pair<uint32_t, uint32_t>> found;
    for (const ChunkTask& task : PairTasks(moved, still, d)) {
      found.emplace_back(task.a, task.b);
      EXPECT_GT(task.cost, 0);
      EXPECT_LE(task.gap, d);
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(ChunkTasksTest, OfOneAndItselfEachPairIsOneTask) {
  const chunks::Files files(meshes::Torus(40, 20));
  const ChunkedTree tree = files.Chunked(60);
  const std::vector<ChunkTask> two = PairTasks(tree, tree, 0.1);
  std::set<std::pair<uint32_t, uint32_t>> expected;
  for (const ChunkTask& t : two) expected.emplace(std::minmax(t.a, t.b));
  const std::vector<ChunkTask> self = SelfTasks(tree, 0.1);
  EXPECT_EQ(self.size(), expected.size());
  for (const ChunkTask& t : self) {
    EXPECT_LE(t.a, t.b);
    EXPECT_TRUE(expected.contains({t.a, t.b}));
  }
}

TEST(ChunkTasksTest, NegativeDistancesHaveNoTasks) {
  const ChunkedTree tree{Build(meshes::Cube()).value()};
  EXPECT_TRUE(PairTasks(tree, tree, -1).empty());
  EXPECT_TRUE(SelfTasks(tree, std::nan("")).empty());
}

TEST(ChunkTasksTest, BoxesHoldTheMovedTriangles) {
  const chunks::Files files(meshes::Torus(20, 8));
  const ChunkedTree tree = files.Chunked(30);
  meshes::Random random(4);
  for (int k = 0; k < 20; ++k) {
    const Pose pose = Pose::Rotation(random.Direction(), random.Uniform(0, 6),
                                     random.Point(-1e3, 1e3));
    const PosedChunkedTree posed = PosedChunkedTree::Create(tree, pose).value();
    for (size_t i = 0; i < tree.table().size(); ++i) {
      const PosedChunk chunk = posed.Load(i).value();
      const Aabb& box = posed.boxes()[i];
      for (uint32_t t = 0; t < chunk.ids.size(); ++t) {
        const Aabb b = BoundsOf(chunk.tree.triangle(t));
        EXPECT_EQ(Min(b.lo, box.lo), box.lo);
        EXPECT_EQ(Max(b.hi, box.hi), box.hi);
        EXPECT_EQ(Min(box.lo, posed.bounds().lo), posed.bounds().lo);
      }
    }
  }
}

TEST(ChunkTasksTest, TasksAreSharedOutEvenly) {
  std::vector<ChunkTask> tasks;
  meshes::Random random(9);
  double total = 0;
  for (int i = 0; i < 500; ++i) {
    tasks.push_back({0, 0, 0, random.Uniform(1, 100)});
    total += tasks.back().cost;
  }
  for (const size_t workers : {1, 2, 7, 64}) {
    std::vector<double> load(workers);
    const std::vector<uint32_t> worker_of = AssignTasks(tasks, workers);
    ASSERT_EQ(worker_of.size(), tasks.size());
    for (size_t i = 0; i < tasks.size(); ++i) {
      ASSERT_LT(worker_of[i], workers);
      load[worker_of[i]] += tasks[i].cost;
    }
    // Longest first is within a third of the best (Graham, 1969).
    const double most = *std::max_element(load.begin(), load.end());
    EXPECT_LE(most,
              4.0 / 3 * std::max(total / static_cast<double>(workers), 100.0));
    EXPECT_EQ(AssignTasks(tasks, workers), worker_of);
  }
  EXPECT_TRUE(AssignTasks({}, 3).empty());
}

}  // namespace
}  // namespace orbox
