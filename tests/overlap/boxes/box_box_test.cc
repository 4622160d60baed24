// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/box_box.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/exact_shapes.h"
#include "tests/support/shape_generator.h"

namespace orbox {
namespace {

template <typename T>
BasicObb<T> AsObb(const BasicAabb<T>& b) {
  return {.center = b.Center(), .half_extents = b.HalfExtents()};
}

using Direction = std::array<long double, 3>;

long double Along(const Direction& d, const auto& v) {
  return d[0] * v.x + d[1] * v.y + d[2] * v.z;
}

// Largest gap of two boxes over the 15 directions of SAT, normalised, in long
// double, and its direction. Negative if they overlap along all. A gap larger
// than rounding errors proves that the boxes are apart.
template <typename T>
std::pair<long double, Direction> LargestGap(const BasicObb<T>& a,
                                             const BasicObb<T>& b) {
  std::vector<Direction> directions;
  auto to = [](const BasicVec3<T>& v) { return Direction{v.x, v.y, v.z}; };
  for (size_t i = 0; i < 3; ++i) {
    directions.push_back(to(a.axes[i]));
    directions.push_back(to(b.axes[i]));
    for (size_t j = 0; j < 3; ++j) {
      const Direction u = to(a.axes[i]), v = to(b.axes[j]);
      directions.push_back({u[1] * v[2] - u[2] * v[1],
                            u[2] * v[0] - u[0] * v[2],
                            u[0] * v[1] - u[1] * v[0]});
    }
  }
  long double best = -std::numeric_limits<long double>::infinity();
  Direction best_direction{};
  for (Direction d : directions) {
    const long double norm = std::hypot(d[0], d[1], d[2]);
    if (norm < 1e-9L) continue;
    for (long double& x : d) x /= norm;
    long double gap = 0;
    for (size_t k = 0; k < 3; ++k) {
      gap += d[k] * (static_cast<long double>(b.center[k]) - a.center[k]);
    }
    gap = std::abs(gap);
    for (size_t i = 0; i < 3; ++i) {
      gap -= a.half_extents[i] * std::abs(Along(d, a.axes[i]));
      gap -= b.half_extents[i] * std::abs(Along(d, b.axes[i]));
    }
    if (gap > best) {
      best = gap;
      best_direction = d;
    }
  }
  return {best, best_direction};
}

// Moves b along the best direction until the gap is all but closed, half of the
// time; what is left is a few rounding errors.
template <typename T>
std::pair<BasicObb<T>, BasicObb<T>> NextNearPair(ShapeGenerator<T>& g) {
  auto [a, b] = g.NextPair();
  if (g.Below(2) == 0) return {a, b};
  const auto [gap, direction] = LargestGap(a, b);
  BasicVec3<T> moved = b.center;
  const long double side = Along(direction, b.center - a.center) < 0 ? 1 : -1;
  const long double stretch = 1 + 1e-6L * g.Uniform(-1, 1);
  for (size_t k = 0; k < 3; ++k) {
    moved[k] = static_cast<T>(moved[k] + side * gap * stretch * direction[k]);
  }
  if (IsFinite(moved)) b.center = moved;
  return {a, b};
}

template <typename T>
T Size(const BasicObb<T>& a, const BasicObb<T>& b) {
  return internal::SumOfCoordinates(a.half_extents) +
         internal::SumOfCoordinates(b.half_extents) +
         internal::SumOfCoordinates(Abs(b.center - a.center));
}

TEST(BoxBoxTest, AabbsCompareExactly) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_TRUE(Overlaps(box, box));
  EXPECT_TRUE(Overlaps(box, Aabb{{1, 1, 1}, {2, 2, 2}}));
  const double beyond = std::nextafter(1.0, 2.0);
  for (size_t axis = 0; axis < 3; ++axis) {
    Aabb apart = box;
    apart.lo[axis] = beyond;
    apart.hi[axis] = 2;
    EXPECT_FALSE(Overlaps(box, apart));
    EXPECT_FALSE(Overlaps(apart, box));
    apart.lo[axis] = 1;
    EXPECT_TRUE(Overlaps(box, apart));
  }
  const Aabb point{{1, 0, -1}, {1, 0, -1}};
  EXPECT_TRUE(Overlaps(point, box));
  EXPECT_TRUE(Overlaps(point, point));
}

TEST(BoxBoxTest, AabbsAgreeWithRationals) {
  ShapeGenerator<float> generator(/*seed=*/51);
  for (int n = 0; n < 300; ++n) {
    const Aabbf a = generator.NextBox();
    const Aabbf b = generator.NextBox();
    EXPECT_EQ(Overlaps(a, b),
              exact::Overlaps(exact::ToSolid(a), exact::ToSolid(b)));
  }
}

// A rejection has to be right: proven by a gap in long double, or by rationals.
template <typename T>
void ExpectReallyApart(const BasicObb<T>& a, const BasicObb<T>& b,
                       int& by_rationals) {
  const long double slop = Size(a, b) * 50 * std::numeric_limits<T>::epsilon();
  if (LargestGap(a, b).first > slop) return;
  ++by_rationals;
  ASSERT_FALSE(exact::Overlaps(exact::ToSolid(a), exact::ToSolid(b)));
}

template <typename T>
class BoxBoxTypedTest : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(BoxBoxTypedTest, Types);

TYPED_TEST(BoxBoxTypedTest, SatNeverRejectsBoxesThatMeet) {
  using T = TypeParam;
  ShapeGenerator<T> generator(/*seed=*/52);
  int rejected = 0;
  int accepted = 0;
  int by_rationals = 0;
  for (int n = 0; n < 60'000; ++n) {
    const auto [a, b] = NextNearPair(generator);
    const bool full = OverlapsSat(a, b);
    const bool lite = OverlapsSatLite(a, b);
    ASSERT_LE(full, lite);
    if (full) {
      ++accepted;
      const long double gap = LargestGap(a, b).first;
      // Near-parallel axes make a short cross product, and the margin counts
      // against that; face normals are as long as can be.
      if (Size(a, b) > std::numeric_limits<T>::min() * 0x1p30 &&
          std::isfinite(Size(a, b))) {
        ASSERT_LE(gap, Size(a, b) * 0.001) << "not even close";
      }
    } else {
      ++rejected;
      ASSERT_NO_FATAL_FAILURE(ExpectReallyApart(a, b, by_rationals));
    }
  }
  EXPECT_GT(rejected, 5'000);
  EXPECT_GT(accepted, 5'000);
}

TYPED_TEST(BoxBoxTypedTest, SatWithAnAabbNeverRejectsBoxesThatMeet) {
  using T = TypeParam;
  ShapeGenerator<T> generator(/*seed=*/53);
  int rejected = 0;
  int by_rationals = 0;
  for (int n = 0; n < 60'000; ++n) {
    auto [o, b] = NextNearPair(generator);
    BasicAabb<T> a{o.center - o.half_extents, o.center + o.half_extents};
    if (!IsValid(a)) continue;
    const bool full = OverlapsSat(a, b);
    ASSERT_LE(full, OverlapsSatLite(a, b));
    if (full) continue;
    ++rejected;
    const long double slop = (Size(AsObb(a), b) + MaxCoordinate(Abs(a.lo)) +
                              MaxCoordinate(Abs(a.hi))) *
                             50 * std::numeric_limits<T>::epsilon();
    if (LargestGap(AsObb(a), b).first > slop) continue;
    if (++by_rationals > 200) continue;
    ASSERT_FALSE(exact::Overlaps(exact::ToSolid(a), exact::ToSolid(b)));
  }
  EXPECT_GT(rejected, 5'000);
}

// The rationals themselves are the judge of pairs that all but touch.
TYPED_TEST(BoxBoxTypedTest, SatAgreesWithRationalsBeyondItsMargin) {
  using T = TypeParam;
  ShapeGenerator<T> generator(/*seed=*/54);
  int meeting = 0;
  for (int n = 0; n < 400; ++n) {
    const auto [a, b] = NextNearPair(generator);
    const bool meet = exact::Overlaps(exact::ToSolid(a), exact::ToSolid(b));
    meeting += meet;
    if (meet) {
      ASSERT_TRUE(OverlapsSat(a, b));
    }
  }
  EXPECT_GT(meeting, 50);
}

// Parallel and almost parallel axes: the cross products are rounding noise,
// which must not separate boxes that overlap.
TEST(BoxBoxTest, NearParallelEdgesSeparateNothing) {
  for (double angle : {0.0, 1e-300, 1e-17, 1e-16, 1e-12, 1e-8, 1e-7, 1e-4}) {
    const double c = std::cos(angle), s = std::sin(angle);
    const Obb a{.center = {0, 0, 0}, .half_extents = {100, 1, 1}};
    for (double gap : {-1e-3, 1.0}) {
      const Obb b{
          {0, 2 + gap, 0}, {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}}, {1, 1, 100}};
      EXPECT_EQ(OverlapsSat(a, b), gap < 0) << angle;
      EXPECT_EQ(OverlapsSatLite(a, b), gap < 0) << angle;
      EXPECT_EQ(OverlapsSat(b, a), gap < 0) << angle;
    }
  }
}

TEST(BoxBoxTest, LiteMissesASeparationAcrossEdgesThatFullFinds) {
  const double s = std::sqrt(0.5);
  const Obb a{{0, 0, 0}, {{{s, s, 0}, {-s, s, 0}, {0, 0, 1}}}, {1, 1, 10}};
  const Obb b{{3, 0, 0}, {{{s, 0, s}, {0, 1, 0}, {-s, 0, s}}}, {1, 10, 1}};
  // Edge against edge along x: 1.41 + 1.41 < 3.
  EXPECT_FALSE(OverlapsSat(a, b));
  const Obb near{{2.8, 0, 0}, b.axes, b.half_extents};
  EXPECT_TRUE(OverlapsSat(a, near));
  EXPECT_TRUE(OverlapsSatLite(a, b));
}

TEST(BoxBoxTest, TouchingIsOverlapping) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  const Obb touching{.center = {3, 0, 0}, .half_extents = {2, 1, 1}};
  EXPECT_TRUE(OverlapsSat(box, touching));
  EXPECT_TRUE(OverlapsSat(touching, touching));
  const Obb point{.center = {1, 1, 1}, .half_extents = {0, 0, 0}};
  EXPECT_TRUE(OverlapsSat(box, point));
  EXPECT_TRUE(OverlapsSat(point, point));
}

TEST(BoxBoxTest, AtTheEndsOfTheRange) {
  constexpr float kMax = std::numeric_limits<float>::max();
  constexpr float kTiny = std::numeric_limits<float>::denorm_min();
  const Obbf far{.center = {kMax, kMax, kMax}, .half_extents = {1, 1, 1}};
  const Obbf vast{.center = {-kMax, -kMax, -kMax},
                  .half_extents = {kMax, kMax, kMax}};
  // Apart, but only an overflow knows it.
  EXPECT_TRUE(OverlapsSat(far, vast));
  const Obbf speck{.center = {0, 0, 0}, .half_extents = {kTiny, kTiny, kTiny}};
  const Obbf other{.center = {2 * kTiny, 0, 0},
                   .half_extents = {kTiny, kTiny, kTiny}};
  EXPECT_TRUE(OverlapsSat(speck, other));
}

TYPED_TEST(BoxBoxTypedTest, SymmetricUpToTheMarginAndScaleFree) {
  using T = TypeParam;
  ShapeGenerator<T> generator(/*seed=*/55);
  for (int n = 0; n < 20'000; ++n) {
    const auto [a, b] = generator.NextPair();
    const T size = Size(a, b);
    if (!(size > T(1e-6) && size < T(1e6))) continue;
    for (T f : {T(0.25), T(1024)}) {
      const BasicObb<T> a2{a.center * f, a.axes, a.half_extents * f};
      const BasicObb<T> b2{b.center * f, b.axes, b.half_extents * f};
      if (a2.half_extents * (1 / f) != a.half_extents ||
          b2.half_extents * (1 / f) != b.half_extents) {
        continue;
      }
      ASSERT_EQ(OverlapsSat(a, b), OverlapsSat(a2, b2));
      ASSERT_EQ(OverlapsSatLite(a, b), OverlapsSatLite(a2, b2));
    }
    if (OverlapsSatLite(a, b) != OverlapsSatLite(b, a)) {
      ASSERT_LT(std::abs(LargestGap(a, b).first), size * T(0.001));
    }
  }
}

}  // namespace
}  // namespace orbox
