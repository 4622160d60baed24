// SPDX-License-Identifier: Apache-2.0

// Rays through the apex of a fan, along edges and in the plane of a flat mesh:
// the hits of all triangles, and few exact decisions, which are counted, not
// timed.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/overlap/triangles/internal/ray_corners.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// A cone of `n` triangles around `apex`, which is none of few digits.
Mesh Cone(uint32_t n, const Vec3& apex) {
  meshes::Random random(1);
  std::vector<Vec3> vertices = {apex};
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * i / n;
    vertices.push_back(apex + Vec3{std::cos(angle), std::sin(angle),
                                   random.Uniform(0.4, 0.6)});
    // In any of the three places.
    TriangleIndices t = {0, i + 1, (i + 1) % n + 1};
    std::rotate(t.begin(), t.begin() + i % 3, t.end());
    triangles.push_back(t);
  }
  return meshes::Make(std::move(vertices), std::move(triangles));
}

std::vector<RayHit> HitsOneByOne(const Mesh& mesh, const Ray& ray) {
  std::vector<RayHit> hits;
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    const auto hit = Intersect(ray, mesh.triangle(id));
    if (hit) hits.push_back({id, hit->t, hit->barycentric, hit->point});
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [&](const RayHit& x, const RayHit& y) {
                     return CompareHits(ray, mesh.triangle(x.triangle),
                                        mesh.triangle(y.triangle)) < 0;
                   });
  return hits;
}

void ExpectEqual(const RayHit& hit, const RayHit& expected) {
  EXPECT_EQ(hit.triangle, expected.triangle);
  EXPECT_EQ(hit.t, expected.t);
  EXPECT_EQ(hit.barycentric, expected.barycentric);
  EXPECT_EQ(hit.point, expected.point);
}

void ExpectRight(const Tree& tree, const Ray& ray) {
  const std::vector<RayHit> expected = HitsOneByOne(tree.mesh(), ray);
  const std::vector<RayHit> hits = AllHits(tree, ray);
  ASSERT_EQ(hits.size(), expected.size());
  for (size_t i = 0; i < hits.size(); ++i) ExpectEqual(hits[i], expected[i]);
  EXPECT_EQ(CountHits(tree, ray), expected.size());
  const std::optional<RayHit> first = ClosestHit(tree, ray);
  ASSERT_EQ(first.has_value(), !expected.empty());
  if (first) ExpectEqual(*first, expected[0]);
  const std::vector<Ray> twice = {ray, ray};
  const auto batch = ClosestHit(tree, twice).value();
  for (const auto& hit : batch) {
    ASSERT_EQ(hit.has_value(), !expected.empty());
    if (hit) ExpectEqual(*hit, expected[0]);
  }
}

// Numbers whose products take more digits than pairs of doubles have.
constexpr Vec3 kApex = {0.1234567890123456, -0.7071067811865475,
                        2.718281828459045};

// One decision is exact: that the ray passes through the apex.
TEST(RayCliffsTest, TheApexOfAFanIsHitOnce) {
  const Tree tree = trees::Make(Cone(250, kApex));
  for (const Ray& ray :
       {Ray{{}, kApex}, Ray{{}, kApex * 0.25}, Ray{kApex * 2, -kApex}}) {
    ExpectRight(tree, ray);
    TraversalStatistics all;
    EXPECT_EQ(AllHits(tree, ray, {.statistics = &all}).value().size(), 250u);
    EXPECT_LE(all.settled_by_expansion + all.settled_by_exact, 4u);
    TraversalStatistics first;
    ClosestHit(tree, ray, {.statistics = &first}).value();
    EXPECT_LE(first.settled_by_expansion + first.settled_by_exact, 4u);
  }
}

// The lowest of them may be in any leaf. Also tests apexes that floats do not
// distinguish.
TEST(RayCliffsTest, TheLowestOfAFanIsHit) {
  Mesh cone = Cone(150, kApex);
  std::vector<TriangleIndices> triangles(cone.triangles().begin(),
                                         cone.triangles().end());
  std::vector<Vec3> vertices(cone.vertices().begin(), cone.vertices().end());
  meshes::Random random(8);
  for (int i = 0; i < 6; ++i) {
    const auto k = random.Below(triangles.size());
    std::rotate(triangles.begin(), triangles.begin() + k, triangles.end());
    if (i == 4) {
      // Half of them have another apex, an ulp aside.
      vertices.push_back(kApex);
      vertices.back().y = std::nextafter(kApex.y, 0);
      for (size_t j = 0; j < triangles.size(); j += 2) {
        for (uint32_t& v : triangles[j]) {
          if (v == 0) v = static_cast<uint32_t>(vertices.size()) - 1;
        }
      }
    }
    for (const trees::Named& tree :
         trees::Variants(meshes::Make(vertices, triangles))) {
      SCOPED_TRACE(tree.name);
      ExpectRight(tree.tree, {{}, kApex});
      ExpectRight(tree.tree, {kApex * 2, -kApex});
      ExpectRight(tree.tree, {vertices.back() * 2, -vertices.back()});
    }
  }
}

// Rays that come to the apex and go on along an edge hit the triangles there at
// the apex first; those that start on the edge or come back along it do not.
TEST(RayCliffsTest, AlongTheEdgesOfAFan) {
  meshes::Random random(6);
  const Vec3 apex = random.LatticePoint(4);
  std::vector<Triangle> triangles;
  std::vector<Vec3> rim;
  for (int i = 0; i < 24; ++i) {
    rim.push_back(apex + random.LatticePoint(3) + Vec3{0.25, 0, 4});
  }
  for (size_t i = 0; i < rim.size(); ++i) {
    Vec3 corners[] = {apex, rim[i], rim[(i + 1) % rim.size()]};
    std::rotate(corners, corners + i % 3, corners + 3);
    triangles.push_back({corners[0], corners[1], corners[2]});
    // In the plane of an edge, and copies.
    if (i % 4 == 0) triangles.push_back({apex, rim[i], apex * 2 - rim[i] * 2});
    if (i % 5 == 0) triangles.push_back(triangles.back());
  }
  const Tree tree = trees::Make(meshes::FromTriangles(triangles));
  for (const Vec3& v : rim) {
    const Vec3 along = v - apex;
    ExpectRight(tree, {apex - along, along});
    ExpectRight(tree, {apex - along * 3, along * 0.5});
    ExpectRight(tree, {apex, along});
    ExpectRight(tree, {apex + along * 0.5, along});
    ExpectRight(tree, {v + along, -along});
  }
}

// Some triangles of a fan are in a plane with the ray, which enters them before
// the apex. Their common apex decides nothing about them.
TEST(RayCliffsTest, TrianglesOfAFanInAPlaneWithTheRay) {
  const Vec3 apex = {0.5, 0.25, 0.125};
  const Ray ray{apex + Vec3{0, 0, 2}, {0, 0, -1}};
  const Mesh flat = meshes::FromTriangles(
      {{apex + Vec3{1, 0, 0.5}, apex, apex + Vec3{-1, 0, 0.5}},
       {apex + Vec3{0, 1, 0.75}, apex + Vec3{0, -1, 0.5}, apex},
       {apex, apex + Vec3{0, 1, -1}, apex + Vec3{0, -1, -1}},
       {apex, apex + Vec3{0, 0, 1}, apex + Vec3{0, 0, 1}}});
  for (const Mesh& mesh :
       {meshes::Joined(Cone(60, apex), flat),
        meshes::Joined(flat, Cone(60, apex)),
        meshes::Joined(Cone(60, apex), Cone(50, apex)),
        meshes::Joined(
            meshes::Moved(Cone(60, apex), Pose::Translation({0, 0, 0x1p-30})),
            Cone(50, apex))}) {
    for (const trees::Named& tree : trees::Variants(mesh)) {
      SCOPED_TRACE(tree.name);
      ExpectRight(tree.tree, ray);
      ExpectRight(tree.tree, {ray.origin, ray.direction * -1});
    }
  }
}

// The lowest id of each, also where zeros differ by their signs and corners by
// their order, and where other triangles are hit in the same place.
TEST(RayCliffsTest, CopiesAreHitAsOne) {
  meshes::Random random(3);
  std::vector<Triangle> triangles;
  for (int i = 0; i < 300; ++i) {
    const double zero = random.Below(2) == 0 ? 0.0 : -0.0;
    const Vec3 corners[] = {
        {0.1, 0.2, zero}, {0.9, 0.3, zero}, {0.4, 0.8, 0.3}};
    const size_t turn = random.Below(5) == 0 ? 1 : 0;
    triangles.push_back(
        {corners[turn], corners[turn + 1], corners[(turn + 2) % 3]});
    if (i % 50 == 7) triangles.push_back({{0, 0, 0}, {1, 0, 0}, {0, 1, 0.3}});
  }
  const Mesh mesh = meshes::FromTriangles(triangles);
  for (const trees::Named& tree : trees::Variants(mesh)) {
    SCOPED_TRACE(tree.name);
    const Triangle& t = triangles[0];
    for (const Vec3& at : {t.a * 0.3 + t.b * 0.3 + t.c * 0.4, t.b,
                           (t.a + t.b) * 0.5, Vec3{0.25, 0.25, 0.1}}) {
      for (const Vec3& way : {Vec3{0, 0, -1}, Vec3{0.3, -0.7, 0.2}}) {
        ExpectRight(tree.tree, {at - way * 2, way});
      }
    }
  }
}

// All are certainly hit, and which of them first only doubles know.
TEST(RayCliffsTest, LayersThatFloatsDoNotTellApart) {
  for (const double step : {0x1p-10, 0x1p-22, 0x1p-26, 0x1p-45}) {
    SCOPED_TRACE(step);
    meshes::Random random(5);
    std::vector<Triangle> triangles;
    for (int i = 0; i < 150; ++i) {
      const double z = random.Below(100) * step;
      triangles.push_back({{0, 0, z}, {1, 0.1, z}, {0.2, 1, z}});
    }
    const Tree tree = trees::Make(meshes::FromTriangles(triangles));
    for (int i = 0; i < 8; ++i) {
      const Vec3 at = {random.Uniform(0.3, 0.5), random.Uniform(0.3, 0.4), 0};
      const Vec3 way = {random.Uniform(-0.3, 0.3), random.Uniform(-0.3, 0.3),
                        i % 2 == 0 ? 1.0 : -1.0};
      ExpectRight(tree, {at - way * 2, way});
    }
  }
}

// Floats decide no hit for certain, but the first triangles bound how far a ray
// has to be followed.
TEST(RayCliffsTest, RaysInAFlatMeshStopAtItsRim) {
  for (const int side : {20, 80}) {
    const Tree tree = trees::Make(meshes::Grid(side));
    meshes::Random random(4);
    for (int i = 0; i < 20; ++i) {
      Vec3 origin = random.Direction();
      origin.z = 0;
      origin = Normalized(origin) * 3;
      const Vec3 to = {random.Uniform(0.3, 0.7), random.Uniform(0.3, 0.7), 0};
      const Ray ray{origin, to - origin};
      TraversalStatistics steps;
      const auto hit = ClosestHit(tree, ray, {.statistics = &steps}).value();
      ASSERT_TRUE(hit.has_value());
      const Triangle t = tree.mesh().triangle(hit->triangle);
      EXPECT_EQ(hit->t, Intersect(ray, t)->t);
      EXPECT_LE(steps.triangle_tests, 160);
      // Triangles that the ray enters after the best hit are not evaluated.
      EXPECT_LE(steps.settled_by_double, 24);
      EXPECT_LE(steps.settled_by_expansion + steps.settled_by_exact, 24);
      if (side == 20) ExpectRight(tree, ray);
    }
  }
}

// Corners at several points of a ray with nearly equal rounded ts, and rays in
// the planes of triangles.
TEST(RayCliffsTest, HitsAreThoseOfSingleTriangles) {
  const Mesh grid = meshes::Grid(6, 0);
  ExpectRight(trees::Make(grid), {{-1, 0.5, 0}, {1, 0, 0}});
  ExpectRight(trees::Make(grid), {{-1, -1, 0}, {1, 1, 0}});
  ExpectRight(trees::Make(grid), {{-1, 0.25, 0}, {1, 0.01, 0}});
  const Mesh cone = Cone(40, kApex);
  const Mesh cones = meshes::Joined(
      meshes::Joined(cone,
                     meshes::Moved(cone, Pose::Translation({0, 0x1p-52, 0}))),
      meshes::Joined(meshes::Moved(cone, Pose::Translation(kApex)), cone));
  ExpectRight(trees::Make(cones), {{}, kApex});
  ExpectRight(trees::Make(cones), {kApex * 8, -kApex});
  ExpectRight(trees::Make(meshes::DegenerateMix(200)), {{-1, 0, 0}, {1, 0, 0}});
  ExpectRight(trees::Make(meshes::Identical(50)), {{0, 0, 1}, {0, 0, -1}});
}

// Rays from vertex to vertex, and from middles of edges along them. Doubles
// decide of nearly all triangles, though lines pass through corners and edges.
TEST(RayCliffsTest, RaysAlongEdgesNeedFewDigits) {
  const Mesh knot =
      GenerateMesh({.shape = "torus_knot", .triangles = 1000}).value();
  const Tree tree = trees::Make(knot);
  meshes::Random random(3);
  TraversalStatistics first;
  TraversalStatistics all;
  constexpr uint32_t kRays = 200;
  for (uint32_t i = 0; i < kRays; ++i) {
    const Triangle t = knot.triangle(random.Below(knot.triangle_count()));
    const Vec3 along = t.b - t.a;
    const Vec3 from = i % 2 == 0 ? t.a : (t.a + t.b) * 0.5;
    const Ray ray{from - along * 3, along};
    if (i < 20) ExpectRight(tree, ray);
    ClosestHit(tree, ray, {.statistics = &first}).value();
    AllHits(tree, ray, {.statistics = &all}).value();
  }
  EXPECT_LE(first.settled_by_expansion, kRays / 8);
  EXPECT_LE(all.settled_by_expansion, kRays / 8);
  EXPECT_EQ(first.settled_by_exact, 0u);
  EXPECT_EQ(all.settled_by_exact, 0u);
}

// From a million million diagonals away, a ray still sees few triangles.
TEST(RayCliffsTest, RaysFromFarAwaySeeFewTriangles) {
  const Tree tree = trees::Make(meshes::Torus(64, 32));
  meshes::Random random(5);
  for (const double away : {1e3, 1e6, 1e9, 1e12, 1e15, 1e20, 1e26}) {
    SCOPED_TRACE(away);
    TraversalStatistics all;
    for (int i = 0; i < 20; ++i) {
      const Vec3 target = random.Point(-0.8, 0.8);
      const Vec3 from = random.Direction() * away;
      const Ray ray{from, target - from};
      if (i < 3) ExpectRight(tree, ray);
      AllHits(tree, ray, {.statistics = &all}).value();
    }
    EXPECT_LE(all.triangle_tests, 20u * 400);
    EXPECT_EQ(all.settled_by_exact, 0u);
    // From there, hits round to the same t, and exact arithmetic orders them.
    if (away <= 1e15) {
      EXPECT_EQ(all.settled_by_expansion, 0u);
    }
  }
}

// Rays in the smallest and largest models see as few triangles as others, and
// no decision is of integers.
TEST(RayCliffsTest, SizesMakeNoDifference) {
  const Mesh torus = meshes::Torus(32, 16);
  for (const double size : {1e-43, 1.0, 1e59}) {
    SCOPED_TRACE(size);
    const Tree tree = trees::Make(meshes::Scaled(torus, size));
    meshes::Random random(6);
    TraversalStatistics first;
    for (int i = 0; i < 20; ++i) {
      const Vec3 from = random.Direction() * 4;
      const Vec3 target = random.Point(-0.8, 0.8);
      const Ray ray{from * size, (target - from) * size};
      if (i < 3) ExpectRight(tree, ray);
      // Directions of another size.
      if (i == 4) ExpectRight(tree, {ray.origin, target - from});
      ClosestHit(tree, ray, {.statistics = &first}).value();
    }
    EXPECT_LE(first.triangle_tests, 20u * 200);
    EXPECT_EQ(first.settled_by_exact, 0u);
  }
}

// Triangles of a lattice, on which rays meet corners, edges and planes.
TEST(RayCliffsTest, CornersAnswerAsTrianglesDo) {
  meshes::Random random(2);
  for (int i = 0; i < 300; ++i) {
    const Ray ray{random.LatticePoint(2), random.LatticePoint(2)};
    RayCorners corners(ray);
    std::vector<Triangle> hit_ones;
    for (int k = 0; k < 30; ++k) {
      const Triangle t{random.LatticePoint(1), random.LatticePoint(1),
                       random.LatticePoint(1)};
      // Shorter and longer ones, which end at corners, too.
      const double max_t = static_cast<double>(random.Below(9)) / 4;
      const auto hit = corners.Intersect(t, max_t, nullptr);
      const auto expected = Intersect(ray, t, max_t);
      ASSERT_EQ(hit.has_value(), expected.has_value());
      EXPECT_EQ(corners.Overlaps(t, max_t, nullptr), expected.has_value());
      if (!hit) continue;
      EXPECT_EQ(hit->t, expected->t);
      EXPECT_EQ(hit->barycentric, expected->barycentric);
      EXPECT_EQ(hit->point, expected->point);
      for (const Triangle& s : hit_ones) {
        if (corners.AreHitAlike(s, t)) {
          EXPECT_EQ(CompareHits(ray, s, t), 0);
        }
      }
      hit_ones.push_back(t);
    }
  }
}

// For points through which the line passes.
TEST(RayCliffsTest, CornersAreMetAsPointsAre) {
  meshes::Random random(7);
  const Vec3 some[] = {{0.1, -0.7, 0.3}, {3, 1, -2}, {0, 0, 1e-300}, {1, 0, 0}};
  int hits = 0;
  int misses = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec3& d = some[i % 4];
    const Vec3 p = random.LatticePoint(1);
    // Exactly, since these factors are powers of two, or from the corner on.
    const Ray ray{p - d * (i % 3 == 0 ? 0 : 2), d};
    RayCorners corners(ray);
    const double max_t = static_cast<double>(random.Below(5));
    if (!Overlaps(ray, {p, p, p})) continue;
    for (const Vec3& at : {p, p + d * 2, p - d * 8}) {
      if (at != p && p + (at - p) != at) continue;
      const Ray back{ray.origin, -d};
      if (!Overlaps(ray, {at, at, at}) && !Overlaps(back, {at, at, at})) {
        continue;
      }
      const auto corner_hit = corners.TestCorner(at, max_t);
      if (corner_hit == RayCorners::CornerHit::kUndecided) continue;
      const auto expected = Intersect(ray, {at, at, at}, max_t);
      EXPECT_EQ(corner_hit == RayCorners::CornerHit::kHit,
                expected.has_value());
      ++(expected ? hits : misses);
      if (expected) {
        EXPECT_EQ(corners.t(), expected->t);
      }
    }
  }
  EXPECT_GT(hits, 100);
  EXPECT_GT(misses, 100);
}

}  // namespace
}  // namespace orbox
