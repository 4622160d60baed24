// SPDX-License-Identifier: Apache-2.0

// Distances of several triangles at once are those of Distance, triangle by
// triangle, on every instruction set that the machine has.
#include "orbox/overlap/triangles/point_distances.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/instruction_set.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

// Points where regions meet, and between.
std::vector<Vec3> PointsAround(const Triangle& t, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> uniform(-1, 2);
  const Vec3 ab = t.b - t.a;
  const Vec3 ac = t.c - t.a;
  std::vector<Vec3> points = {t.a, t.b, t.c, (t.a + t.b) * 0.5,
                              t.a + (ab + ac) * 0.25};
  const Vec3 n = Cross(ab, ac);
  for (int i = 0; i < 12; ++i) {
    const double u = uniform(generator);
    const double v = uniform(generator);
    // Some right above vertices and edges, where both regions' tests are 0.
    const Vec3 foot = i % 4 == 0   ? t.b
                      : i % 4 == 1 ? t.a + 0.5 * ab
                                   : t.a + (u * ab + v * ac);
    points.push_back(i % 2 == 0 ? foot : foot + uniform(generator) * n);
  }
  return points;
}

class PointDistancesTest : public ::testing::Test {
 protected:
  ~PointDistancesTest() override { SetInstructionSet(std::nullopt); }
};

// Checks the distances of one point on every instruction set.
void ExpectDistances(const Vec3& p, const std::vector<Triangle>& triangles) {
  for (InstructionSet set : SupportedInstructionSets()) {
    ASSERT_TRUE(SetInstructionSet(set));
    ASSERT_EQ(RunProbeLoop().set, set);
    SCOPED_TRACE(std::string(Name(set)));
    std::vector<PointTriangleDistance> results(triangles.size());
    ArithmeticCounts counts;
    Distances(p, triangles, results, &counts);
    EXPECT_EQ(counts.by_double + counts.by_expansion + counts.by_exact,
              triangles.size());
    for (size_t i = 0; i < triangles.size(); ++i) {
      const Triangle& t = triangles[i];
      const PointTriangleDistance expected = Distance(p, t);
      ASSERT_EQ(results[i].distance, expected.distance) << i;
      ASSERT_EQ(results[i].closest, expected.closest) << i;
    }
  }
}

TEST_F(PointDistancesTest, AreThoseOfTheScalarFunction) {
  std::mt19937_64 generator(7);
  for (TriangleKind kind : kTriangleKinds) {
    for (const Placing& placing : kPlacings) {
      SCOPED_TRACE(NameOf(kind) + ", " + std::to_string(placing.scale) + ", " +
                   std::to_string(placing.shift.x));
      TriangleCases cases(kind, /*seed=*/5);
      std::vector<Triangle> triangles;
      for (int i = 0; i < 6; ++i) {
        const auto [s, t] = cases.Next();
        triangles.push_back(Transformed(s, placing.scale, placing.shift));
        if (i % 2 == 0) {
          triangles.push_back(Transformed(t, placing.scale, placing.shift));
        }
      }
      for (const Vec3& p : PointsAround(triangles[1], generator)) {
        if (!IsFinite(p)) continue;
        ExpectDistances(p, triangles);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(PointDistancesTest, OfUnevenTrianglesAreThoseOfTheScalarFunction) {
  TriangleCases cases(TriangleKind::kUneven, /*seed=*/5);
  for (int n = 0; n < 100; ++n) {
    std::vector<Triangle> triangles;
    Vec3 p;
    for (int i = 0; i < 6; ++i) {
      const auto [s, t] = cases.Next();
      triangles.push_back(s);
      p = t.a;
    }
    ExpectDistances(p, triangles);
    if (HasFatalFailure()) return;
  }
}

// The order of a triangle's vertices does not matter.
TEST_F(PointDistancesTest, DoNotDependOnTheOrderOfVertices) {
  std::mt19937_64 generator(9);
  TriangleCases cases(TriangleKind::kRandom, /*seed=*/2);
  for (int n = 0; n < 50; ++n) {
    const Triangle t = cases.Next().first;
    const std::vector<Triangle> orders = {
        t, {t.b, t.c, t.a}, {t.c, t.a, t.b}, {t.a, t.c, t.b}, {t.c, t.b, t.a}};
    for (const Vec3& p : PointsAround(t, generator)) {
      std::vector<PointTriangleDistance> results(orders.size());
      Distances(p, orders, results);
      for (const PointTriangleDistance& r : results) {
        EXPECT_EQ(r.distance, results[0].distance);
        EXPECT_EQ(r.closest, results[0].closest);
      }
    }
  }
}

// The lanes are what this is for: if they gave up, all would still be right.
TEST_F(PointDistancesTest, MostAreSettledByTheLanesAlone) {
  std::mt19937_64 generator(11);
  std::uniform_real_distribution<double> uniform(-3, 3);
  TriangleCases cases(TriangleKind::kRandom, /*seed=*/4);
  ArithmeticCounts counts;
  for (int n = 0; n < 200; ++n) {
    const Triangle t = cases.Next().first;
    PointTriangleDistance result;
    const Vec3 p = {uniform(generator), uniform(generator), uniform(generator)};
    Distances(p, {&t, 1}, {&result, 1}, &counts);
  }
  EXPECT_EQ(counts.by_double, 200u);
  EXPECT_EQ(counts.by_exact, 0u);
}

TEST_F(PointDistancesTest, OfNoTriangleAreNone) {
  Distances({1, 2, 3}, {}, {});
}

}  // namespace
}  // namespace orbox
