// SPDX-License-Identifier: Apache-2.0

// Counts the arithmetic used for degenerate data, for each kind and in several
// units: no decision takes integers.
#include <cmath>
#include <random>

#include "gtest/gtest.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

// Coordinates of floats, or with all digits of a double, in any unit.
struct Digits {
  bool floats;
  double unit;
};

class DegenerateDecisionsTest : public testing::TestWithParam<Digits> {
 protected:
  static constexpr int kCases = 300;

  double Uniform() {
    const double x = std::uniform_real_distribution<double>(-1, 1)(random_);
    return GetParam().floats ? static_cast<double>(static_cast<float>(x)) : x;
  }
  Vec3 Point() {
    const double x = Uniform();
    const double y = Uniform();
    return {x, y, Uniform()};
  }
  Triangle Any() {
    const Vec3 a = Point();
    const Vec3 b = Point();
    return {a, b, Point()};
  }
  static Vec3 NormalOf(const Triangle& t) {
    return Normalized(Cross(t.b - t.a, t.c - t.a));
  }
  // Powers of two: all results below are equal for each unit.
  static Vec3 InUnit(const Vec3& p) { return p * GetParam().unit; }
  static Triangle InUnit(const Triangle& t) {
    return {InUnit(t.a), InUnit(t.b), InUnit(t.c)};
  }

  void CheckPoint(const Vec3& p, const Triangle& t) {
    const PointTriangleDistance d = Distance(p, t);
    const PointTriangleDistance scaled =
        Distance(InUnit(p), InUnit(t), &counts_);
    EXPECT_EQ(scaled.distance, d.distance * GetParam().unit);
    WithinDistance(InUnit(p), InUnit(t), scaled.distance, &counts_);
    EXPECT_EQ(Contains(InUnit(t), InUnit(p), &counts_), d.distance == 0);
  }
  void CheckPair(const Triangle& s, const Triangle& t) {
    const TrianglePairDistance d = Distance(s, t);
    const TrianglePairDistance scaled =
        Distance(InUnit(s), InUnit(t), &counts_);
    EXPECT_EQ(scaled.distance, d.distance * GetParam().unit);
    const bool overlap = Overlaps(InUnit(s), InUnit(t), &counts_);
    EXPECT_EQ(overlap, d.distance == 0);
    EXPECT_EQ(ContactOf(InUnit(s), InUnit(t), &counts_).IsEmpty(), !overlap);
    EXPECT_EQ(WithinDistance(InUnit(s), InUnit(t), 0, &counts_), overlap);
    EXPECT_EQ(DistanceBetween(InUnit(s), InUnit(t), &counts_), scaled.distance);
  }
  void TearDown() override { EXPECT_EQ(counts_.by_exact, 0u); }

  std::mt19937_64 random_{1};
  ArithmeticCounts counts_;
};

TEST_P(DegenerateDecisionsTest, PointsOnFaces) {
  for (int i = 0; i < kCases; ++i) {
    const Triangle t = Any();
    const Vec3 p = t.a + 0.25 * (t.b - t.a) + 0.375 * (t.c - t.a);
    CheckPoint(p, t);
    CheckPoint(p + 1e-12 * NormalOf(t), t);
  }
}

TEST_P(DegenerateDecisionsTest, PointsOnEdgesAndVertices) {
  for (int i = 0; i < kCases; ++i) {
    const Triangle t = Any();
    CheckPoint((t.a + t.b) * 0.5, t);
    CheckPoint((t.a + t.b) * 0.5 + 1e-12 * NormalOf(t), t);
    CheckPoint(t.c, t);
  }
}

TEST_P(DegenerateDecisionsTest, SegmentsAndPointsForTriangles) {
  for (int i = 0; i < kCases; ++i) {
    const Triangle t = Any();
    const Vec3 a = Point();
    const Vec3 b = Point();
    CheckPoint((a + b) * 0.5, {a, b, b});
    CheckPoint(b, {a, a, a});
    CheckPair({a, b, a}, t);
    CheckPair({a, a, a}, t);
    CheckPair({t.a, (t.a + t.b) * 0.5, t.a}, t);
    CheckPair({t.a, t.b, t.b}, {t.a, t.c, t.c});
  }
}

TEST_P(DegenerateDecisionsTest, PairsThatTouchOrCross) {
  for (int i = 0; i < kCases; ++i) {
    const Triangle t = Any();
    const Vec3 p = t.a + 0.25 * (t.b - t.a) + 0.375 * (t.c - t.a);
    const Vec3 up = NormalOf(t);
    CheckPair(t, {p, p + up + 0.3 * Point(), p + up + 0.3 * Point()});
    CheckPair(t, {p - up, p + up + 0.3 * Point(), p + up + 0.3 * Point()});
    CheckPair(t, {t.a, t.b, Point()});
    CheckPair(t, t);
  }
}

TEST_P(DegenerateDecisionsTest, PairsInOnePlane) {
  for (int i = 0; i < kCases; ++i) {
    Triangle s = Any();
    Triangle t = Any();
    for (size_t k = 0; k < 3; ++k) s[k].z = t[k].z = 0.25;
    CheckPair(s, t);
    for (size_t k = 0; k < 3; ++k) t[k].z = 0.25 + 0x1p-10;
    CheckPair(s, t);
  }
}

TEST_P(DegenerateDecisionsTest, SmallGaps) {
  for (int i = 0; i < kCases; ++i) {
    const Triangle t = Any();
    const Vec3 way = 1e-15 * NormalOf(t);
    CheckPair(t, {t.a + way, t.b + way, t.c + way});
  }
}

TEST_P(DegenerateDecisionsTest, RaysAtEdgesAndInPlanes) {
  for (int i = 0; i < kCases; ++i) {
    Triangle t = Any();
    Vec3 origin = Point() * 2;
    const Vec3 way = (t.a + t.b) * 0.5 - origin;
    Overlaps(Ray{InUnit(origin), InUnit(way)}, InUnit(t), 2, &counts_);
    t.a.z = t.b.z = t.c.z = origin.z = 0;
    const Vec3 inside = (t.a + t.b + t.c) * 0.25;
    Overlaps(Ray{InUnit(origin), InUnit(inside - origin)}, InUnit(t), 2,
             &counts_);
  }
}

INSTANTIATE_TEST_SUITE_P(Digits, DegenerateDecisionsTest,
                         testing::Values(Digits{true, 1}, Digits{false, 1},
                                         Digits{true, 0x1p-500},
                                         Digits{false, 0x1p-300},
                                         Digits{false, 0x1p900}));

// Exponents that no unit brings together.
TEST(DegenerateDecisions, IntegersAreForNumbersFarApart) {
  const Triangle t{{1, 0, 0x1p-600}, {0, 1, 0x1p-800}, {0x1p-900, 0x1p-900, 1}};
  const Vec3 p{0x1p-700, 0x1p-500, 0x1p-650};
  ArithmeticCounts counts;
  const PointTriangleDistance d = Distance(p, t, &counts);
  EXPECT_NEAR(d.distance, std::sqrt(1.0 / 3), 1e-15);
  const Triangle u{{0, 0, 0x1p-1000}, {1, 0, 0x1p-1000}, {0, 1, 0x1p-1000}};
  EXPECT_EQ(Distance(Vec3{0.25, 0.25, 0}, u, &counts).distance, 0x1p-1000);
  EXPECT_EQ(Distance(Vec3{0.25, 0.25, 0x1p-1000}, u, &counts).distance, 0);
  EXPECT_GT(counts.by_exact, 0u);
}

}  // namespace
}  // namespace orbox
