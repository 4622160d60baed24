// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/query/rays/internal/ray_search.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/sweeps.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

struct Expected {
  std::vector<SweepHit> all;
  std::optional<SweepHit> first;
  double least_earliest = 1;  // of any triangle

  const SweepHit& Of(uint32_t triangle) const {
    return *std::find_if(all.begin(), all.end(), [&](const SweepHit& hit) {
      return hit.triangle == triangle;
    });
  }
};

// That it is one of those that are touched first.
void CheckFirst(const SweepHit& hit, const Expected& expected,
                double together) {
  const SweepHit& alone = expected.Of(hit.triangle);
  EXPECT_EQ(hit.latest, alone.latest);
  EXPECT_EQ(hit.point, alone.point);
  EXPECT_LE(hit.earliest, alone.earliest);
  EXPECT_GE(hit.earliest,
            std::min(expected.least_earliest, hit.latest - together));
  // Each is touched between its own two ends.
  EXPECT_LE(hit.earliest, expected.first->latest);
  EXPECT_LE(hit.latest, expected.first->latest + together);
}

// Tests every triangle; swept_sphere_test.cc tests single ones.
Expected RunEach(const Mesh& mesh, const SweptSphere& ball, double max_t = 1) {
  Expected expected;
  std::optional<SweepHit>& first = expected.first;
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    const auto c = FirstContact(ball, mesh.triangle(id), max_t);
    if (!c) continue;
    expected.all.push_back({id, c->earliest, c->latest, c->point});
    expected.least_earliest = std::min(expected.least_earliest, c->earliest);
    if (!first || c->latest < first->latest) {
      first = SweepHit{id, c->earliest, c->latest, c->point};
    }
  }
  std::stable_sort(
      expected.all.begin(), expected.all.end(),
      [](const SweepHit& x, const SweepHit& y) { return x.latest < y.latest; });
  return expected;
}

// On every kind of tree. Returns whether there is contact.
bool CheckSweep(const Mesh& mesh, const std::vector<trees::Named>& variants,
                const SweptSphere& ball) {
  const Expected all = RunEach(mesh, ball);
  const std::optional<SweepHit>& expected = all.first;
  for (const trees::Named& v : variants) {
    SCOPED_TRACE(v.name);
    EXPECT_EQ(AnyHit(v.tree, ball), expected.has_value());
    EXPECT_EQ(CountHits(v.tree, ball), all.all.size());
    const std::vector<SweepHit> hits = AllHits(v.tree, ball);
    EXPECT_EQ(hits.size(), all.all.size());
    for (size_t i = 0; i < std::min(hits.size(), all.all.size()); ++i) {
      EXPECT_EQ(hits[i].triangle, all.all[i].triangle);
      EXPECT_EQ(hits[i].earliest, all.all[i].earliest);
      EXPECT_EQ(hits[i].latest, all.all[i].latest);
      EXPECT_EQ(hits[i].point, all.all[i].point);
    }
    const std::optional<SweepHit> hit = ClosestHit(v.tree, ball);
    EXPECT_EQ(hit.has_value(), expected.has_value());
    if (!hit || !expected) continue;
    if (ball.from == ball.to) {
      EXPECT_EQ(hit->triangle, expected->triangle);
      EXPECT_EQ(hit->latest, 0);
    } else {
      CheckFirst(*hit, all, oracle::Together(mesh, ball));
    }
  }
  return expected.has_value();
}

TEST(SweepHitTest, AgreesWithBruteForceOnEveryMesh) {
  meshes::Random random(1);
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const auto variants = trees::Variants(m.mesh);
    const Aabb& b = m.mesh.bounds();
    const double size = Norm(b.hi - b.lo);
    int contacts = 0;
    for (int i = 0; i < 8; ++i) {
      const Vec3 from = b.Center() + random.Point(-1, 1) * size;
      const Triangle t = m.mesh.triangle(random.Below(m.mesh.triangle_count()));
      const double radius =
          i == 0 ? 0 : size * std::pow(10.0, random.Uniform(-4, -0.5));
      contacts += CheckSweep(m.mesh, variants, {from, t.b, radius});
      CheckSweep(m.mesh, variants,
                 {from, b.Center() + random.Point(-1, 1) * size, radius});
      // Along an edge, and staying on a vertex.
      CheckSweep(m.mesh, variants, {t.a, t.c, radius});
      CheckSweep(m.mesh, variants, {t.a, t.a, radius});
    }
    EXPECT_GT(contacts, 4);
  }
}

TEST(SweepHitTest, EveryScaleAndPlace) {
  const Mesh torus = meshes::Torus(24, 10);
  const SweptSphere ball{{1.5, 0.3, 2}, {1, 0.1, -2}, 0.125};
  const Expected expected = RunEach(torus, ball);
  ASSERT_TRUE(expected.first);
  for (const int exponent : {-140, 190}) {
    SCOPED_TRACE(exponent);
    const double s = std::ldexp(1.0, exponent);
    for (const trees::Named& v : trees::Variants(meshes::Scaled(torus, s))) {
      SCOPED_TRACE(v.name);
      const auto hit = ClosestHit(
          v.tree, SweptSphere{ball.from * s, ball.to * s, ball.radius * s});
      ASSERT_TRUE(hit);
      SweepHit at_scale = *hit;
      at_scale.point = hit->point * (1 / s);
      CheckFirst(at_scale, expected, oracle::Together(torus, ball));
    }
  }
  for (const double offset : {0x1p20, 0x1p40}) {
    const Vec3 t{offset, offset, -offset};
    const Mesh moved = meshes::Moved(torus, Pose::Translation(t));
    CheckSweep(moved, trees::Variants(moved),
               {ball.from + t, ball.to + t, ball.radius});
  }
}

TEST(SweepHitTest, FromVeryFarAwayAndVeryLarge) {
  meshes::Random random(2);
  const Mesh mesh = meshes::Icosphere(2);
  const auto variants = trees::Variants(mesh);
  for (const double far : {1e3, 1e6, 1e12, 1e15, 1e300}) {
    SCOPED_TRACE(far);
    const Vec3 from = random.Direction() * far;
    EXPECT_TRUE(CheckSweep(mesh, variants, {from, -from, 0.25}));
    EXPECT_TRUE(CheckSweep(mesh, variants, {from, {0, 0, 0}, far * 0.5}));
    EXPECT_FALSE(CheckSweep(mesh, variants, {from, from * 0.875, far * 0.25}));
  }
}

// The ball touches nothing before the contact, and touches the mesh at it.
TEST(SweepHitTest, TheBallIsFreeUntilTheContact) {
  const Mesh mesh = meshes::Grid(40, 0.2);
  const Tree tree = trees::Make(mesh);
  meshes::Random random(3);
  int contacts = 0;
  for (int i = 0; i < 200; ++i) {
    const SweptSphere ball{random.Point(0, 1) + Vec3{0, 0, 1},
                           random.Point(0, 1) - Vec3{0, 0, 0.5}, 0.03};
    const auto hit = ClosestHit(tree, ball);
    if (!hit) continue;
    ++contacts;
    const auto at = [&](double t) {
      return Sphere{ball.from + (ball.to - ball.from) * t, ball.radius};
    };
    for (const double share : {0.0, 0.5, 0.9, 1 - 0x1p-30}) {
      EXPECT_FALSE(AnyOverlap(tree, at(hit->earliest * share)));
    }
    EXPECT_TRUE(AnyOverlap(tree, at(hit->latest + 0x1p-40)));
    EXPECT_LE(hit->latest - hit->earliest, 0x1p-36);
  }
  EXPECT_GT(contacts, 100);
}

TEST(SweepHitTest, TiesGoToTheLowestId) {
  const Mesh copies = meshes::Identical(200);
  for (const trees::Named& v : trees::Variants(copies)) {
    EXPECT_EQ(
        ClosestHit(v.tree, SweptSphere{{0.2, 0.2, 1}, {0.2, 0.2, -1}, 0.1})
            ->triangle,
        0u);
  }
}

// Copies are touched as one, by the lowest id of them, and few are measured.
TEST(SweepHitTest, CopiesAreMeasuredOnce) {
  std::vector<Triangle> triangles;
  for (int i = 0; i < 400; ++i) {
    const double zero = i % 3 == 0 ? -0.0 : 0.0;
    triangles.push_back({{0.1, 0.2, zero}, {0.9, 0.3, zero}, {0.4, 0.8, 0.3}});
    if (i % 90 == 7) triangles.push_back({{0, 0, 0}, {1, 0, 0}, {0, 1, 0.3}});
  }
  const Mesh mesh = meshes::FromTriangles(triangles);
  const auto variants = trees::Variants(mesh);
  for (const Vec3& from : {Vec3{0.5, 0.4, 2}, Vec3{-1, 0.2, -0.5}}) {
    const SweptSphere ball{from, {0.4, 0.4, 0.1}, 0.05};
    EXPECT_TRUE(CheckSweep(mesh, variants, ball));
    TraversalStatistics steps;
    EXPECT_TRUE(
        ClosestHit(variants[0].tree, ball, {.statistics = &steps}).value());
    EXPECT_LE(steps.settled_by_expansion + steps.settled_by_exact, 8);
  }
}

// Balls larger than the mesh: past its middle, near their rim, around it at the
// start, and on a way that ends before it.
TEST(SweepHitTest, LargeBallsTouchWhatTheyTouch) {
  meshes::Random random(6);
  for (const Mesh& mesh : {meshes::Torus(12, 8), meshes::Soup(90, 0.2, 2)}) {
    const auto variants = trees::Variants(mesh);
    int contacts = 0;
    for (const double radius : {0.4, 1.0, 3.0, 20.0, 1e3, 1e6, 1e9, 1e12}) {
      SCOPED_TRACE(radius);
      for (int i = 0; i < 6; ++i) {
        const Vec3 way = random.Direction();
        const Vec3 aside = Normalized(Cross(way, random.Direction()));
        const double share = i < 2 ? 0 : random.Uniform(0.7, 1.01);
        const Vec3 to = random.Point(-1, 1) + aside * (share * radius);
        const double back = radius * random.Uniform(0.5, 4) + 2;
        contacts += CheckSweep(mesh, variants,
                               {to - way * back, to + way * back, radius});
        CheckSweep(mesh, variants,
                   {to - way * back, to - way * (0.9 * radius), radius});
      }
    }
    EXPECT_GT(contacts, 30);
  }
}

// A fan, copies and a cone: many are touched at one time.
TEST(SweepHitTest, WhatIsTouchedTogetherIsTouchedFirst) {
  meshes::Random random(8);
  std::vector<Triangle> fan;
  constexpr int kCount = 40;
  const auto rim = [](int i) {
    const double angle = 6.28 * i / kCount;
    return Vec3{meshes::Rounded(std::cos(angle)),
                meshes::Rounded(std::sin(angle)), i % 2 * 0x1p-30};
  };
  for (int i = 0; i < kCount; ++i) {
    fan.push_back({{0, 0, 0.5}, rim(i), rim(i + 1)});
    if (i % 4 == 0) fan.push_back(fan[random.Below(fan.size())]);
  }
  const Mesh mesh = meshes::FromTriangles(fan);
  const auto variants = trees::Variants(mesh);
  int contacts = 0;
  for (const double away : {1.0, 0x1p10, 0x1p30, 0x1p43, 0x1p50}) {
    SCOPED_TRACE(away);
    for (int i = 0; i < 2; ++i) {
      const Vec3 from = Vec3{0, 0, 0.5} + random.Direction() * away;
      const Vec3 to = Vec3{0, 0, 0.5} * 2 - from;
      contacts += CheckSweep(mesh, variants, {from, to, 0.005});
      contacts += CheckSweep(mesh, variants, {from, to, 0.25 * away});
      contacts += CheckSweep(mesh, variants, {from, to, 0});
    }
  }
  EXPECT_GT(contacts, 20);
}

// Checks the largest number of triangles that balls test and measure, if they
// start far away and are large compared with the mesh.
void ExpectFewSteps(double away, uint64_t most_tests, uint64_t most_measured) {
  SCOPED_TRACE(away);
  const Tree tree = trees::Make(meshes::Torus(64, 32));
  meshes::Random random(9);
  TraversalStatistics steps;
  constexpr int kBalls = 20;
  for (int i = 0; i < kBalls; ++i) {
    const Vec3 from = random.Direction() * away;
    const Vec3 way = random.Point(-0.5, 0.5) - from;
    const SweptSphere ball{from, from + way * 4, away * 0.1};
    EXPECT_TRUE(ClosestHit(tree, ball, {.statistics = &steps}).value());
  }
  EXPECT_LE(steps.triangle_tests, kBalls * most_tests);
  EXPECT_LE(steps.triangle_tests - steps.settled_by_float,
            kBalls * most_measured);
}

// From so far away that all triangles are touched at about one time, few are
// tested.
TEST(SweepHitTest, FromVeryFarAwayFewTrianglesAreQueried) {
  for (const double away : {1e12, 1e13, 1e14, 1e15, 1e18}) {
    ExpectFewSteps(away, 100, 20);
  }
}

// Balls that just touch a triangle of any shape, or just pass it: floats reject
// none that is touched.
TEST(SweepHitTest, BallsThatHardlyTouchAndHardlyPass) {
  meshes::Random random(10);
  for (const double thin : {1.0, 1e-3, 1e-7, 0.0}) {
    SCOPED_TRACE(thin);
    std::vector<Triangle> triangles;
    for (int i = 0; i < 40; ++i) {
      const Vec3 a = random.Point(-1, 1);
      const Vec3 b = a + random.Point(-1, 1);
      triangles.push_back(
          {a, b,
           a + (b - a) * random.Uniform(0, 1) + random.Point(-1, 1) * thin});
    }
    const Mesh mesh = meshes::FromTriangles(triangles);
    const auto variants = trees::Variants(mesh);
    int contacts = 0;
    for (int i = 0; i < 60; ++i) {
      const double away = std::pow(10.0, random.Uniform(0, i % 4 * 3 + 1));
      const Vec3 from = random.Direction() * away;
      const Vec3 to = from + (random.Point(-1, 1) - from) * 2;
      const Triangle& t = triangles[random.Below(triangles.size())];
      const double distance = Distance(Triangle{from, to, to}, t).distance;
      const double by = 1 + random.Uniform(-1, 1) * std::ldexp(1, -i % 50);
      contacts += CheckSweep(mesh, variants, {from, to, distance * by});
    }
    EXPECT_GT(contacts, 20);
  }
}

// However large the ball is, and however far away it starts, few triangles are
// measured.
TEST(SweepHitTest, LargeBallsMeasureFewTriangles) {
  for (const double away : {1e1, 1e3, 1e6, 1e9}) ExpectFewSteps(away, 200, 40);
}

TEST(SweepHitTest, EveryInstructionSetAgreesToTheLastCount) {
  const Mesh mesh = meshes::Torus(60, 30);
  meshes::Random random(4);
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    for (int i = 0; i < 20; ++i) {
      const SweptSphere ball{random.Point(-2, 2), random.Point(-1, 1), 0.05};
      TraversalStatistics first;
      SetInstructionSet(SupportedInstructionSets().front());
      const auto expected =
          ClosestHit(tree, ball, {.statistics = &first}).value();
      const bool any = AnyHit(tree, ball, {.statistics = &first}).value();
      const TraversalStatistics& s = first;
      EXPECT_EQ(s.settled_by_float + s.settled_by_double +
                    s.settled_by_expansion + s.settled_by_exact,
                s.triangle_tests);
      trees::OnEachInstructionSet([&] {
        TraversalStatistics statistics;
        const RunOptions run{.statistics = &statistics};
        const auto hit = ClosestHit(tree, ball, run).value();
        ASSERT_EQ(hit.has_value(), expected.has_value());
        if (hit) {
          EXPECT_EQ(hit->triangle, expected->triangle);
          EXPECT_EQ(hit->earliest, expected->earliest);
          EXPECT_EQ(hit->latest, expected->latest);
          EXPECT_EQ(hit->point, expected->point);
        }
        EXPECT_EQ(AnyHit(tree, ball, run).value(), any);
        EXPECT_EQ(statistics, first);
      });
    }
  }
}

TEST(SweepHitTest, NothingThatIsCertainlyLaterIsFound) {
  const Mesh mesh = meshes::Torus(24, 10);
  const Tree tree = trees::Make(mesh);
  const SweptSphere ball{{-3, 0.01, 0.02}, {3, 0.03, 0.01}, 0.1};
  ASSERT_GT(RunEach(mesh, ball).all.size(), 10u);
  size_t last = 0;
  for (const double max_t : {0.0, 0.1, 0.25, 0.3, 0.5, 0.75, 1.0, 7.0}) {
    SCOPED_TRACE(max_t);
    const Expected expected = RunEach(mesh, ball, max_t);
    const HitSearch<SweptSphere> search(Watch(), max_t);
    EXPECT_EQ(search.Any(tree, ball), expected.first.has_value());
    EXPECT_EQ(search.Count(tree, ball), expected.all.size());
    EXPECT_EQ(search.All(tree, ball).size(), expected.all.size());
    const auto hit = search.First(tree, ball);
    ASSERT_EQ(hit.has_value(), expected.first.has_value());
    if (hit) CheckFirst(*hit, expected, oracle::Together(mesh, ball));
    EXPECT_GE(expected.all.size(), last);
    last = expected.all.size();
  }
}

TEST(SweepHitTest, BatchesHaveTheAnswersOfSingleBalls) {
  const Tree tree = trees::Make(meshes::Torus(24, 10));
  meshes::Random random(5);
  std::vector<SweptSphere> balls = {{{1, 0, 0}, {1, 0, 0}, 0.3}};
  for (int i = 0; i < 400; ++i) {
    balls.push_back({random.Point(-2, 2), random.Point(-2, 2), 0.05});
  }
  const auto any = AnyHit(tree, balls, {.threads = 2}).value();
  const auto counts = CountHits(tree, balls, {.threads = 2}).value();
  const auto first = ClosestHit(tree, balls, {.threads = 2}).value();
  const auto all = AllHits(tree, balls, {.threads = 2}).value();
  size_t hits = 0;
  for (size_t i = 0; i < balls.size(); ++i) {
    hits += any[i];
    EXPECT_EQ(any[i] != 0, AnyHit(tree, balls[i]));
    EXPECT_EQ(counts[i], CountHits(tree, balls[i]));
    EXPECT_EQ(all[i].size(), counts[i]);
    const auto expected = ClosestHit(tree, balls[i]);
    ASSERT_EQ(first[i].has_value(), expected.has_value());
    if (expected) {
      EXPECT_EQ(first[i]->triangle, expected->triangle);
    }
  }
  EXPECT_GT(hits, 10u);
}

TEST(SweepHitTest, TheVisitorStops) {
  const Tree tree = trees::Make(meshes::Torus(24, 10));
  int seen = 0;
  VisitHits(tree, SweptSphere{{-3, 0, 0}, {3, 0, 0}, 0.2},
            [&](const SweepHit&) {
              return ++seen == 3 ? Visit::kStop : Visit::kContinue;
            });
  EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace orbox
