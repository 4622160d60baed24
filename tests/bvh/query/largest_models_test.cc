// SPDX-License-Identifier: Apache-2.0

// Models at both ends of the range of numbers (shapes/range.h): all answers are
// those for the model of size 1.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/tree/tree_file.h"
#include "orbox/overlap/shapes/range.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// Answers that do not depend on the size of the model; lengths are multiples
// of `unit`.
struct Answers {
  std::vector<uint32_t> in_ball;
  std::vector<uint32_t> in_box;
  std::vector<uint32_t> in_half_space;
  std::vector<uint32_t> nearest;
  std::vector<double> distances;
  std::vector<uint32_t> hit;
  std::vector<double> times;
  std::vector<TrianglePair> meet;
  std::vector<TrianglePair> self;
  std::vector<TrianglePair> within;
  double gap = 0;
  double contact = 0;  // enclosed, not exact
};

void ExpectSame(const Answers& x, const Answers& y) {
  EXPECT_EQ(x.in_ball, y.in_ball);
  EXPECT_EQ(x.in_box, y.in_box);
  EXPECT_EQ(x.in_half_space, y.in_half_space);
  EXPECT_EQ(x.nearest, y.nearest);
  EXPECT_EQ(x.distances, y.distances);
  EXPECT_EQ(x.hit, y.hit);
  EXPECT_EQ(x.times, y.times);
  EXPECT_TRUE(x.meet == y.meet);
  EXPECT_TRUE(x.self == y.self);
  EXPECT_TRUE(x.within == y.within);
  EXPECT_EQ(x.gap, y.gap);
  EXPECT_NEAR(x.contact, y.contact, 1e-9);
}

Answers AnswersFrom(const Tree& tree, double unit) {
  Answers all;
  const Vec3 p = Vec3{0.5, 0.75, 0.125} * unit;
  all.in_ball = AllOverlaps(tree, Sphere{p, 0.5 * unit});
  all.in_box = AllOverlaps(tree, Aabb{p * -0.5, p});
  const HalfSpace below[] = {{{1, 2, -1}, 0.75 * unit}};
  all.in_half_space = AllOverlaps(tree, HalfSpaces(below));
  for (const SurfacePoint& s : KNearest(tree, p, 9)) {
    all.nearest.push_back(s.triangle);
    all.distances.push_back(s.distance / unit);
  }
  for (const double length : {1.0, unit}) {
    const Ray ray{p * -1.5, Vec3{0.75, 1, 0.25} * length};
    for (const RayHit& hit : AllHits(tree, ray)) {
      all.hit.push_back(hit.triangle);
      all.times.push_back(hit.t * length / unit);
    }
    all.hit.push_back(ClosestHit(tree, ray).value().triangle);
  }
  const auto contact =
      ClosestHit(tree, SweptSphere{p * -1.5, p, 0.0625 * unit});
  all.hit.push_back(contact.value().triangle);
  all.contact = contact->latest;

  const auto turned = [&](const Vec3& shift) {
    return PosedTree::Create(
               tree, {{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}, shift * unit})
        .value();
  };
  all.meet = AllOverlaps(turned({}), tree);
  all.self = AllSelfOverlaps(tree);
  const PosedTree beside = turned({0, 0, 0.25});
  all.gap = ClosestPair(turned({0.25, 0.25, 0.25}), tree)->distance / unit;
  for (const PairDistance& pair : AllWithin(beside, tree, 0.03125 * unit)) {
    all.within.push_back(pair.triangles);
  }
  return all;
}

TEST(LargestModelsTest, AnswersAreThoseOfTheModelOfSizeOne) {
  // So small that it can be moved by as much again.
  const Mesh torus = meshes::Scaled(meshes::Torus(6, 4), 0.5);
  const Answers expected = AnswersFrom(trees::Make(torus), 1);
  ASSERT_FALSE(expected.in_ball.empty());
  ASSERT_FALSE(expected.meet.empty());
  ASSERT_FALSE(expected.within.empty());
  for (const int exponent : {-140, 198}) {
    SCOPED_TRACE(exponent);
    const double unit = std::ldexp(1.0, exponent);
    for (const trees::Named& v : trees::Variants(meshes::Scaled(torus, unit))) {
      SCOPED_TRACE(v.name);
      ExpectSame(AnswersFrom(v.tree, unit), expected);
      const auto bytes = EncodeTree(v.tree);
      ASSERT_TRUE(bytes.ok());
      const auto read = DecodeTree(*bytes, "largest");
      ASSERT_TRUE(read.ok()) << read.status();
      ExpectSame(AnswersFrom(*read, unit), expected);
    }
  }
}

TEST(LargestModelsTest, WitnessPointsAreOnTheLongestEdges) {
  constexpr double kMost = kLargestCoordinate;
  meshes::Random random(31);
  for (int round = 0; round < 200; ++round) {
    const auto corner = [&] { return random.Point(-1, 1) * kMost; };
    const Vec3 a = corner();
    const Vec3 b = corner();
    const Vec3 c = corner();
    const Tree tree = trees::Make(meshes::FromTriangles({{a, b, c}}));
    for (const Vec3& vertex : {a, b, c}) {
      const auto at = ClosestPoint(tree, vertex);
      ASSERT_TRUE(at.has_value());
      EXPECT_EQ(at->distance, 0);
      EXPECT_EQ(at->point, vertex);
    }
    const auto closest = ClosestPoint(tree, corner());
    ASSERT_TRUE(closest.has_value());
    for (int k = 0; k < 3; ++k) {
      const double slack = 0x1p-48 * kMost;
      EXPECT_LE(closest->point[k], std::max({a[k], b[k], c[k]}) + slack);
      EXPECT_GE(closest->point[k], std::min({a[k], b[k], c[k]}) - slack);
    }
  }
}

TEST(LargestModelsTest, WindingNumbersAreNumbers) {
  const Mesh torus = meshes::Torus(16, 8);
  for (const int exponent : {-140, 0, 198}) {
    SCOPED_TRACE(exponent);
    const double unit = std::ldexp(1.0, exponent);
    const auto field =
        WindingNumberField::Of(trees::Make(meshes::Scaled(torus, unit)));
    EXPECT_NEAR(field.At({unit, 0, 0}, 0), 1, 1e-9);
    EXPECT_NEAR(field.At({0, 0, 0}, 0), 0, 1e-9);
    for (const Vec3& far : {Vec3{1e300, 0, 0}, Vec3{-1e308, 1e308, 1}}) {
      EXPECT_NEAR(field.At(far, 0), 0, 1e-2);
    }
    // Next to a corner, by as little as there is.
    for (const Vec3& v : field.tree().mesh().vertices()) {
      const Vec3 p = {std::nextafter(v.x, 0.0), v.y, v.z};
      EXPECT_TRUE(std::isfinite(field.At(p, 0)));
    }
  }
  // In a mesh that is nearly a point compared with the other one.
  const Mesh tiny = meshes::Joined(meshes::Scaled(torus, 1e-43), torus);
  const auto field = WindingNumberField::Of(trees::Make(tiny));
  EXPECT_NEAR(field.At({1e-43, 0, 0}, 0), 1, 1e-9);
  EXPECT_NEAR(field.At({1e-43, 0, 0}), 1, 1e-2);
  EXPECT_NEAR(field.At({0, 0, 0}), 0, 1e-2);
}

// It is the vertices that must stay in range, not the corners of
// the box around them, nor vertices that no triangle uses.
TEST(LargestModelsTest, APoseMayMoveTheBoxOutOfRange) {
  constexpr double kLarge = kLargestCoordinate;
  const Mesh mesh = meshes::Make(
      {{kLarge, 0, 0}, {0, kLarge, 0}, {0, 0, 1}, {kLarge, kLarge, 0}},
      {{0, 1, 2}});
  const Pose sum{{{{1, 1, 0}, {0, 1, 0}, {0, 0, 1}}}, {}};
  const Tree tree = trees::Make(mesh);
  const auto posed = PosedTree::Create(tree, sum);
  ASSERT_TRUE(posed.ok()) << posed.status();
  EXPECT_EQ(posed->triangle(0),
            (Triangle{{kLarge, 0, 0}, {kLarge, kLarge, 0}, {0, 0, 1}}));
  EXPECT_TRUE(AnyOverlap(*posed, tree));
  const Pose twice{{{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}};
  EXPECT_EQ(PosedTree::Create(tree, twice).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace orbox
