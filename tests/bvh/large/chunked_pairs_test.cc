// SPDX-License-Identifier: Apache-2.0

// Pairs of chunks answer as one tree does, to the last bit.
#include "orbox/bvh/large/pairs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/pairs/self_within.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

struct FirstIds {
  uint64_t a = 0;
  uint64_t b = 0;
};

GlobalPair Global(const TrianglePair& pair, const FirstIds& first) {
  return {pair.a + first.a, pair.b + first.b};
}
GlobalPairDistance Global(const PairDistance& pair, const FirstIds& first) {
  return {Global(pair.triangles, first), pair.distance};
}

template <typename Pair>
auto Global(const std::vector<Pair>& pairs, const FirstIds& first) {
  std::vector<decltype(Global(pairs[0], first))> global;
  for (const Pair& pair : pairs) global.push_back(Global(pair, first));
  return global;
}

bool SameBytes(const Vec3& a, const Vec3& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <typename Pair, typename VisitAll>
std::vector<Pair> Visited(VisitAll visit_all) {
  std::vector<Pair> pairs;
  EXPECT_TRUE(visit_all([&](const Pair& pair) {
                pairs.push_back(pair);
                return Visit::kContinue;
              }).ok());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// The pairs, and where they are nearest.
void ExpectWitnesses(const std::vector<GlobalWitness>& witnesses,
                     const std::vector<PairDistance>& pairs, const PosedTree& a,
                     const PosedTree& b, const FirstIds& first) {
  ASSERT_EQ(witnesses.size(), pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    const TrianglePair& ids = pairs[i].triangles;
    const auto d = Distance(a.triangle(ids.a), b.triangle(ids.b));
    EXPECT_EQ(witnesses[i].triangles, Global(ids, first));
    EXPECT_EQ(witnesses[i].distance, pairs[i].distance);
    EXPECT_TRUE(SameBytes(witnesses[i].on_a, d.on_first));
    EXPECT_TRUE(SameBytes(witnesses[i].on_b, d.on_second));
  }
}

// All queries of two trees, one of them moved.
void ExpectSamePairs(const ChunkedTree& a, const ChunkedTree& b,
                     const PosedTree& one_a, const PosedTree& one_b,
                     const Pose& pose, double distance, const FirstIds& first) {
  const PosedChunkedTree moved = PosedChunkedTree::Create(a, pose).value();
  const auto overlaps = Global(AllOverlaps(one_a, one_b), first);
  EXPECT_EQ(AllOverlaps(moved, b).value(), overlaps);
  EXPECT_EQ(AllOverlaps(moved, b, {.threads = 3}).value(), overlaps);
  EXPECT_EQ(CountOverlaps(moved, b).value(), overlaps.size());
  EXPECT_EQ(AnyOverlap(moved, b).value(), !overlaps.empty());
  EXPECT_EQ(Visited<GlobalPair>(
                [&](auto visitor) { return VisitOverlaps(moved, b, visitor); }),
            overlaps);
  for (const double d : {0.0, distance}) {
    const auto within = Global(AllWithin(one_a, one_b, d), first);
    EXPECT_EQ(AllWithin(moved, b, d).value(), within);
    EXPECT_EQ(CountWithin(moved, b, d).value(), within.size());
    EXPECT_EQ(AnyWithin(moved, b, d).value(), !within.empty());
    EXPECT_EQ(Visited<GlobalPairDistance>([&](auto visitor) {
                return VisitWithin(moved, b, d, visitor);
              }),
              within);
    ExpectWitnesses(AllWitnessesWithin(moved, b, d).value(),
                    AllWithin(one_a, one_b, d), one_a, one_b, first);
  }
}

// The smallest distance, of meshes apart along no axis.
void ExpectSameClosest(const ChunkedTree& a, const ChunkedTree& b,
                       const PosedTree& one_a, const PosedTree& one_b,
                       const FirstIds& first) {
  const PosedChunkedTree moved =
      PosedChunkedTree::Create(a, one_a.pose()).value();
  const auto one = ClosestPair(one_a, one_b);
  for (const int threads : {1, 3}) {
    const auto found = ClosestPair(moved, b, {.threads = threads}).value();
    ASSERT_TRUE(one.has_value() && found.has_value());
    EXPECT_EQ(found->distance, one->distance);
    // The reported pair depends on the tree if several pairs overlap, or if the
    // meshes are far apart.
    const double sizes = Norm(one_a.tree().mesh().bounds().HalfExtents()) +
                         Norm(one_b.tree().mesh().bounds().HalfExtents());
    if (one->distance == 0 || one->distance > 64 * sizes) continue;
    EXPECT_EQ(found->triangles, Global(one->triangles, first));
    EXPECT_TRUE(SameBytes(found->on_a, one->on_a));
    EXPECT_TRUE(SameBytes(found->on_b, one->on_b));
    const double less = std::nextafter(one->distance, 0.0);
    EXPECT_EQ(ClosestPair(moved, b, {.max_distance = less}).value(),
              std::nullopt);
  }
}

void ExpectSameOfItself(const ChunkedTree& chunked, const Tree& tree,
                        double distance, uint64_t first) {
  const FirstIds ids{first, first};
  const auto overlaps = Global(AllSelfOverlaps(tree), ids);
  EXPECT_EQ(AllSelfOverlaps(chunked).value(), overlaps);
  EXPECT_EQ(AllSelfOverlaps(chunked, {.threads = 3}).value(), overlaps);
  EXPECT_EQ(CountSelfOverlaps(chunked).value(), overlaps.size());
  std::vector<GlobalSelfContact> contacts;
  for (const SelfContact& c : AllSelfContacts(tree)) {
    contacts.push_back({overlaps[contacts.size()], c.kind});
  }
  EXPECT_EQ(AllSelfContacts(chunked).value(), contacts);
  EXPECT_EQ(AnySelfOverlap(chunked).value(), !overlaps.empty());
  EXPECT_EQ(Visited<GlobalPair>([&](auto visitor) {
              return VisitSelfOverlaps(chunked, visitor);
            }),
            overlaps);
  for (const double d : {0.0, distance}) {
    const auto within = Global(AllSelfWithin(tree, d), ids);
    EXPECT_EQ(AllSelfWithin(chunked, d).value(), within);
    EXPECT_EQ(CountSelfWithin(chunked, d).value(), within.size());
    EXPECT_EQ(AnySelfWithin(chunked, d).value(), !within.empty());
    EXPECT_EQ(Visited<GlobalPairDistance>([&](auto visitor) {
                return VisitSelfWithin(chunked, d, visitor);
              }),
              within);
    ExpectWitnesses(AllSelfWitnessesWithin(chunked, d).value(),
                    AllSelfWithin(tree, d), tree, tree, ids);
  }
}

Pose Turned(double angle, const Vec3& t) {
  return Pose::Rotation(Normalized(Vec3{1, 2, 3}), angle, t);
}

TEST(ChunkedPairsTest, ChunksOfTwoMeshesAnswerAsTwoTrees) {
  const chunks::Files torus(meshes::Torus(16, 6));
  const Pose near = Turned(0.7, {0.3, -0.2, 0.1});
  for (const meshes::Named& m : meshes::Assortment()) {
    if (m.mesh.triangle_count() > 200) continue;
    SCOPED_TRACE(m.name);
    const chunks::Files files(m.mesh);
    for (const size_t size : chunks::SizesFor(m.mesh)) {
      SCOPED_TRACE(size);
      const ChunkedTree a = files.Chunked(size, 7);
      const ChunkedTree b = torus.Chunked(40);
      const PosedTree moved = PosedTree::Create(files.tree(), near).value();
      ExpectSamePairs(a, b, moved, torus.tree(), near, 0.05, {7, 0});
      const PosedTree apart =
          PosedTree::Create(files.tree(), Turned(0.7, {3, 2.5, 1.5})).value();
      ExpectSameClosest(a, b, apart, torus.tree(), {7, 0});
      ExpectSameClosest(a, b, moved, torus.tree(), {7, 0});
    }
  }
}

TEST(ChunkedPairsTest, ChunksOfOneMeshAnswerAsOneTree) {
  for (const meshes::Named& m : meshes::Assortment()) {
    if (m.mesh.triangle_count() > 200) continue;
    SCOPED_TRACE(m.name);
    const chunks::Files files(m.mesh);
    for (const size_t size : chunks::SizesFor(m.mesh)) {
      SCOPED_TRACE(size);
      ExpectSameOfItself(files.Chunked(size, 3), files.tree(), 0.05, 3);
    }
  }
}

TEST(ChunkedPairsTest, NeighboursInOtherChunksAreNoPairs) {
  const Mesh ball = meshes::Icosphere(2);
  const Mesh two = meshes::Joined(
      ball, meshes::Moved(ball, Pose::Translation({0.5, 0.25, 0})));
  const chunks::Files files(two);
  ExpectSameOfItself(files.Chunked(100), files.tree(), 0.02, 0);
}

TEST(ChunkedPairsTest, OfPairsAtOneDistanceTheLowestIsReported) {
  // Corners of cubes in a row, all at one distance from corners of another
  // row, turned so that no axis shows the gap.
  Mesh row = meshes::Cube();
  for (int i = 1; i < 6; ++i) {
    row = meshes::Joined(meshes::Cube({2.0 * i, 0, 0}), row);
  }
  const Pose turn = Turned(0.5, {});
  const Mesh a = meshes::Moved(row, turn);
  const Mesh b = meshes::Moved(
      meshes::Moved(row, Pose::Translation({0, 1.5, 1.75})), turn);
  const chunks::Files files_a(a);
  const chunks::Files files_b(b);
  for (const size_t size : {3, 12, 50}) {
    ExpectSameClosest(files_a.Chunked(size), files_b.Chunked(size),
                      files_a.tree(), files_b.tree(), {});
  }
}

TEST(ChunkedPairsTest, FromFarAwayAndAlongAnAxisTheDistanceIsTheSame) {
  const chunks::Files files(meshes::Torus(16, 6));
  const ChunkedTree chunked = files.Chunked(30);
  for (const Vec3& t : {Vec3{3, 0, 0}, Vec3{1e5, 3e4, 0}, Vec3{1e12, 0, 7}}) {
    const Pose pose = Pose::Translation(t);
    const auto one = ClosestPair(PosedTree::Create(files.tree(), pose).value(),
                                 files.tree());
    const auto moved = PosedChunkedTree::Create(chunked, pose).value();
    const auto found = ClosestPair(moved, chunked).value();
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->distance, one->distance);
    // Whichever pair it is, it does not depend on the threads.
    const auto again = ClosestPair(moved, chunked, {.threads = 3}).value();
    EXPECT_EQ(again->triangles, found->triangles);
  }
}

TEST(ChunkedPairsTest, StretchedChunksAnswerAsAStretchedTree) {
  const chunks::Files files(meshes::Torus(16, 6));
  const ChunkedTree chunked = files.Chunked(30);
  Pose flat = Turned(0.3, {0.1, 0, 0});
  flat.rows[2] = flat.rows[2] * 0.01;
  ExpectSamePairs(chunked, chunked,
                  PosedTree::Create(files.tree(), flat).value(), files.tree(),
                  flat, 0.05, {});
}

TEST(ChunkedPairsTest, OneOfTwoMayBeInMemory) {
  const chunks::Files files(meshes::Torus(16, 6));
  const Tree ball = Build(meshes::Icosphere(2, {0.8, 0, 0}, 0.4)).value();
  ExpectSamePairs(files.Chunked(30), ChunkedTree(ball), files.tree(), ball,
                  Pose::Identity(), 0.05, {});
}

TEST(ChunkedPairsTest, RoomForOneChunkIsEnough) {
  const chunks::Files files(meshes::Torus(16, 6));
  const ChunkedTree tight = files.Chunked(30, 0, {.memory = 1});
  ExpectSameOfItself(tight, files.tree(), 0.05, 0);
}

TEST(ChunkedPairsTest, VisitorsStopTheSearch) {
  const ChunkedTree tree{Build(meshes::Identical(20)).value()};
  size_t count = 0;
  const auto stop = [&](const auto&) {
    ++count;
    return Visit::kStop;
  };
  ASSERT_TRUE(VisitOverlaps(tree, tree, stop).ok());
  ASSERT_TRUE(VisitWithin(tree, tree, 1, stop).ok());
  ASSERT_TRUE(VisitSelfOverlaps(tree, stop).ok());
  EXPECT_EQ(count, 3);
}

TEST(ChunkedPairsTest, WorkersThatShareTheTasksFindAllPairsOnce) {
  const chunks::Files one(meshes::Soup(150, 0.4, 5));
  const chunks::Files two(meshes::Soup(120, 0.4, 6));
  const ChunkedTree a = one.Chunked(11);
  const ChunkedTree b = two.Chunked(17);
  const auto expect = [](const std::vector<ChunkTask>& tasks, const auto& all,
                         auto of_tasks) {
    ASSERT_TRUE(all.ok());
    auto joined = *all;
    joined.clear();
    const std::vector<uint32_t> worker_of = AssignTasks(tasks, 3);
    for (uint32_t worker = 0; worker < 3; ++worker) {
      std::vector<ChunkTask> own;
      for (size_t i = 0; i < tasks.size(); ++i) {
        if (worker_of[i] == worker) own.push_back(tasks[i]);
      }
      EXPECT_FALSE(own.empty());
      const auto part = of_tasks(own);
      ASSERT_TRUE(part.ok());
      EXPECT_TRUE(std::is_sorted(part->begin(), part->end()));
      joined.insert(joined.end(), part->begin(), part->end());
    }
    std::sort(joined.begin(), joined.end());
    EXPECT_FALSE(joined.empty());
    EXPECT_EQ(joined, *all);
  };
  const double d = 0.05;
  expect(PairTasks(a, b, 0), AllOverlaps(a, b),
         [&](const auto& own) { return OverlapsOfTasks(a, b, own); });
  expect(PairTasks(a, b, d), AllWithin(a, b, d),
         [&](const auto& own) { return WithinOfTasks(a, b, d, own); });
  expect(SelfTasks(a, 0), AllSelfOverlaps(a),
         [&](const auto& own) { return SelfOverlapsOfTasks(a, own); });
  expect(SelfTasks(a, d), AllSelfWithin(a, d),
         [&](const auto& own) { return SelfWithinOfTasks(a, d, own); });
}

TEST(ChunkedPairsTest, BadOptionsAreErrors) {
  const ChunkedTree tree{Build(meshes::Cube()).value()};
  const QueryOptions negative{.max_distance = -1};
  EXPECT_FALSE(AnyOverlap(tree, tree, negative).ok());
  EXPECT_FALSE(ClosestPair(tree, tree, negative).ok());
  EXPECT_FALSE(AllSelfWithin(tree, 1, negative).ok());
  for (const double bad : {-1.0, std::nan("")}) {
    EXPECT_EQ(AllWithin(tree, tree, bad).status().code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(AllSelfWithin(tree, bad).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(AllOverlaps(tree, tree, {.cancelled = &cancelled}).status().code(),
            absl::StatusCode::kCancelled);
  Pose infinite;
  infinite.translation.x = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(PosedChunkedTree::Create(tree, infinite).ok());
}

}  // namespace
}  // namespace orbox
