// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/base/query_cancelled.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// The results by testing every triangle; ray_triangle_test.cc tests single
// triangles.
std::vector<RayHit> RunEach(const Mesh& mesh, const Ray& ray, double max_t) {
  std::vector<RayHit> hits;
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    const auto hit = Intersect(ray, mesh.triangle(id), max_t);
    if (hit) hits.push_back({id, hit->t, hit->barycentric, hit->point});
  }
  std::sort(hits.begin(), hits.end(), [&](const RayHit& x, const RayHit& y) {
    const int order =
        CompareHits(ray, mesh.triangle(x.triangle), mesh.triangle(y.triangle));
    return order != 0 ? order < 0 : x.triangle < y.triangle;
  });
  return hits;
}

void ExpectSameHit(const RayHit& x, const RayHit& y) {
  EXPECT_EQ(x.triangle, y.triangle);
  EXPECT_EQ(x.t, y.t);
  EXPECT_EQ(x.barycentric, y.barycentric);
  EXPECT_EQ(x.point, y.point);
}

// All queries against brute force, on every kind of tree. Returns how many
// triangles are hit.
size_t CheckRay(const Mesh& mesh, const std::vector<trees::Named>& variants,
                Ray ray, double max_t = kInf) {
  if (ray.direction == Vec3{}) return 0;  // not_valid_test.cc
  const std::vector<RayHit> expected = RunEach(mesh, ray, max_t);
  ray.max_t = max_t;
  for (const trees::Named& v : variants) {
    SCOPED_TRACE(v.name);
    EXPECT_EQ(AnyHit(v.tree, ray), !expected.empty());
    const auto first = ClosestHit(v.tree, ray);
    EXPECT_EQ(first.has_value(), !expected.empty());
    if (first && !expected.empty()) ExpectSameHit(*first, expected[0]);
    const std::vector<RayHit> all = AllHits(v.tree, ray);
    EXPECT_EQ(all.size(), expected.size());
    EXPECT_EQ(CountHits(v.tree, ray), expected.size());
    if (all.size() != expected.size()) continue;
    for (size_t i = 0; i < all.size(); ++i) ExpectSameHit(all[i], expected[i]);
  }
  return expected.size();
}

double SizeOf(const Mesh& mesh) {
  return Norm(mesh.bounds().hi - mesh.bounds().lo);
}

TEST(RayHitTest, AgreesWithBruteForceOnEveryMesh) {
  meshes::Random random(1);
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const auto variants = trees::Variants(m.mesh);
    const double size = SizeOf(m.mesh);
    size_t hits = 0;
    for (int i = 0; i < 10; ++i) {
      const Vec3 o = m.mesh.bounds().Center() + random.Point(-1, 1) * size;
      const Triangle t = m.mesh.triangle(random.Below(m.mesh.triangle_count()));
      const Vec3 inside = t.a * 0.25 + t.b * 0.5 + t.c * 0.25;
      const Vec3 on_edge = t.a * 0.625 + t.c * 0.375;
      CheckRay(m.mesh, variants, {o, random.Direction() * size});
      hits += CheckRay(m.mesh, variants, {o, (inside - o) * 0.125});
      CheckRay(m.mesh, variants, {o, t.b - o});
      CheckRay(m.mesh, variants, {o, on_edge - o}, random.Uniform(0, 1.5));
      // From the surface, and along an edge.
      CheckRay(m.mesh, variants, {t.b, random.Direction()});
      CheckRay(m.mesh, variants, {t.a - (t.b - t.a), t.b - t.a});
    }
    EXPECT_GT(hits, 0u);
  }
}

// Through vertices and edges of lattices, along axes, in planes of faces: every
// coincidence at once.
TEST(RayHitTest, LatticeRays) {
  meshes::Random random(2);
  const Mesh cube = meshes::Cube({-1, -1, -1}, 2);
  const Mesh grid = meshes::Grid(8);
  for (const Mesh& mesh : {cube, grid, meshes::DegenerateMix(150)}) {
    const auto variants = trees::Variants(mesh);
    const auto step = [&](int reach) {
      return (static_cast<double>(random.Below(2 * reach + 1)) - reach) * 0.125;
    };
    for (int i = 0; i < 60; ++i) {
      const Vec3 o{step(12), step(12), step(12)};
      Vec3 d{step(2), step(2), step(2)};
      if (i % 3 == 0) d[random.Below(3)] = -0.0;
      if (i % 5 == 0) d = Vec3{0, 0, i % 2 == 0 ? 1.0 : -1.0};
      if (d == Vec3{}) continue;
      CheckRay(mesh, variants, {o, d}, i % 4 == 0 ? 1 : kInf);
    }
  }
  EXPECT_EQ(ClosestHit(trees::Make(grid), Ray{{0.5, 0.5, 1}, {0, 0, -1}})->t,
            1);
}

// No ray slips between the triangles of a closed surface, at any of its
// vertices and edges, from outside or from within.
TEST(RayHitTest, ClosedMeshesAreWatertight) {
  meshes::Random random(3);
  for (const Mesh& mesh :
       {meshes::Icosphere(3), meshes::Cube({-1, -1, -1}, 2)}) {
    for (const trees::Kind& kind : trees::Kinds()) {
      const Tree tree = trees::Make(mesh, kind.volumes);
      for (int i = 0; i < 300; ++i) {
        const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
        const double u = random.Below(3) == 0 ? 0 : random.Uniform(0, 1);
        const Vec3 target = t.a + (t.b - t.a) * u;
        const Vec3 within = random.Point(-0.3, 0.3);
        EXPECT_TRUE(AnyHit(tree, Ray{within, target - within}));
        EXPECT_TRUE(ClosestHit(tree, Ray{within, within - target}));
        const Vec3 outside = target * 3 + random.Point(-0.5, 0.5);
        EXPECT_TRUE(ClosestHit(tree, Ray{outside, within - outside}));
        EXPECT_TRUE(AnyHit(tree, Ray{outside, within - outside, 0, 1}));
      }
    }
  }
}

TEST(RayHitTest, TiesGoToTheLowestId) {
  const Mesh copies = meshes::Identical(300);
  for (const trees::Named& v : trees::Variants(copies)) {
    EXPECT_EQ(ClosestHit(v.tree, Ray{{0.2, 0.2, 1}, {0.01, 0, -1}})->triangle,
              0u);
    EXPECT_EQ(AllHits(v.tree, Ray{{0.25, 0.25, 1}, {0, 0, -1}}).size(), 300u);
  }
  const Mesh grid = meshes::Grid(16);
  for (const trees::Named& v : trees::Variants(grid)) {
    // A vertex has six triangles around it; the lowest id is the first one.
    const Ray ray{{0.5, 0.5, 2}, {0, 0, -1}};
    const auto all = AllHits(v.tree, ray);
    ASSERT_EQ(all.size(), 6u);
    EXPECT_EQ(ClosestHit(v.tree, ray)->triangle, all[0].triangle);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                               [](const RayHit& x, const RayHit& y) {
                                 return x.triangle < y.triangle;
                               }));
  }
}

TEST(RayHitTest, EveryScaleAndPlace) {
  const Mesh torus = meshes::Torus(24, 10);
  const Ray ray{{1.5, 0.3, 2}, {-0.3, -0.1, -1.1}};
  const auto expected = RunEach(torus, ray, kInf);
  ASSERT_FALSE(expected.empty());
  for (const int exponent : {-140, -40, 40, 190}) {
    SCOPED_TRACE(exponent);
    const double s = std::ldexp(1.0, exponent);
    for (const trees::Named& v : trees::Variants(meshes::Scaled(torus, s))) {
      SCOPED_TRACE(v.name);
      const auto all = AllHits(v.tree, Ray{ray.origin * s, ray.direction * s});
      ASSERT_EQ(all.size(), expected.size());
      for (size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].triangle, expected[i].triangle);
        EXPECT_EQ(all[i].t, expected[i].t);
      }
      const auto first = ClosestHit(v.tree, Ray{ray.origin * s, ray.direction});
      ASSERT_TRUE(first);
      EXPECT_EQ(first->t, expected[0].t * s);
    }
  }
  for (const double offset : {0x1p20, 0x1p40}) {
    const Vec3 t{offset, offset, -offset};
    const Mesh moved = meshes::Moved(torus, Pose::Translation(t));
    CheckRay(moved, trees::Variants(moved), {ray.origin + t, ray.direction});
  }
}

TEST(RayHitTest, FromVeryFarAway) {
  meshes::Random random(4);
  const Mesh mesh = meshes::Icosphere(1);
  const auto variants = trees::Variants(mesh);
  for (const double far : {1e1, 1e3, 1e6, 1e9, 1e12, 1e15, 1e100, 1e300}) {
    SCOPED_TRACE(far);
    size_t hits = 0;
    for (int i = 0; i < 4; ++i) {
      const Vec3 o = random.Direction() * far;
      const Vec3 target = random.Point(-0.5, 0.5);
      hits += CheckRay(mesh, variants, {o, target - o}, 1.5);
      hits += CheckRay(mesh, variants, {o, (o - target) * -0x1p-20});
      CheckRay(mesh, variants, {o, target - o}, 1);
      CheckRay(mesh, variants, {o, o - target});
    }
    // From 1e15 on, rounding the direction may move the ray past the mesh.
    if (far <= 1e12) {
      EXPECT_EQ(hits, 16u);
    }
  }
}

// The ray passes through the centre at t = 1, without rounding.
TEST(RayHitTest, LimitsHoldHoweverFarAwayTheOriginIs) {
  const Mesh mesh = meshes::Icosphere(1);
  const auto variants = trees::Variants(mesh);
  for (int exponent = 0; exponent <= 1000; exponent += kSanitized ? 100 : 25) {
    SCOPED_TRACE(exponent);
    const Vec3 o = Vec3{1, 0.5, -1.75} * std::ldexp(1.0, exponent);
    size_t hits = 0;
    for (const double max_t : {0.0, 0.5, 1.0}) {
      hits += CheckRay(mesh, variants, {o, -o}, max_t);
    }
    EXPECT_GT(hits, 0u);
    EXPECT_GT(CheckRay(mesh, variants, {o, -o}, 2), hits);
  }
}

// Turning, mirroring, and reversing a mesh by what does not round changes
// nothing but the coordinates.
TEST(RayHitTest, PermutedAxesAndSignsGiveTheSameHits) {
  meshes::Random random(5);
  const Mesh mesh = meshes::Grid(14, 0.2);
  const auto turned = [](const Vec3& p) { return Vec3{p.z, -p.x, p.y}; };
  std::vector<Vec3> vertices;
  for (const Vec3& v : mesh.vertices()) vertices.push_back(turned(v));
  const Mesh other = meshes::Make(
      vertices, {mesh.triangles().begin(), mesh.triangles().end()});
  const Tree tree = trees::Make(mesh);
  const Tree other_tree = trees::Make(other);
  int hits = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3 o = random.Point(-0.5, 1.5);
    const Ray ray{o, random.Point(0, 1) - o};
    const auto x = ClosestHit(tree, ray);
    const auto y =
        ClosestHit(other_tree, Ray{turned(ray.origin), turned(ray.direction)});
    ASSERT_EQ(x.has_value(), y.has_value());
    if (!x) continue;
    ++hits;
    EXPECT_EQ(x->triangle, y->triangle);
    EXPECT_EQ(x->t, y->t);
  }
  EXPECT_GT(hits, 20);
}

TEST(RayHitTest, NothingBeyondTheLargestDistance) {
  const Tree tree = trees::Make(meshes::Cube());
  Ray ray{{0.5, 0.5, 5}, {0, 0, -1}};
  EXPECT_TRUE(AnyHit(tree, ray));
  ray.max_t = 4;
  EXPECT_TRUE(AnyHit(tree, ray));
  ray.max_t = std::nextafter(4, 0);
  EXPECT_FALSE(AnyHit(tree, ray));
  EXPECT_FALSE(ClosestHit(tree, ray));
}

TEST(RayHitTest, TheShortestDirectionsThatAreValidFindEveryHit) {
  constexpr double kShortest = 0x1p-800;
  const Tree tree = trees::Make(meshes::Cube());
  const Ray ray{{2, 0.7, 0.6}, {-kShortest, 0, 0}};
  ASSERT_TRUE(ClosestHit(tree, ray).has_value());
  EXPECT_EQ(ClosestHit(tree, ray)->t, 0x1p800);
  EXPECT_EQ(AllHits(tree, ray).back().t, 0x1p801);
  // The origin is as far away as it may be for this direction.
  const Ray far{{0x1p300, 0.7, 0.6}, {-0x1p-700, 0, 0}};
  ASSERT_TRUE(ClosestHit(tree, far).has_value());
  EXPECT_EQ(ClosestHit(tree, far)->t, 0x1p1000);
  const double below = std::nextafter(1, 0);
  for (const Ray& bad : {Ray{ray.origin, ray.direction * below},
                         Ray{far.origin, far.direction * below}}) {
    const auto refused = ClosestHit(tree, std::span<const Ray>(&bad, 1));
    EXPECT_THAT(std::string(refused.status().message()),
                testing::HasSubstr("query 0: the direction of the ray is so "
                                   "short"));
  }
}

TEST(RayHitTest, TheVisitorStops) {
  const Tree tree = trees::Make(meshes::Identical(100));
  int seen = 0;
  VisitHits(tree, Ray{{0.2, 0.2, 1}, {0, 0, -1}}, [&](const RayHit& hit) {
    EXPECT_EQ(hit.t, 1);
    return ++seen == 3 ? Visit::kStop : Visit::kContinue;
  });
  EXPECT_EQ(seen, 3);
}

// Results have equal bits on every instruction set, and take equal work.
TEST(RayHitTest, EveryInstructionSetAgreesToTheLastCount) {
  const Mesh mesh = meshes::Torus(60, 30);
  meshes::Random random(6);
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    for (int i = 0; i < 20; ++i) {
      const Vec3 o = random.Point(-2, 2);
      const Ray ray{o, random.Point(-1, 1) - o};
      TraversalStatistics first;
      SetInstructionSet(SupportedInstructionSets().front());
      const RunOptions count_first{.statistics = &first};
      const auto expected = ClosestHit(tree, ray, count_first).value();
      const bool any = AnyHit(tree, ray, count_first).value();
      const size_t count = AllHits(tree, ray, count_first).value().size();
      const TraversalStatistics& s = first;
      EXPECT_EQ(s.settled_by_float + s.settled_by_double +
                    s.settled_by_expansion + s.settled_by_exact,
                s.triangle_tests);
      trees::OnEachInstructionSet([&] {
        TraversalStatistics statistics;
        const RunOptions run{.statistics = &statistics};
        const auto hit = ClosestHit(tree, ray, run).value();
        ASSERT_EQ(hit.has_value(), expected.has_value());
        if (hit) ExpectSameHit(*hit, *expected);
        EXPECT_EQ(AnyHit(tree, ray, run).value(), any);
        EXPECT_EQ(AllHits(tree, ray, run).value().size(), count);
        EXPECT_EQ(statistics, first);
      });
    }
  }
}

// The float row settles nearly all, and double what is left: exact arithmetic
// is for coincidences.
TEST(RayHitTest, FewTrianglesNeedMoreThanFloat) {
  const Mesh mesh = meshes::Grid(100, 0.05);
  const Tree tree = trees::Make(mesh);
  meshes::Random random(7);
  TraversalStatistics statistics;
  constexpr uint64_t kRays = 500;
  uint64_t hits = 0;
  for (uint64_t i = 0; i < kRays; ++i) {
    const Vec3 o = random.Point(0, 1) + Vec3{0, 0, 1};
    const Vec3 target{random.Uniform(0, 1), random.Uniform(0, 1), 0};
    hits += ClosestHit(tree, Ray{o, target - o}, {.statistics = &statistics})
                .value()
                .has_value();
  }
  EXPECT_EQ(hits, kRays);
  EXPECT_EQ(statistics.settled_by_exact, 0u);
  // Each hit itself, and few others.
  EXPECT_GE(statistics.settled_by_double, kRays);
  EXPECT_LE(statistics.settled_by_double, kRays + kRays / 10);
  EXPECT_GT(statistics.triangle_tests, 5 * kRays);
}

TEST(RayHitTest, WhetherAnythingIsHitIsToldInFewerSteps) {
  const Mesh mesh = meshes::Torus(60, 30);
  const Tree tree = trees::Make(mesh);
  meshes::Random random(23);
  TraversalStatistics any;
  TraversalStatistics first;
  for (int i = 0; i < 300; ++i) {
    const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
    const Vec3 o = random.Direction() * 4;
    const Ray ray{o, (t.a + t.b + t.c) * (1.0 / 3) - o};
    EXPECT_TRUE(AnyHit(tree, ray, {.statistics = &any}).value());
    EXPECT_TRUE(ClosestHit(tree, ray, {.statistics = &first}).value());
  }
  // The current leaf ends the search, near or not.
  EXPECT_LT(any.leaves_visited, first.leaves_visited);
  EXPECT_LT(any.triangle_tests, first.triangle_tests);
}

TEST(RayHitTest, BatchesHaveTheAnswersOfSingleRays) {
  const Tree tree = trees::Make(meshes::Torus(24, 10));
  meshes::Random random(9);
  std::vector<Ray> rays = {{{0, 0, 0}, {1e-240, 0, 0}}};
  for (int i = 0; i < 600; ++i) {
    rays.push_back({random.Point(-2, 2), random.Direction()});
  }
  for (const int threads : {1, 2}) {
    for (const double max_t : {kInf, 1.0, 0.0}) {
      for (Ray& ray : rays) ray.max_t = max_t;
      const RunOptions options = {.threads = threads};
      const auto any = AnyHit(tree, rays, options).value();
      const auto counts = CountHits(tree, rays, options).value();
      const auto first = ClosestHit(tree, rays, options).value();
      const auto all = AllHits(tree, rays, options).value();
      ASSERT_EQ(any.size(), rays.size());
      ASSERT_EQ(all.size(), rays.size());
      for (size_t i = 0; i < rays.size(); ++i) {
        const auto expected = RunEach(tree.mesh(), rays[i], max_t);
        EXPECT_EQ(any[i], expected.empty() ? 0 : 1);
        EXPECT_EQ(counts[i], expected.size());
        ASSERT_EQ(first[i].has_value(), !expected.empty());
        if (first[i]) ExpectSameHit(*first[i], expected[0]);
        ASSERT_EQ(all[i].size(), expected.size());
        for (size_t j = 0; j < expected.size(); ++j) {
          ExpectSameHit(all[i][j], expected[j]);
        }
      }
    }
  }
}

TEST(RayHitTest, CancelledQueriesReturnAStatus) {
  const Tree tree = trees::Make(meshes::Torus(24, 10));
  const Ray ray{{-3, 0.01, 0.02}, {1, 0, 0}};
  ASSERT_GT(CountHits(tree, ray), 2u);
  std::atomic<bool> cancelled = false;
  size_t seen = 0;
  const auto cancel = [&](const RayHit&) {
    cancelled = true;
    ++seen;
    return Visit::kContinue;
  };
  const RunOptions options{.cancelled = &cancelled};
  EXPECT_EQ(VisitHits(tree, ray, cancel, options).code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(seen, 1u);
  EXPECT_EQ(AllHits(tree, ray, options).status().code(),
            absl::StatusCode::kCancelled);
  const std::vector<Ray> rays(3, ray);
  EXPECT_EQ(AllHits(tree, rays, options).status().code(),
            absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace orbox
