// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/contact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

bool IsNear(const Vec3& p, const oracle::Point& q, double tolerance) {
  for (size_t i = 0; i < 3; ++i) {
    if (abs(oracle::Rational(p[i]) - q[i]) > oracle::Rational(tolerance)) {
      return false;
    }
  }
  return true;
}

// Checks that the corners are the exact ones, each within the promised error.
// Corners that are corners of the triangles are equal to the bit.
void ExpectCorners(const TriangleContact& contact,
                   const std::vector<oracle::Point>& corners, const Triangle& s,
                   const Triangle& t) {
  ASSERT_EQ(contact.points().size(), corners.size());
  const double tolerance = std::max(0x1p-48 * std::max(Reach(s), Reach(t)),
                                    std::numeric_limits<double>::denorm_min());
  for (const oracle::Point& q : corners) {
    EXPECT_TRUE(
        std::any_of(contact.points().begin(), contact.points().end(),
                    [&](const Vec3& p) { return IsNear(p, q, tolerance); }));
    for (const Vec3& p : {s.a, s.b, s.c, t.a, t.b, t.c}) {
      if (oracle::Lift(p) == q) {
        EXPECT_NE(
            std::find(contact.points().begin(), contact.points().end(), p),
            contact.points().end());
      }
    }
  }
}

class ContactTest : public testing::TestWithParam<TriangleKind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, ContactTest, testing::ValuesIn(kTriangleKinds),
                         [](const auto& kind) { return NameOf(kind.param); });

TEST_P(ContactTest, HasTheCornersOfTheCommonSet) {
  TriangleCases cases(GetParam(), 1);
  for (int i = 0; i < 200 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto [s, t] = cases.Next();
    ExpectCorners(ContactOf(s, t), oracle::CommonCorners(s, t), s, t);
    const Triangle edge{s.a, s.b, s.b};
    const TriangleContact contact = ContactOf(Segment{s.a, s.b}, t);
    ExpectCorners(contact, oracle::CommonCorners(edge, t), edge, t);
    EXPECT_EQ(Overlaps(Segment{s.a, s.b}, t), !contact.IsEmpty());
  }
}

TEST_P(ContactTest, HoldsAtAnyScaleAndOffset) {
  for (double scale : {1e-12, 1e12, 1e300, 1e-300, 1e-320}) {
    TriangleCases cases(GetParam(), 2);
    for (int i = 0; i < 4 && !HasFailure(); ++i) {
      SCOPED_TRACE(testing::Message() << i << " scale " << scale);
      const auto pair = cases.Next();
      const Vec3 shift = Vec3{1, 1, 1} * (scale == 1e-12 ? 1.0 : 0.0);
      const Triangle s = Transformed(pair.first, scale, shift);
      const Triangle t = Transformed(pair.second, scale, shift);
      ExpectCorners(ContactOf(s, t), oracle::CommonCorners(s, t), s, t);
    }
  }
}

TEST_P(ContactTest, DependsNeitherOnArgumentNorOnVertexOrder) {
  TriangleCases cases(GetParam(), 3);
  for (int i = 0; i < 50; ++i) {
    const auto [s, t] = cases.Next();
    const TriangleContact contact = ContactOf(s, t);
    for (const Triangle& u :
         {Triangle{t.b, t.c, t.a}, Triangle{t.c, t.b, t.a}}) {
      for (const Triangle& r :
           {Triangle{s.a, s.c, s.b}, Triangle{s.c, s.a, s.b}}) {
        const TriangleContact other = ContactOf(u, r);
        EXPECT_TRUE(std::equal(contact.points().begin(), contact.points().end(),
                               other.points().begin(), other.points().end()));
      }
    }
  }
}

TEST_P(ContactTest, IsEmptyExactlyWhereTrianglesAreApart) {
  TriangleCases cases(GetParam(), 4);
  for (int i = 0; i < 300; ++i) {
    const auto [s, t] = cases.Next();
    EXPECT_EQ(ContactOf(s, t).IsEmpty(), !Overlaps(s, t));
    EXPECT_EQ(Contains(t, s.a), Distance(s.a, t).distance == 0);
  }
}

TEST(Contact, PolygonsAreInOrderAround) {
  // A star of David: a hexagon.
  const Triangle s{{0, 3, 1}, {-3, -2, 1}, {3, -2, 1}};
  const Triangle t{{0, -3, 1}, {-3, 2, 1}, {3, 2, 1}};
  const TriangleContact contact = ContactOf(s, t);
  ASSERT_EQ(contact.points().size(), 6);
  int turns = 0;
  for (size_t i = 0; i < 6; ++i) {
    const Vec3& a = contact.points()[i];
    const Vec3& b = contact.points()[(i + 1) % 6];
    const Vec3& c = contact.points()[(i + 2) % 6];
    turns += Cross(b - a, c - a).z > 0 ? 1 : -1;
  }
  EXPECT_EQ(std::abs(turns), 6);
}

TEST(Contact, OfWholeNumbersIsThatOfTheTextbook) {
  const Triangle floor{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  // A wall through it, from edge to edge.
  const TriangleContact wall =
      ContactOf(floor, {{1, -5, -5}, {1, 10, -5}, {1, 0, 20}});
  ASSERT_EQ(wall.points().size(), 2);
  EXPECT_EQ(wall.points()[0] + wall.points()[1], (Vec3{2, 3, 0}));
  const TriangleContact corner =
      ContactOf(floor, {{1, 1, 0}, {2, 2, 1}, {1, 2, 3}});
  ASSERT_EQ(corner.points().size(), 1);
  EXPECT_EQ(corner.points()[0], (Vec3{1, 1, 0}));
  const TriangleContact nail = ContactOf(Segment{{1, 1, 1}, {1, 1, -1}}, floor);
  ASSERT_EQ(nail.points().size(), 1);
  EXPECT_EQ(nail.points()[0], (Vec3{1, 1, 0}));
  EXPECT_TRUE(Contains(floor, {2, 2, 0}));
  EXPECT_FALSE(Contains(floor, {2, std::nextafter(2.0, 3.0), 0}));
  EXPECT_FALSE(Contains(floor, {1, 1, 5e-324}));
}

TEST(Contact, RandomTrianglesNeedNoExactArithmetic) {
  TriangleCases cases(TriangleKind::kRandom, 5);
  ArithmeticCounts counts;
  for (int i = 0; i < 10000; ++i) {
    const auto [s, t] = cases.Next();
    ContactOf(s, t, &counts);
    ContactOf(Segment{s.a, s.b}, t, &counts);
    Overlaps(Segment{s.a, s.b}, t, &counts);
    Contains(t, s.a, &counts);
  }
  EXPECT_EQ(counts.by_double + counts.by_exact, 40000);
  EXPECT_LE(counts.by_exact, 2);
}

}  // namespace
}  // namespace orbox
