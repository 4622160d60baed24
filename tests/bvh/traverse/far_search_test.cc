// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/far_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/internal/far_nearest.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/traverse/internal/posed_box.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/witnesses.h"

namespace orbox {
namespace {

double BruteForce(const PosedTree& a, const PosedTree& b) {
  double best = kInf;
  for (uint32_t i = 0; i < a.tree().mesh().triangle_count(); ++i) {
    const Triangle s = a.triangle(i);
    for (uint32_t j = 0; j < b.tree().mesh().triangle_count(); ++j) {
      best = std::min(best, DistanceBetween(s, b.triangle(j)));
    }
  }
  return best;
}

double BruteForce(const PosedTree& a, const Vec3& p) {
  double best = kInf;
  for (uint32_t i = 0; i < a.tree().mesh().triangle_count(); ++i) {
    best = std::min(best, Distance(p, a.triangle(i)).distance);
  }
  return best;
}

std::vector<meshes::Named> SomeMeshes() {
  return {{"one", meshes::OneTriangle()},
          {"cube", meshes::Cube()},
          {"icosphere", meshes::Icosphere(1)},
          {"flat", meshes::Grid(5)},
          {"soup", meshes::Soup(60, 0.2)},
          {"degenerate", meshes::DegenerateMix(60)},
          {"identical", meshes::Identical(20)}};
}

// From just far enough to where doubles keep nothing of the meshes' shapes.
constexpr double kAway[] = {1e3, 1e4, 1e6, 1e9, 1e12, 1e15, 1e18, 1e60};

TEST(FarSearchTest, PointsAreAsFarAsOfAllTriangles) {
  meshes::Random random(1);
  int searched = 0;
  for (const meshes::Named& m : SomeMeshes()) {
    for (const Volumes volumes :
         {Volumes::kMixed, Volumes::kSphere, Volumes::kAabb, Volumes::kObb}) {
      const Tree tree = Build(m.mesh, {.volumes = volumes}).value();
      const PosedTree posed(tree);
      for (const double away : kAway) {
        std::vector<Vec3> points = {{away, 0, 0}, {0.5, 0.5, -away}};
        points.push_back(random.Direction() * away);
        points.push_back(random.Direction() * away);
        for (const Vec3& p : points) {
          const auto far = FarSearch::Between(posed, p);
          ASSERT_TRUE(far.has_value()) << m.name << " " << away;
          const Witness answer = *far->Closest({}, nullptr);
          EXPECT_EQ(answer.distance, BruteForce(posed, p))
              << m.name << " " << away;
          EXPECT_EQ(answer.distance,
                    Distance(p, m.mesh.triangle(answer.triangles.a)).distance);
          ++searched;
        }
      }
    }
  }
  EXPECT_EQ(searched, 7 * 4 * 8 * 4);
}

TEST(FarSearchTest, MeshesAreAsFarAsAllPairsOfTriangles) {
  meshes::Random random(2);
  for (const meshes::Named& m : SomeMeshes()) {
    for (const meshes::Named& n : SomeMeshes()) {
      const Tree a = Build(m.mesh).value();
      const Tree b = Build(n.mesh, {.storage = Storage::kCompact}).value();
      for (const double away : kAway) {
        Pose pose;
        if (random.Below(2) == 0) {
          pose = Pose::Rotation(random.Direction(), random.Uniform(0, 6));
        }
        pose.translation =
            random.Below(2) == 0 ? Vec3{0, 0, away} : random.Direction() * away;
        const PosedTree posed = PosedTree::Create(a, pose).value();
        const auto far = FarSearch::Between(posed, b);
        ASSERT_TRUE(far.has_value());
        TraversalStatistics statistics;
        const Witness answer = *far->Closest({}, &statistics);
        EXPECT_EQ(answer.distance, BruteForce(posed, b))
            << m.name << " " << n.name << " " << away;
        EXPECT_EQ(statistics.triangle_tests,
                  statistics.settled_by_float + statistics.settled_by_double +
                      statistics.settled_by_expansion +
                      statistics.settled_by_exact);
      }
    }
  }
}

TEST(FarSearchTest, SizesAndStretchedPosesDoNotMatter) {
  const Mesh mesh = meshes::Soup(40, 0.3);
  for (const double size : {1e-43, 1e-12, 1e12, 1e55}) {
    const Tree tree = Build(meshes::Scaled(mesh, size)).value();
    for (const double stretch : {1.0, 3.0}) {
      Pose pose = Pose::Rotation({1, 2, 3}, 1);
      pose.rows[0] = pose.rows[0] * stretch;
      pose.translation = Vec3{3000, -1000, 500} * size;
      const PosedTree posed = PosedTree::Create(tree, pose).value();
      const auto far = FarSearch::Between(posed, tree);
      ASSERT_TRUE(far.has_value()) << size;
      EXPECT_EQ(far->Closest({}, nullptr)->distance, BruteForce(posed, tree))
          << size;
    }
  }
}

// Tiny meshes, as far away as the range allows.
TEST(FarSearchTest, SizesAwayMayBeAsManyAsTheRangeHolds) {
  meshes::Random random(9);
  for (const meshes::Named& m : SomeMeshes()) {
    std::vector<Triangle> tiny;
    for (uint32_t id = 0; id < m.mesh.triangle_count(); ++id) {
      Triangle t = m.mesh.triangle(id);
      for (Vec3* const corner : {&t.a, &t.b, &t.c}) *corner *= 0x1p-140;
      tiny.push_back(t);
    }
    const Tree tree = Build(meshes::FromTriangles(tiny)).value();
    for (const double away : {0x1p150, 0x1p200}) {
      for (const Vec3& p : {Vec3{0, 0, -away}, random.Direction() * away}) {
        const auto far = FarSearch::Between(tree, p);
        ASSERT_TRUE(far.has_value()) << m.name << " " << away;
        const auto answer = far->Closest({}, nullptr);
        ASSERT_TRUE(answer.has_value()) << m.name << " " << away;
        EXPECT_EQ(answer->distance, BruteForce(tree, p)) << m.name;
        EXPECT_EQ(KNearest(tree, p, 3).size(),
                  std::min<size_t>(3, tiny.size()));
      }
    }
  }
}

TEST(FarSearchTest, StepsDoNotGrowWithTheDistance) {
  const Tree tree = Build(meshes::Icosphere(5)).value();
  const auto n = static_cast<uint64_t>(tree.mesh().triangle_count());
  for (const double away : {1e3, 1e4, 1e6, 1e9}) {
    const PosedTree posed =
        PosedTree::Create(tree, Pose::Translation({away, away / 3, away / 7}))
            .value();
    TraversalStatistics statistics;
    FarSearch::Between(posed, tree)->Closest({}, &statistics);
    EXPECT_LT(statistics.triangle_tests, n) << away;
    EXPECT_LT(statistics.Total().volume_tests, n) << away;
  }
}

// Bodies with whole rings that are equally near: along an axis, where boxes
// give the distance, and along any other direction.
TEST(FarSearchTest, WhatIsEquallyNearAllAroundIsNotListed) {
  const Mesh ring = meshes::Torus(48, 12);
  const auto n = static_cast<uint64_t>(ring.triangle_count());
  const Pose turn = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7);
  const Tree straight = Build(ring).value();
  const Tree turned = Build(meshes::Moved(ring, turn)).value();
  for (const double away : {1e3, 1e5, 1e8, 1e10, 1e15}) {
    SCOPED_TRACE(away);
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      const PosedTree posed =
          PosedTree::Create(straight, Pose::Translation(axis * away)).value();
      TraversalStatistics statistics;
      const std::optional<Witness> closest =
          ClosestPair(posed, straight, {}, {.statistics = &statistics}).value();
      EXPECT_EQ(closest->distance, BoxGap(posed, straight));
      EXPECT_LT(statistics.triangle_tests, 8 * n);
      EXPECT_LT(statistics.Total().volume_tests, 4 * n);
    }
    const Vec3 along = turn.Apply(Vec3{0, 0, 1}) * away;
    const PosedTree posed =
        PosedTree::Create(turned, Pose::Translation(along)).value();
    TraversalStatistics statistics;
    const std::optional<Witness> closest =
        ClosestPair(posed, turned, {}, {.statistics = &statistics}).value();
    EXPECT_NEAR(closest->distance, away - 0.5, 1e-3 + away * 1e-15);
    if (away < 1e8) continue;  // each is worth a measurement
    EXPECT_LT(statistics.triangle_tests, 8 * n);
    EXPECT_LT(statistics.Total().volume_tests, 4 * n);
  }
}

TEST(FarSearchTest, AllPairsThatAreAsNearAreThoseOfBruteForce) {
  for (const meshes::Named& m : SomeMeshes()) {
    const Tree a = Build(m.mesh).value();
    for (const double away : kAway) {
      SCOPED_TRACE(m.name);
      SCOPED_TRACE(away);
      const PosedTree posed =
          PosedTree::Create(a, Pose::Translation({0, away, 0})).value();
      const double least = BruteForce(posed, a);
      std::vector<TrianglePair> expected;
      for (uint32_t i = 0; i < m.mesh.triangle_count(); ++i) {
        for (uint32_t j = 0; j < m.mesh.triangle_count(); ++j) {
          if (DistanceBetween(posed.triangle(i), m.mesh.triangle(j)) == least) {
            expected.push_back({i, j});
          }
        }
      }
      EXPECT_EQ(AllClosestPairs(posed, a), expected);
      EXPECT_FALSE(ClosestPair(posed, a, {.max_distance = least * 0.999}));
    }
  }
}

// Checks k_nearest.h's rule for points very far away: any of the triangles that
// are as near as the last may be returned.
void ExpectNearest(const Mesh& mesh, const std::vector<SurfacePoint>& found,
                   const std::vector<SurfacePoint>& expected, size_t k) {
  const Aabb& bounds = mesh.bounds();
  if (expected[0].distance > 0x1p34 * Norm(bounds.hi - bounds.lo)) {
    ExpectAsNear(found, expected, k);
  } else {
    ExpectSame(found, expected, k);
  }
}

TEST(FarSearchTest, TheNearestAreThoseOfBruteForce) {
  meshes::Random random(7);
  for (const meshes::Named& m : SomeMeshes()) {
    const Tree tree = Build(m.mesh).value();
    const auto n = static_cast<uint64_t>(m.mesh.triangle_count());
    for (const double away : kAway) {
      for (const Vec3& p :
           {Vec3{0, -away, 0}, Vec3{random.Direction() * away}}) {
        SCOPED_TRACE(m.name);
        SCOPED_TRACE(away);
        std::vector<SurfacePoint> expected = brute_force::Nearest(m.mesh, p);
        const double middle = expected[expected.size() / 2].distance;
        for (const size_t k : {1, 3, 30}) {
          TraversalStatistics statistics;
          const auto found =
              KNearest(tree, p, k, {.statistics = &statistics}).value();
          ExpectNearest(m.mesh, found, expected, k);
          EXPECT_LE(statistics.triangle_tests, n);
          const auto within = brute_force::Nearest(m.mesh, p, middle);
          EXPECT_EQ(KNearest(tree, p, k, middle).size(),
                    std::min(k, within.size()));
        }
      }
    }
  }
}

// From where the distances of all triangles of a detail tree round to one, the
// k nearest are as near as those of brute force, in the order of ids.
TEST(FarSearchTest, TheNearestOfDetail) {
  const Mesh mesh = meshes::Joined(meshes::Icosphere(2, {0, 0, 0}, 0x1p-37),
                                   meshes::Cube({2, 2, 2}, 1));
  const Tree tree = Build(mesh).value();
  ASSERT_NE(tree.detail_trees(), nullptr);
  for (const Vec3& p : {Vec3{0, 0, -0x1p30}, Vec3{-0x1p28, -0x1p29, 0}}) {
    const auto expected = brute_force::Nearest(mesh, p);
    for (const size_t k : {1, 3, 30}) {
      ExpectAsNear(KNearest(tree, p, k), expected, k);
    }
  }
}

// From afar, a few triangles are nearest; the others are not tested.
TEST(FarSearchTest, FewTrianglesAreQueriedForTheNearest) {
  const Tree tree = Build(meshes::Icosphere(5)).value();
  for (const double away : {1e3, 1e6, 1e9, 1e12}) {
    TraversalStatistics statistics;
    KNearest(tree, Vec3{0.3, 0.5, 0.8} * away, 10, {.statistics = &statistics})
        .value();
    EXPECT_LT(statistics.triangle_tests, 500u) << away;
    EXPECT_LT(statistics.Total().volume_tests, 500u) << away;
  }
}

// For all volumes, storage and detail trees, one by one and in batches.
TEST(FarSearchTest, KeysOfFloatsFindTheNearestOfBruteForce) {
  meshes::Random random(8);
  std::vector<meshes::Named> some = SomeMeshes();
  std::vector<Triangle> with_stray;
  const Mesh ball = meshes::Icosphere(2);
  for (uint32_t id = 0; id < ball.triangle_count(); ++id) {
    with_stray.push_back(ball.triangle(id));
  }
  with_stray.push_back({{1e5, 0, 0}, {1e5, 1, 0}, {1e5, 0, 1}});
  some.push_back({"stray", meshes::FromTriangles(with_stray)});
  for (const meshes::Named& m : some) {
    SCOPED_TRACE(m.name);
    const std::vector<BuildOptions> kinds = {{.volumes = Volumes::kSphere},
                                             {.volumes = Volumes::kAabb},
                                             {.volumes = Volumes::kObb},
                                             {.storage = Storage::kCompact}};
    for (const BuildOptions& kind : kinds) {
      const Tree tree = Build(m.mesh, kind).value();
      std::vector<Vec3> points;
      for (const double away : {1e2, 1e3, 1e5, 1e8, 1e11, 1e13}) {
        points.push_back({0, 0, away});
        points.push_back(random.Direction() * away);
      }
      for (const size_t k : {2, 10, 16, 17}) {
        const auto batch = KNearest(tree, points, k).value();
        for (size_t n = 0; n < points.size(); ++n) {
          SCOPED_TRACE(n);
          std::vector<SurfacePoint> expected =
              brute_force::Nearest(m.mesh, points[n]);
          const auto found = KNearest(tree, points[n], k);
          ExpectNearest(m.mesh, found, expected, k);
          ASSERT_EQ(batch[n].size(), found.size());
          for (size_t i = 0; i < found.size(); ++i) {
            ExpectSame(batch[n][i], found[i]);
          }
        }
      }
    }
  }
}

// No search in double follows that of floats.
TEST(FarSearchTest, KeysOfFloatsSufficeForTheNearest) {
  const Tree tree = Build(meshes::Icosphere(5)).value();
  for (const double away : {1e3, 1e6, 1e9, 1e11}) {
    const Vec3 p = Vec3{0.3, 0.5, 0.8} * away;
    constexpr uint32_t kFirst = 0;
    for (const size_t k : {1, 10, 16}) {
      struct Count final : NearestSink {
        double Offer(uint32_t, const SurfacePoint&) override {
          ++offered;
          return kInf;
        }
        size_t offered = 0;
      };
      Count sink;
      TraversalStatistics statistics;
      EXPECT_TRUE(FindFromAfar(
          tree, {.points = {&p, 1}, .order = {&kFirst, 1}, .wanted = k}, sink,
          &statistics))
          << away << " " << k;
      EXPECT_GE(sink.offered, k);
      EXPECT_LT(sink.offered, k + 32);
      EXPECT_LT(statistics.triangle_tests, 300u) << away << " " << k;
      EXPECT_LT(statistics.Total().volume_tests, 300u) << away << " " << k;
      EXPECT_EQ(statistics.settled_by_exact, 0u);
    }
  }
}

TEST(FarSearchTest, PointsThatAreNoneAreNotFar) {
  const Tree tree = Build(meshes::Cube()).value();
  for (const double bad : {kNan, kInf, -kInf}) {
    for (const Vec3& p :
         {Vec3{bad, 1e9, 0}, Vec3{1e9, bad, 0}, Vec3{1e9, 0, bad}}) {
      EXPECT_FALSE(FarSearch::Between(tree, p).has_value());
    }
  }
}

TEST(FarSearchTest, NothingIsSearchedThatIsNear) {
  const Tree tree = Build(meshes::Icosphere(2)).value();
  EXPECT_FALSE(FarSearch::Between(tree, tree).has_value());
  EXPECT_FALSE(FarSearch::Between(PosedTree(tree), Vec3{10, 0, 0}).has_value());
  EXPECT_FALSE(
      FarSearch::Between(PosedTree(tree), Vec3{1e200, 0, 0}).has_value());
}

}  // namespace
}  // namespace orbox
