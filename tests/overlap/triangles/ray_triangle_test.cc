// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/ray_triangle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"

namespace orbox {
namespace {

using oracle::Point;
using oracle::Rational;

constexpr double kMax = std::numeric_limits<double>::max();

// The exact t of the first common point, by clipping the segment that the ray
// is to the triangle. Requires a finite max_t.
std::optional<Rational> FirstCommon(const Ray& ray, const Triangle& t,
                                    double max_t) {
  const Point o = oracle::Lift(ray.origin);
  const Point d = oracle::Lift(ray.direction);
  const Point end = oracle::Between(o, {o[0] + d[0], o[1] + d[1], o[2] + d[2]},
                                    Rational(max_t));
  std::optional<Rational> first;
  for (const Point& p : oracle::ClipToTriangle({o, end}, oracle::Lift(t))) {
    const Rational at =
        oracle::Product(oracle::Minus(p, o), d) / oracle::Squared(d);
    if (!first || at < *first) first = at;
  }
  return first;
}

// Returns true if no double is closer to the exact value.
bool IsRounded(double x, const Rational& exact) {
  const Rational error = abs(Rational(x) - exact);
  return error <= abs(Rational(std::nextafter(x, kMax)) - exact) &&
         error <= abs(Rational(std::nextafter(x, -kMax)) - exact);
}

// Weights and point belong together, and to the exact hit.
void CheckPlace(const Ray& ray, const Triangle& t, const RayTriangleHit& hit,
                const Rational& exact) {
  const Point o = oracle::Lift(ray.origin);
  const Point d = oracle::Lift(ray.direction);
  const oracle::Corners c = oracle::Lift(t);
  const Vec3& w = hit.barycentric;
  double largest = 0;
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_GE(w[i], 0);
    EXPECT_LE(w[i], 1);
    largest = std::max(largest, MaxCoordinate(Abs(t[i])));
  }
  EXPECT_LE(std::abs(w.x + w.y + w.z - 1), 0x1p-48);
  for (size_t k = 0; k < 3; ++k) {
    const Rational p = o[k] + exact * d[k];
    EXPECT_LE(abs(p - Rational(hit.point[k])), Rational(0x1p-48 * largest));
    const Rational mean = Rational(w.x) * c[0][k] + Rational(w.y) * c[1][k] +
                          Rational(w.z) * c[2][k];
    EXPECT_LE(abs(p - mean), Rational(6 * 0x1p-50 * largest));
  }
}

void Check(const Ray& ray, const Triangle& t, double max_t) {
  const std::optional<Rational> exact = FirstCommon(ray, t, max_t);
  const std::optional<RayTriangleHit> hit = Intersect(ray, t, max_t);
  ASSERT_EQ(hit.has_value(), exact.has_value());
  EXPECT_EQ(Overlaps(ray, t, max_t), exact.has_value());
  if (!hit) return;
  EXPECT_TRUE(IsRounded(hit->t, *exact)) << hit->t;
  CheckPlace(ray, t, *hit, *exact);
  // The order of the corners does not matter to what is exact.
  const auto turned = Intersect(ray, {t.c, t.a, t.b}, max_t);
  const auto flipped = Intersect(ray, {t.a, t.c, t.b}, max_t);
  ASSERT_TRUE(turned && flipped);
  EXPECT_EQ(turned->t, hit->t);
  EXPECT_EQ(flipped->t, hit->t);
}

TEST(RayTriangleTest, AgreesWithRationalsAtRandom) {
  meshes::Random random(1);
  int hits = 0;
  for (int i = 0; i < 300; ++i) {
    const Triangle t{random.Point(-1, 1), random.Point(-1, 1),
                     random.Point(-1, 1)};
    const Vec3 o = random.Point(-2, 2);
    const Vec3 target = t.a * 0.25 + t.b * 0.5 + t.c * 0.25;
    const Ray ray{o, target + random.Direction() * 0.3 - o};
    Check(ray, t, 1.5);
    hits += Overlaps(ray, t);
  }
  EXPECT_GT(hits, 100);
}

// Small whole numbers make every coincidence: rays through vertices and edges,
// in the plane, along edges, from the triangle; segments, points; ends that
// touch.
TEST(RayTriangleTest, AgreesWithRationalsOnALattice) {
  meshes::Random random(2);
  int hits = 0;
  for (int i = 0; i < 4000; ++i) {
    const int size = i % 2 == 0 ? 1 : 2;
    const Triangle t{random.LatticePoint(size), random.LatticePoint(size),
                     random.LatticePoint(size)};
    const Vec3 o = random.LatticePoint(2);
    const Vec3 d = random.LatticePoint(2);
    if (d == Vec3{}) continue;
    Check({o, d}, t, random.Below(3) == 0 ? 1 : 8);
    hits += Overlaps(Ray{o, d}, t);
  }
  EXPECT_GT(hits, 200);
}

// Those coincidences with numbers of many digits: rays from a lattice that a
// triangle's own edges span. Sums of its points are exact.
TEST(RayTriangleTest, AgreesWithRationalsOnALatticeOfManyDigits) {
  meshes::Random random(3);
  const auto corner = [&random] {
    const auto digits = [&random] {
      return std::ldexp(std::floor(random.Uniform(0, 0x1p48)), -48);
    };
    return Vec3{digits(), digits(), digits()};
  };
  const auto small = [&random] {
    return static_cast<double>(random.Below(5)) - 2;
  };
  int hits = 0;
  for (int i = 0; i < 1500; ++i) {
    const Triangle t{corner(), corner(), corner()};
    const Vec3 e = t.b - t.a;
    const Vec3 f = t.c - t.a;
    // Out of the plane by a third edge, sometimes.
    const Vec3 g = i % 3 == 0 ? corner() - t.a : Vec3{};
    const auto step = [&](double up) {
      return e * small() + f * small() + g * up;
    };
    const double up = small();
    const Ray ray{t.a + step(up), step(-up)};
    if (ray.direction == Vec3{}) continue;
    Check(ray, t, i % 2 == 0 ? 1 : 3);
    hits += Overlaps(ray, t, 3);
    // Hits of two triangles of the lattice.
    const Triangle other{t.a, t.a + step(0), t.a + step(0)};
    const auto x = FirstCommon(ray, t, 8);
    const auto y = FirstCommon(ray, other, 8);
    if (!x || !y) continue;
    const int order = (*x > *y ? 1 : 0) - (*x < *y ? 1 : 0);
    EXPECT_EQ(CompareHits(ray, t, other), order);
    EXPECT_EQ(CompareHits(ray, other, t), -order);
  }
  EXPECT_GT(hits, 300);
}

// Rays at points of an edge of two triangles. Rounding moves the points off the
// edge, so a ray hits one triangle or the other, but never neither.
TEST(RayTriangleTest, NoRaySlipsThroughAnEdge) {
  meshes::Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Vec3 a{-1, random.Uniform(-1, 1), 0};
    const Vec3 b{1, random.Uniform(-1, 1), 0};
    const Vec3 c{random.Uniform(-1, 1), 2, random.Uniform(-1, 1)};
    const Vec3 d{random.Uniform(-1, 1), -2, random.Uniform(-1, 1)};
    const Vec3 target = a + (b - a) * random.Uniform(0.1, 0.9);
    const Vec3 o{random.Uniform(-1, 1), random.Uniform(-1, 1), 5};
    const Ray ray{o, target - o};
    EXPECT_TRUE(Overlaps(ray, {a, b, c}) || Overlaps(ray, {a, b, d}));
    Check(ray, {a, b, c}, 2);
    Check(ray, {a, b, d}, 2);
  }
}

TEST(RayTriangleTest, NeedlesAndGrazingRays) {
  meshes::Random random(4);
  for (int i = 0; i < 200; ++i) {
    const double width = std::pow(10.0, random.Uniform(-15, -1));
    const Vec3 a = random.Point(-1, 1);
    const Vec3 along = random.Direction();
    const Triangle needle{a, a + along, a + random.Direction() * width};
    const Vec3 o = random.Point(-2, 2);
    Check({o, needle.a + (needle.b - needle.a) * 0.3 - o}, needle, 2);
    const Vec3 beside = a - along + random.Direction() * width;
    Check({beside, along}, needle, 4);
  }
}

TEST(RayTriangleTest, EveryScaleAndPlace) {
  const Triangle t{{0, 0, 0}, {1, 0.25, 0}, {0.125, 1, 0.5}};
  const Ray ray{{0.3, 0.2, 2}, {0.1, 0.05, -1}};
  const auto expected = Intersect(ray, t);
  ASSERT_TRUE(expected);
  const auto scaled = [](const Vec3& v, int exponent) {
    return Vec3{std::ldexp(v.x, exponent), std::ldexp(v.y, exponent),
                std::ldexp(v.z, exponent)};
  };
  for (const int e : {-1000, -500, -240, -40, 40, 240, 500, 1000}) {
    SCOPED_TRACE(e);
    const Triangle u{scaled(t.a, e), scaled(t.b, e), scaled(t.c, e)};
    const auto all =
        Intersect({scaled(ray.origin, e), scaled(ray.direction, e)}, u);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->t, expected->t);
    const auto unscaled = Intersect({scaled(ray.origin, e), ray.direction}, u);
    ASSERT_TRUE(unscaled);
    EXPECT_EQ(unscaled->t, std::ldexp(expected->t, e));
    const auto slow = Intersect({ray.origin, scaled(ray.direction, -e)}, t);
    ASSERT_TRUE(slow);
    EXPECT_EQ(slow->t, std::ldexp(expected->t, e));
  }
  for (const double offset : {0x1p20, 0x1p40}) {
    const Vec3 move{offset, -offset, offset};
    Check({ray.origin + move, ray.direction},
          {t.a + move, t.b + move, t.c + move}, 8);
  }
  Check({{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}}, t, 2);
  Check({{1e15, 2e15, -1e15}, {-1e15, -2e15, 1e15}}, t, 2);
}

TEST(RayTriangleTest, EndsAreInclusive) {
  const Triangle t{{-1, -1, 0}, {3, -1, 0}, {-1, 3, 0}};
  EXPECT_EQ(Intersect({{0, 0, 2}, {0, 0, -1}}, t)->t, 2);
  EXPECT_TRUE(Overlaps(Ray{{0, 0, 2}, {0, 0, -1}}, t, 2));
  EXPECT_FALSE(Overlaps(Ray{{0, 0, 2}, {0, 0, -1}}, t, std::nextafter(2, 0)));
  EXPECT_EQ(Intersect({{0, 0, 0}, {0, 0, -1}}, t, 0)->t, 0);
  EXPECT_FALSE(Overlaps(Ray{{0, 0, 0x1p-1000}, {0, 0, 1}}, t));
  EXPECT_TRUE(Overlaps(Ray{{0, 0, 0x1p-1000}, {0, 0, -1}}, t));
  // A third is below its nearest double: 1/3 + 2^-54 / 3 or so.
  const Ray third{{0, 0, 1}, {0, 0, -3}};
  const double rounded = Intersect(third, t)->t;
  EXPECT_EQ(rounded, 1.0 / 3);
  EXPECT_EQ(Overlaps(third, t, rounded), Rational(rounded) >= Rational(1) / 3);
  Check(third, t, rounded);
  Check(third, t, std::nextafter(rounded, 1));
  Check(third, t, std::nextafter(rounded, 0));
}

TEST(RayTriangleTest, BadInputHitsNothing) {
  const Triangle t{{-1, -1, 0}, {3, -1, 0}, {-1, 3, 0}};
  EXPECT_FALSE(Overlaps(Ray{{0, 0, 0}, {0, 0, 0}}, t));
  EXPECT_FALSE(Overlaps(Ray{{0, 0, 1}, {0, 0, -kInf}}, t));
  EXPECT_FALSE(Overlaps(Ray{{0, 0, kNan}, {0, 0, -1}}, t));
  EXPECT_FALSE(Overlaps(Ray{{0, 0, 1}, {0, kNan, -1}}, t));
  EXPECT_FALSE(Overlaps(Ray{{0, 0, 1}, {0, 0, -1}}, t, -1));
  EXPECT_FALSE(Overlaps(Ray{{0, 0, 1}, {0, 0, -1}}, t, kNan));
  EXPECT_TRUE(Overlaps(Ray{{0, 0, 1}, {-0.0, -0.0, -1}}, t, kInf));
  // Beyond the largest double.
  EXPECT_FALSE(Overlaps(Ray{{0, 0, 1e300}, {0, 0, -1e-300}}, t));
}

TEST(RayTriangleTest, OrderOfHitsIsExact) {
  meshes::Random random(5);
  const auto sign = [](int x) { return (x > 0) - (x < 0); };
  int ties = 0;
  for (int i = 0; i < 1500; ++i) {
    const Ray ray{random.LatticePoint(2), random.LatticePoint(2)};
    if (ray.direction == Vec3{}) continue;
    const Triangle s{random.LatticePoint(2), random.LatticePoint(2),
                     random.LatticePoint(2)};
    const Triangle t{random.LatticePoint(2), s.b, s.c};
    const auto x = FirstCommon(ray, s, 100);
    const auto y = FirstCommon(ray, t, 100);
    if (!x || !y) continue;
    const int order = *x < *y ? -1 : (*x > *y ? 1 : 0);
    ties += order == 0;
    EXPECT_EQ(sign(CompareHits(ray, s, t)), order);
    EXPECT_EQ(sign(CompareHits(ray, t, s)), -order);
  }
  EXPECT_GT(ties, 10);
  // Too close for t in double to decide.
  const Ray ray{{0, 0, 0}, {0, 0, 1}};
  const Triangle near{{-1, -1, 1}, {3, -1, 1}, {-1, 3, 1}};
  const Triangle far{{-1, -1, 1}, {3, -1, 1}, {-1, 3, 1 + 0x1p-52}};
  EXPECT_EQ(Intersect(ray, near)->t, Intersect(ray, far)->t);
  EXPECT_LT(CompareHits(ray, near, far), 0);
  EXPECT_GT(CompareHits(ray, far, near), 0);
  EXPECT_EQ(CompareHits(ray, near, {near.c, near.a, near.b}), 0);
}

// In the smallest mesh, products with the direction's smallest component
// underflow: it takes the ray past a segment that it would else cross.
TEST(RayTriangleTest, ProductsThatUnderflowAreNotZero) {
  const double s = 0x1p-197;
  const Vec3 a = Vec3{1, -5, -0.625} * s;
  const Vec3 b = Vec3{1, -5, -4} * s;
  const Vec3 c = Vec3{3, 0.5, -4} * s;
  const Vec3 d = Vec3{4, 1, -0.75} * s;
  Ray ray{Vec3{2, -2.25, -4} * s,
          {-std::numeric_limits<double>::denorm_min(), 0,
           std::nextafter(2.0, 0.0)}};
  EXPECT_FALSE(Intersect(ray, {a, a, c}));
  ASSERT_TRUE(Intersect(ray, {a, b, c}));
  ASSERT_TRUE(Intersect(ray, {c, b, d}));
  EXPECT_EQ(CompareHits(ray, {a, b, c}, {c, b, d}), 0);
  ray.direction.x = 0;
  ASSERT_TRUE(Intersect(ray, {a, a, c}));
  EXPECT_LT(CompareHits(ray, {a, b, c}, {a, a, c}), 0);
  EXPECT_GT(CompareHits(ray, {a, a, c}, {c, b, d}), 0);
}

// Rays along edges of many digits, off them by as little as rounding, through
// corners, and slightly off the plane: right, and rarely decided by the ladder.
TEST(RayTriangleTest, AlongEdgesAndThroughCorners) {
  meshes::Random random(8);
  ArithmeticCounts counts;
  size_t queried = 0;
  size_t hits = 0;
  for (int i = 0; i < 600; ++i) {
    const Triangle t{random.Point(-1, 1), random.Point(-1, 1),
                     random.Point(-1, 1)};
    const Vec3 across = Cross(t.b - t.a, t.c - t.a);
    const double off[] = {0, 0, 1e-17, -1e-15, 1e-12};
    const Vec3 lift = across * off[i % 5];
    const Vec3 along = i % 2 == 0 ? t.b - t.a : t.c - (t.a + t.b) * 0.5;
    const Vec3 at = i % 3 == 0 ? t.a : (t.a + t.b) * 0.5;
    const Ray ray{at - along * 3 + lift, along};
    for (const Triangle& u :
         {t, Triangle{t.b, t.a, random.Point(-1, 1)},
          Triangle{random.Point(-1, 1), t.a, random.Point(-1, 1)}}) {
      Check(ray, u, 8);
      hits += Intersect(ray, u, 8, &counts).has_value();
      ++queried;
    }
  }
  EXPECT_GT(hits, queried / 8);
  EXPECT_LT(counts.by_expansion, queried / 20);
  EXPECT_EQ(counts.by_exact, 0u);
}

// In a plane at right angles to an axis, triangles are clipped in doubles: rays
// that come from outside, start inside, pass by, end before it, follow an axis;
// with coordinates of many digits and of few, near and far.
TEST(RayTriangleTest, InThePlaneOfTheTriangle) {
  meshes::Random random(12);
  int hits = 0;
  int starts = 0;
  ArithmeticCounts counts;
  constexpr int kCases = 600;
  for (int i = 0; i < kCases; ++i) {
    const size_t axis = random.Below(3);
    const double level = random.Uniform(-1, 1);
    const double scale = i % 5 == 0 ? 0x1p-40 : 1;
    const auto point = [&](double size) {
      Vec3 p = random.Point(-size, size) * scale;
      if (i % 3 == 0) p = {meshes::Rounded(p.x), meshes::Rounded(p.y), p.z};
      p[axis] = level;
      return p;
    };
    const Triangle t{point(1), point(1), point(1)};
    const Vec3 o = point(i % 2 == 0 ? 2 : 0.3);
    Ray ray{o, point(1) - o};
    if (i % 7 == 0) ray.direction[(axis + 1) % 3] = 0;
    if (ray.direction == Vec3{}) continue;
    const double max_t = i % 4 == 0 ? 0.5 : 8;
    Check(ray, t, max_t);
    const auto hit = Intersect(ray, t, max_t, &counts);
    hits += hit.has_value();
    starts += hit.has_value() && hit->t == 0;
    // It ends where it enters, and just before.
    if (hit && hit->t > 0) {
      Check(ray, t, hit->t);
      Check(ray, t, std::nextafter(hit->t, 0));
    }
  }
  EXPECT_GT(hits, kCases / 4);
  EXPECT_GT(starts, kCases / 40);
  EXPECT_EQ(counts.by_exact, 0u);
}

// Exact arithmetic is for coincidences: random rays, even close to edges, do
// not need it.
TEST(RayTriangleTest, DoubleDecidesNearlyAlways) {
  meshes::Random random(6);
  ArithmeticCounts counts;
  for (int i = 0; i < 2000; ++i) {
    const Triangle t{random.Point(-1, 1), random.Point(-1, 1),
                     random.Point(-1, 1)};
    const Vec3 o = random.Point(-2, 2);
    const Vec3 on_edge = t.a + (t.b - t.a) * random.Uniform(0, 1);
    Intersect({o, on_edge - o}, t, kInf, &counts);
  }
  EXPECT_EQ(counts.by_double + counts.by_exact, 2000u);
  EXPECT_EQ(counts.by_exact, 0u);
}

}  // namespace
}  // namespace orbox
