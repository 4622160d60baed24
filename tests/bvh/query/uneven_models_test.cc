// SPDX-License-Identifier: Apache-2.0

// Models whose coordinates are of all magnitudes at once, and models below the
// smallest normal double. Squares overflow or vanish, but the results of a tree
// are those of all its triangles, one by one.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

// A distance, and the doubles around it.
std::vector<double> Around(double d) {
  return {std::nextafter(d, 0.0), d, std::nextafter(d, kInf)};
}

void ExpectNearest(const Tree& tree, const Vec3& p) {
  const std::vector<SurfacePoint> all = brute_force::Nearest(tree.mesh(), p);
  const std::vector<SurfacePoint> found = KNearest(tree, p, all.size());
  ASSERT_EQ(found.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(found[i].triangle, all[i].triangle);
    EXPECT_EQ(found[i].distance, all[i].distance);
  }
}

void ExpectInRange(const Tree& tree, const Vec3& p, const Triangle& t) {
  for (const double r : Around(Distance(p, t).distance)) {
    const Sphere ball{p, r};
    if (!IsValid(ball)) continue;
    EXPECT_EQ(AllOverlaps(tree, ball), brute_force::InRange(tree.mesh(), ball));
  }
  for (const Vec3& corner : {t.a, t.b, t.c}) {
    const Aabb box{Min(p, corner), Max(p, corner)};
    EXPECT_EQ(AllOverlaps(tree, box), brute_force::InRange(tree.mesh(), box));
  }
}

void ExpectFirstHit(const Tree& tree, const Ray& ray) {
  if (!IsFinite(ray.direction) || ray.direction == Vec3()) return;
  std::optional<RayTriangleHit> first;
  for (uint32_t i = 0; i < tree.mesh().triangle_count(); ++i) {
    const auto hit = Intersect(ray, tree.mesh().triangle(i));
    if (hit && (!first || hit->t < first->t)) first = hit;
  }
  const auto found = ClosestHit(tree, ray);
  ASSERT_EQ(found.has_value(), first.has_value());
  if (first) {
    EXPECT_EQ(found->t, first->t);
  }
}

// Two meshes, and distances at which some pair of theirs just is.
void ExpectPairs(const Tree& a, const Tree& b) {
  EXPECT_TRUE(AllOverlaps(a, b) ==
              brute_force::Overlapping(a.mesh(), b.mesh()));
  EXPECT_EQ(ClosestPair(a, b)->distance,
            brute_force::Closest(a.mesh(), b.mesh()).distance);
  const double gap =
      DistanceBetween(a.mesh().triangle(0), b.mesh().triangle(0));
  for (const double d : Around(gap)) {
    const auto expected = brute_force::Within(a.mesh(), b.mesh(), d);
    const auto found = AllWithin(a, b, d);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(found[i].triangles == expected[i].triangles);
      EXPECT_EQ(found[i].distance, expected[i].distance);
    }
  }
}

void ExpectAsByForce(const std::vector<Triangle>& first,
                     const std::vector<Triangle>& second) {
  const Mesh mesh = meshes::FromTriangles(first);
  const Tree other = trees::Make(meshes::FromTriangles(second));
  for (const trees::Named& v : trees::Variants(mesh)) {
    SCOPED_TRACE(v.name);
    for (size_t i = 0; i < 2; ++i) {
      const Triangle& t = second[i];
      ExpectNearest(v.tree, t.a);
      ExpectInRange(v.tree, t.a, first[i]);
      ExpectFirstHit(v.tree, {t.a, t.b - t.a});
      ExpectFirstHit(v.tree, {t.a, first[i].a - t.a});
    }
    ExpectPairs(v.tree, other);
  }
}

// Half of the triangles are of one magnitude, so that answers are not all about
// which is the largest.
std::vector<Triangle> UnevenTriangles(TriangleCases& uneven,
                                      TriangleCases& even) {
  std::vector<Triangle> triangles;
  for (int i = 0; i < 6; ++i) {
    triangles.push_back(uneven.Next().first);
    triangles.push_back(even.Next().first);
  }
  return triangles;
}

TEST(UnevenModelsTest, AnswersAreThoseOfAllTriangles) {
  TriangleCases uneven(TriangleKind::kUneven, 1);
  TriangleCases even(TriangleKind::kLattice, 2);
  for (int round = 0; round < 4 && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto first = UnevenTriangles(uneven, even);
    ExpectAsByForce(first, UnevenTriangles(uneven, even));
  }
}

}  // namespace
}  // namespace orbox
