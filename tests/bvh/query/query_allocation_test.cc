// SPDX-License-Identifier: Apache-2.0

// Queries when memory runs out at the n-th allocation, for every n. Those that
// return a status report it; the others let std::bad_alloc through, or allocate
// nothing that could fail. Nothing leaks (which a leak checker sees), and trees
// stay as they are.
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_contacts.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/pairs/self_within.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/interior_overlap.h"
#include "orbox/bvh/solids/penetration.h"
#include "orbox/bvh/solids/shared_region.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

class QueryAllocationTest : public ::testing::Test {
 protected:
  // That the trees answer as before.
  void TearDown() override {
    EXPECT_EQ(AllOverlaps(a_, b_), pairs_);
    EXPECT_EQ(AllOverlaps(b_, ball_).size(), 320u);
  }

  const Tree a_ = trees::Make(meshes::Torus(20, 10));
  const Tree b_ = trees::Make(meshes::Icosphere(2, {0.9, 0.1, 0.2}, 0.4));
  const Sphere ball_{{0, 0, 0}, 8};
  const Ray ray_{{0, 0, 0.05}, {1, 0.01, 0}};
  const std::vector<TrianglePair> pairs_ = AllOverlaps(a_, b_);
};

TEST_F(QueryAllocationTest, ListsOfOneMesh) {
  EXPECT_GT(ThrowAtEachAllocation([&] { AllOverlaps(a_, ball_); }), 0u);
  EXPECT_GT(ThrowAtEachAllocation([&] {
              AllOverlaps(a_, Aabb{{-1, -1, -1}, {1, 1, 0}});
            }),
            0u);
  const HalfSpace set[] = {{{1, 2, 3}, 0.5}, {{0, 0, -1}, 0}};
  EXPECT_GT(ThrowAtEachAllocation([&] { AllOverlaps(a_, HalfSpaces(set)); }),
            0u);
  EXPECT_GT(ThrowAtEachAllocation([&] { KNearest(a_, Vec3{}, 20); }), 0u);
  EXPECT_GT(ThrowAtEachAllocation([&] { AllHits(a_, ray_); }), 0u);
  const Tree soup = trees::Make(meshes::Soup(100, 0.5));
  EXPECT_GT(ThrowAtEachAllocation([&] { AllSelfOverlaps(soup); }), 0u);
  EXPECT_GT(ThrowAtEachAllocation([&] { AllSelfWithin(soup, 0.05); }), 0u);
}

TEST_F(QueryAllocationTest, ListsOfTwoMeshes) {
  EXPECT_GT(ThrowAtEachAllocation([&] { AllOverlaps(a_, b_); }), 0u);
  EXPECT_GT(ThrowAtEachAllocation([&] { AllWithin(a_, b_, 0.1); }), 0u);
  EXPECT_GT(ThrowAtEachAllocation([&] { AllContacts(a_, b_); }), 0u);
  EXPECT_GT(ThrowAtEachAllocation([&] { AllClosestPairs(a_, b_); }), 0u);
  EXPECT_GT(ThrowAtEachAllocation([&] { PenetrationOf(a_, b_); }), 0u);
  const Tree inner = trees::Make(meshes::Icosphere(1, {1, 0, 0}, 0.01));
  EXPECT_GT(ThrowAtEachAllocation([&] { RelationOfMeshes(inner, a_); }), 0u);
}

// Meshes that are apart in overlapping boxes are split into components. The
// first query stores these, which takes memory for all vertices.
TEST_F(QueryAllocationTest, APartIsFoundOnce) {
  const Tree ring = trees::Make(meshes::Torus(200, 100));
  const Tree in_its_hole = trees::Make(meshes::Icosphere(2, {0, 0, 0}, 0.2));
  const auto call = [&] {
    EXPECT_EQ(RelationOfMeshes(ring, in_its_hole), MeshRelation::kApart);
  };
  EXPECT_GT(PeakBytesOf(call), 80'000);
  EXPECT_LT(PeakBytesOf(call), 10'000);
}

TEST_F(QueryAllocationTest, Solids) {
  using solids::Box;
  const Tree wall = trees::Make(Box({{0, 0, 0}, {4, 0.5, 3}}));
  const Tree pipe = trees::Make(solids::Prism(5, 0.1, {1, 0.25, 1}, {0, 1, 0}));
  const Tree slab = trees::Make(Box({{0, 0.5, 0}, {4, 1, 3}}));
  const Tree sheet = trees::Make(solids::Opened(Box({{1, 0, 1}, {2, 1, 2}})));
  const PosedTree away =
      PosedTree::Create(slab, Pose::Translation({0, 0.25, 0})).value();
  ClashOptions options{.tolerance = 0.001, .clearance = 0.5};
  EXPECT_GT(ThrowAtEachAllocation([&] { ClashOf(wall, slab, options); }), 0u);
  EXPECT_GT(ThrowAtEachAllocation([&] { ClashOf(wall, sheet, options); }), 0u);
  // Meshes remember their surfaces: bodies that are apart allocate nothing.
  EXPECT_EQ(ThrowAtEachAllocation([&] { ClashOf(wall, away, options); }), 0u);
  options.thickness = options.volume = true;
  options.error = {.relative = 0.5};
  EXPECT_GT(ThrowAtEachAllocation([&] { ClashOf(wall, pipe, options); }), 0u);
  EXPECT_GT(ThrowAtEachAllocation(
                [&] { VolumeOfShared(wall, pipe, {.relative = 0.5}); }),
            0u);
  // Two tetrahedra with a slanted face in common, one moved there: in exact
  // arithmetic.
  const auto tetrahedron = [](const Vec3& apex, const Vec3& by) {
    return trees::Make(meshes::Make(
        {apex + by, Vec3{1, 0, 0} + by, Vec3{0, 1, 0} + by, Vec3{0, 0, 1} + by},
        {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}));
  };
  const Tree low = tetrahedron({0, 0, 0}, {});
  const Tree high = tetrahedron({1, 1, 1}, {-1, 0, -1});
  const PosedTree moved =
      PosedTree::Create(high, Pose::Translation({1, 0, 1})).value();
  EXPECT_GT(ThrowAtEachAllocation(
                [&] { EXPECT_FALSE(AnyInteriorOverlap(low, moved)); }),
            0u);
}

TEST_F(QueryAllocationTest, WhatAllocatesNothing) {
  EXPECT_EQ(ThrowAtEachAllocation([&] {
              ClosestPoint(a_, {1, 2, 3});
              AnyOverlap(a_, ball_);
              CountOverlaps(a_, Aabb{{-1, -1, -1}, {1, 1, 0}});
              ClosestHit(a_, ray_);
              AnyHit(a_, ray_);
              ClosestHit(a_, SweptSphere{{0, 0, 3}, {1, 0, 0}, 0.1});
            }),
            0u);
}

// Lists of what is left to do, and the numbers of exact arithmetic.
TEST_F(QueryAllocationTest, WhatReturnsNoList) {
  const PosedTree away =
      PosedTree::Create(a_, Pose::Translation({3, 0.5, 0})).value();
  EXPECT_GT(ThrowAtEachAllocation([&] {
              AnyHit(a_, SweptSphere{{0, 0, 3}, {1, 0, 0}, 0.1});
              AnySelfOverlap(a_);
              AnySelfWithin(a_, 0.01);
              AnyOverlap(a_, b_);
              AnyWithin(away, b_, 0.1);
              ClosestPair(away, b_);
              ClosestPair(away, b_, {.max_distance = 9});
              ClosestPair(away, b_, {.guess = TrianglePair{7, 7}});
              ClosestPairWithError(away, b_, {.relative = 0.1});
            }),
            0u);
}

TEST_F(QueryAllocationTest, Fields) {
  EXPECT_GT(FailEachAllocation(
                [&] { return SignedDistanceField::Create(b_).status(); }),
            0u);
  const auto field = SignedDistanceField::Create(b_).value();
  ThrowAtEachAllocation([&] { field.Distance({1, 0, 0}); });
  EXPECT_GT(
      ThrowAtEachAllocation([&] { WindingNumberField::Of(b_).At(Vec3{}, 0); }),
      0u);
}

TEST_F(QueryAllocationTest, PosesThatTakeATreeOfTheirOwn) {
  const Pose flat{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}}, {}};
  EXPECT_GT(
      FailEachAllocation([&] { return PosedTree::Create(a_, flat).status(); },
                         FailingThreads::kThisOne, "memory"),
      2u);
  // Two trees that are skewed are given one of their own where there is memory
  // for it, and answer as they are where there is none.
  const Pose skew{{{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 1}}}, {}};
  bool meet = false;
  ThrowAtEachAllocation([&] {
    const auto a = PosedTree::Create(a_, skew);
    const auto b = PosedTree::Create(b_, skew);
    if (!a.ok() || !b.ok()) throw std::bad_alloc();
    meet = AnyOverlap(*a, *b);
    EXPECT_TRUE(meet);
  });
  EXPECT_TRUE(meet);
}

// Batches on all cores, whichever thread it is that fails.
TEST_F(QueryAllocationTest, Batches) {
  meshes::Random random(1);
  std::vector<Vec3> points;
  std::vector<Sphere> balls;
  std::vector<Ray> rays;
  std::vector<Pose> poses;
  for (int i = 0; i < 600; ++i) {
    points.push_back(random.Point(-1, 1));
    balls.push_back({random.Point(-1, 1), 0.1});
    rays.push_back({random.Point(-1, 1), random.Direction()});
    if (i % 20 == 0) poses.push_back(Pose::Translation(random.Point(-1, 1)));
  }
  const auto field = SignedDistanceField::Create(b_).value();
  const auto winding = WindingNumberField::Of(b_);
  const auto fail = [&](auto attempt) {
    for (const FailingThreads threads :
         {FailingThreads::kThisOne, FailingThreads::kAny}) {
      EXPECT_GT(FailEachAllocation([&] { return attempt().status(); }, threads,
                                   "memory"),
                0u);
    }
  };
  fail([&] { return ClosestPoint(a_, points); });
  fail([&] { return field.ClosestPoint(points); });
  fail([&] { return winding.At(points); });
  fail([&] { return ClosestHit(a_, rays); });
  fail([&] { return AllHits(a_, rays); });
  fail([&] { return KNearest(a_, points, 3); });
  fail([&] { return AllOverlaps(a_, balls); });
  fail([&] { return AnyOverlap(a_, poses, b_); });
  fail([&] { return AnyWithin(a_, poses, b_, 0.1); });
  fail([&] { return ClosestPair(a_, poses, b_); });
  fail([&] { return AllOverlaps(a_, poses, b_); });
  fail([&] { return AllWithin(a_, poses, b_, 0.05); });
}

TEST_F(QueryAllocationTest, HausdorffDistances) {
  const Tree a = kSanitized ? trees::Make(meshes::Torus(8, 5)) : a_;
  const PosedTree moved =
      PosedTree::Create(b_, Pose::Rotation({0, 0, 1}, 1)).value();
  for (const FailingThreads threads :
       {FailingThreads::kThisOne, FailingThreads::kAny}) {
    EXPECT_GT(
        FailEachAllocation([&] { return HausdorffDistance(a, moved).status(); },
                           threads, "memory"),
        0u);
    EXPECT_GT(
        FailEachAllocation([&] { return DeviationField(a, moved).status(); },
                           threads, "memory"),
        0u);
  }
}

}  // namespace
}  // namespace orbox
