// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/internal/ray_span.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <random>

#include "gtest/gtest.h"
#include "tests/support/exact_shapes.h"

namespace orbox {
namespace {

using exact::Rational;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct ExactSpan {
  Rational enter = 0;
  // None where the ray does not leave.
  std::optional<Rational> leave;
};

std::optional<ExactSpan> ExactSpanInBox(const Ray& ray, const Aabb& box) {
  ExactSpan span;
  for (size_t axis = 0; axis < 3; ++axis) {
    const Rational o(ray.origin[axis]);
    const Rational d(ray.direction[axis]);
    const Rational lo(box.lo[axis]);
    const Rational hi(box.hi[axis]);
    if (d == 0) {
      if (o < lo || o > hi) return std::nullopt;
      continue;
    }
    const Rational one = (lo - o) / d;
    const Rational other = (hi - o) / d;
    span.enter = std::max(span.enter, std::min(one, other));
    const Rational last = std::max(one, other);
    if (!span.leave || last < *span.leave) span.leave = last;
  }
  if (span.leave && *span.leave < span.enter) return std::nullopt;
  return span;
}

// Checks that the span contains the exact one. Adds to `hits` if both exist.
void ExpectEncloses(const Ray& ray, const Aabb& box, int* hits) {
  const std::optional<ExactSpan> exact = ExactSpanInBox(ray, box);
  if (!exact) return;
  const std::optional<RaySpan> span = SpanInBox(ray, box, kNoLimit);
  ASSERT_TRUE(span.has_value());
  EXPECT_LE(Rational(span->enter), exact->enter);
  if (!exact->leave) {
    EXPECT_EQ(span->leave, kNoLimit);
  } else if (std::isfinite(span->leave)) {
    EXPECT_GE(Rational(span->leave), *exact->leave);
  }
  ++*hits;
}

TEST(RaySpanTest, EnclosesTheExactSpanAtEveryScale) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  int hits = 0;
  for (const int exponent : {0, -300, 300, -1000, 1000, -1070}) {
    const double size = std::ldexp(1.0, exponent);
    for (int i = 0; i < 300; ++i) {
      const auto vector = [&] {
        return Vec3{unit(random), unit(random), unit(random)};
      };
      const Vec3 p = vector() * size;
      const Vec3 q = vector() * size;
      Aabb box;
      for (size_t axis = 0; axis < 3; ++axis) {
        box.lo[axis] = std::min(p[axis], q[axis]);
        box.hi[axis] = std::max(p[axis], q[axis]);
      }
      Ray ray{vector() * (4 * size), vector()};
      // Towards the box, and often along an axis or two.
      ray.direction = (p - ray.origin) * std::min(1 / size, 0x1p900);
      if (i % 3 != 0) ray.direction[static_cast<size_t>(i) % 3] = 0;
      if (i % 5 == 0) ray.origin = p;
      ExpectEncloses(ray, box, &hits);
    }
  }
  EXPECT_GT(hits, 600);
}

TEST(RaySpanTest, IsTightAndCutAtTheLimit) {
  const Aabb box{{1, -1, -1}, {3, 1, 1}};
  const Ray ray{{0, 0, 0}, {1, 0, 0}};
  const auto span = SpanInBox(ray, box, kNoLimit);
  ASSERT_TRUE(span.has_value());
  EXPECT_NEAR(span->enter, 1, 0x1p-49);
  EXPECT_NEAR(span->leave, 3, 0x1p-47);
  EXPECT_EQ(SpanInBox(ray, box, 2)->leave, 2);
  EXPECT_FALSE(SpanInBox(ray, box, 0.5).has_value());
  EXPECT_TRUE(SpanInBox(ray, box, 1).has_value());  // it touches
  EXPECT_FALSE(SpanInBox({{0, 0, 0}, {-1, 0, 0}}, box, kNoLimit).has_value());
  EXPECT_FALSE(SpanInBox({{0, 2, 0}, {1, 0, 0}}, box, kNoLimit).has_value());
}

// Their difference is no double; their quotient is.
TEST(RaySpanTest, DifferencesThatOverflow) {
  constexpr double kFar = 1.5e308;
  int hits = 0;
  ExpectEncloses({{-kFar, 0, 0}, {1e300, 0, 0}}, {{kFar, -1, -1}, {kFar, 1, 1}},
                 &hits);
  EXPECT_EQ(hits, 1);
  EXPECT_FALSE(SpanInBox({{kFar, 0, 0}, {1e300, 0, 0}},
                         {{-kFar, -1, -1}, {-kFar, 1, 1}}, kNoLimit)
                   .has_value());
}

TEST(RaySpanTest, NothingIsInAnEmptyBox) {
  const Aabb empty{{kNoLimit, kNoLimit, kNoLimit},
                   {-kNoLimit, -kNoLimit, -kNoLimit}};
  for (const double x : {-1.0, 0.0, 1.0}) {
    for (const double y : {-1.0, 0.0, 1.0}) {
      EXPECT_FALSE(
          SpanInBox({{0, 0, 0}, {x, y, 0}}, empty, kNoLimit).has_value());
    }
  }
}

}  // namespace
}  // namespace orbox
