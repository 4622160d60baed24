// SPDX-License-Identifier: Apache-2.0

// Every query, of meshes of one triangle, with numbers that make no sense. The
// results are those of the headers, and queries cannot fail.
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_contacts.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/solids/penetration.h"
#include "orbox/overlap/shapes/range.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::IsEmpty;

constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

constexpr double kNumbers[] = {kNan, -kInf, -kMax, -1,   -kTiny, -0.0,
                               0,    kTiny, 0.25,  kMax, kInf};

std::vector<Tree> SingleTriangles() {
  std::vector<Tree> trees;
  for (const Mesh& mesh :
       {meshes::OneTriangle(), meshes::Make({{0, 0, 0}}, {{0, 0, 0}}),
        meshes::Make({{0, 0, 0}, {1, 0, 0}}, {{0, 1, 0}})}) {
    for (const trees::Named& v : trees::Variants(mesh)) trees.push_back(v.tree);
  }
  return trees;
}

// All have the origin for a corner, which no ball without a radius misses.
TEST(AbsurdArgumentsTest, BallsBoxesAndHalfSpaces) {
  for (const Tree& tree : SingleTriangles()) {
    for (const double x : kNumbers) {
      if (std::isnan(x)) continue;  // not_valid_test.cc
      if (x >= 0) {
        EXPECT_TRUE(AnyOverlap(tree, Sphere{{0, 0, 0}, x})) << x;
      }
      EXPECT_EQ(AnyOverlap(tree, Aabb{{0, 0, 0}, {x, 0, 0}}), x >= 0) << x;
      if (x >= 0 && x < kInf) {
        EXPECT_TRUE(AnyOverlap(tree, Obb{.half_extents = {0, x, 0}})) << x;
      }
      const HalfSpace along[] = {{{1, 0, 0}, x}};
      EXPECT_EQ(AnyOverlap(tree, HalfSpaces(along)), x >= 0) << x;
      const HalfSpace none[] = {{{0, 0, 0}, x}};
      EXPECT_EQ(AnyOverlap(tree, HalfSpaces(none)), x >= 0) << x;
    }
    for (const double x : {kInf, -kInf}) {
      EXPECT_FALSE(AnyOverlap(tree, Aabb{{x, x, x}, {x, x, x}}));
    }
    EXPECT_EQ(CountOverlaps(tree, HalfSpaces()), 1u);
    // Axes that are none are slabs all the same: |2 (p - c).x| <= 1, ...
    Obb bent{.center = {-0.5, 0, 0}, .half_extents = {1, 1, 1}};
    bent.axes[0] = {2, 0, 0};
    EXPECT_TRUE(AnyOverlap(tree, bent));
    bent.center.x = std::nextafter(bent.center.x, -1.0);
    EXPECT_FALSE(AnyOverlap(tree, bent));
  }
}

TEST(AbsurdArgumentsTest, PointsAndRays) {
  for (const Tree& tree : SingleTriangles()) {
    EXPECT_THAT(KNearest(tree, Vec3{}, 0), IsEmpty());
    EXPECT_EQ(KNearest(tree, Vec3{}, std::numeric_limits<size_t>::max()).size(),
              1u);
    for (const double x : kNumbers) {
      if (!(x >= 0)) continue;  // not_valid_test.cc
      EXPECT_TRUE(ClosestPoint(tree, Vec3{}, x)) << x;
      EXPECT_EQ(KNearest(tree, Vec3{}, 2, x).size(), 1u) << x;
      EXPECT_TRUE(AnyHit(tree, Ray{{0, 0, 0}, {0, 0, 1}, 0, x})) << x;
      if (x == kInf) continue;
      EXPECT_TRUE(AnyHit(tree, SweptSphere{{0, 0, 1}, {0, 0, -1}, x})) << x;
    }
  }
}

TEST(AbsurdArgumentsTest, TwoMeshes) {
  const std::vector<Tree> trees = SingleTriangles();
  for (const Tree& a : trees) {
    const Tree& b = trees.back();
    EXPECT_EQ(AllOverlaps(a, b).size(), 1u);
    EXPECT_EQ(AllContacts(a, b).size(), 1u);
    EXPECT_EQ(ClosestPair(a, b)->distance, 0);
    EXPECT_EQ(AllClosestPairs(a, b).size(), 1u);
    EXPECT_EQ(RelationOfMeshes(a, b), MeshRelation::kMeet);
    EXPECT_THAT(AllSelfOverlaps(a), IsEmpty());
    if (const auto way = PenetrationOf(a, b)) {
      EXPECT_TRUE(IsFinite(way->translation));
    }
    for (const double x : kNumbers) {
      if (x >= 0) {
        EXPECT_EQ(AllWithin(a, b, x).size(), 1u) << x;
        EXPECT_TRUE(AnyWithin(a, b, x)) << x;
        EXPECT_TRUE(ClosestPair(a, b, {.max_distance = x})) << x;
      }
      const DistanceError error = {.relative = x, .absolute = x};
      EXPECT_EQ(ClosestPairWithError(a, b, error)->lower, 0) << x;
      const auto h = HausdorffDistance(a, b, {.tolerance = x});
      EXPECT_EQ(h.ok(), x >= 0) << x;
      if (h.ok()) {
        EXPECT_LE(h->lower, h->upper);
      }
      Pose pose;
      pose.rows[1].y = x;
      EXPECT_EQ(PosedTree::Create(a, pose).ok(), !IsBeyond(x)) << x;
      if (const auto posed = PosedTree::Create(a, pose); posed.ok()) {
        EXPECT_TRUE(AnyOverlap(*posed, b)) << x;
        EXPECT_EQ(ClosestPair(*posed, b)->distance, 0) << x;
      }
    }
  }
}

TEST(AbsurdArgumentsTest, OptionsOfBuildsAndBatches) {
  constexpr int kLeast = std::numeric_limits<int>::min();
  constexpr int kMost = std::numeric_limits<int>::max();
  const Mesh mesh = meshes::OneTriangle();
  for (const int n : {kLeast, -1, 0, 9, kMost}) {
    EXPECT_EQ(Build(mesh, {.max_leaf_triangles = n}).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  const Tree tree = trees::Make(mesh);
  const Vec3 points[] = {{0, 0, 0}, {1, 0, 0}};
  const Pose poses[] = {{}};
  for (const int n : {kLeast, -1, kMost}) {
    EXPECT_EQ(Build(mesh, {.threads = n}).ok(), n > 0);
    EXPECT_EQ(Refit(tree, mesh, {.threads = n}).ok(), n > 0);
    EXPECT_EQ(ClosestPoint(tree, points, {.threads = n}).ok(), n > 0);
    EXPECT_EQ(AnyOverlap(tree, poses, tree, {.threads = n}).ok(), n > 0);
    EXPECT_EQ(AllOverlaps(tree, tree, {.threads = n}).ok(), n > 0);
    EXPECT_EQ(HausdorffDistance(tree, tree, {}, {.threads = n}).ok(), n > 0);
  }
  const auto found = ClosestPoint(tree, points).value();
  EXPECT_TRUE(found[0].has_value());
  EXPECT_TRUE(found[1].has_value());
  EXPECT_TRUE(ClosestPoint(tree, std::span<const Vec3>()).value().empty());
  EXPECT_EQ(KNearest(tree, points, 0).value().size(), 2u);
}

}  // namespace
}  // namespace orbox
