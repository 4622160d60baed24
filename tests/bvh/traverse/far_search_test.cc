// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/far_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"

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
          const FarSearch::Answer answer = *far->Closest(kInf, nullptr);
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
        const FarSearch::Answer answer = *far->Closest(kInf, &statistics);
        EXPECT_EQ(answer.distance, BruteForce(posed, b))
            << m.name << " " << n.name << " " << away;
        EXPECT_EQ(statistics.triangle_tests, statistics.settled_by_float +
                                                 statistics.settled_by_double +
                                                 statistics.settled_by_exact);
      }
    }
  }
}

TEST(FarSearchTest, SizesAndStretchedPosesDoNotMatter) {
  const Mesh mesh = meshes::Soup(40, 0.3);
  for (const double size : {1e-100, 1e-12, 1e12, 1e100}) {
    const Tree tree = Build(meshes::Scaled(mesh, size)).value();
    for (const double stretch : {1.0, 3.0}) {
      Pose pose = Pose::Rotation({1, 2, 3}, 1);
      pose.rows[0] = pose.rows[0] * stretch;
      pose.translation = Vec3{3000, -1000, 500} * size;
      const PosedTree posed = PosedTree::Create(tree, pose).value();
      const auto far = FarSearch::Between(posed, tree);
      ASSERT_TRUE(far.has_value()) << size;
      EXPECT_EQ(far->Closest(kInf, nullptr)->distance, BruteForce(posed, tree))
          << size;
    }
  }
}

// What a cliff would be: more than a small part of all pairs is looked at.
TEST(FarSearchTest, StepsDoNotGrowWithTheDistance) {
  const Tree tree = Build(meshes::Icosphere(5)).value();
  const auto n = static_cast<uint64_t>(tree.mesh().triangle_count());
  for (const double away : {1e3, 1e4, 1e6, 1e9}) {
    const PosedTree posed =
        PosedTree::Create(tree, Pose::Translation({away, away / 3, away / 7}))
            .value();
    TraversalStatistics statistics;
    FarSearch::Between(posed, tree)->Closest(kInf, &statistics);
    EXPECT_LT(statistics.triangle_tests, n) << away;
    EXPECT_LT(statistics.Total().volume_tests, n) << away;
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
