// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/contact_kind.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "tests/support/exact_triangles.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

using oracle::Corners;
using oracle::Point;
using oracle::Rational;

std::vector<Point> Distinct(const Triangle& t) {
  std::vector<Point> corners;
  for (const Point& p : oracle::Lift(t)) corners.push_back(p);
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

// Returns true if p, a point of the plane of t, is on the inner side of all of
// its edges.
bool IsWithinEdges(const Point& p, const Corners& t) {
  const Point n = oracle::CrossProduct(oracle::Minus(t[1], t[0]),
                                       oracle::Minus(t[2], t[0]));
  for (size_t i = 0; i < 3; ++i) {
    const Point out =
        oracle::CrossProduct(oracle::Minus(t[(i + 1) % 3], t[i]), n);
    if (oracle::Product(out, oracle::Minus(p, t[i])) >= 0) return false;
  }
  return true;
}

// By rational arithmetic: if any common point is inside both triangles, the
// middle of the common points is.
std::optional<ContactKind> KindByOracle(const Triangle& s, const Triangle& t) {
  const std::vector<Point> common = oracle::CommonCorners(s, t);
  if (common.empty()) return std::nullopt;
  const std::vector<Point> of_s = Distinct(s);
  const std::vector<Point> of_t = Distinct(t);
  if (of_s == of_t) return ContactKind::kDuplicate;
  if (common.size() > 2) {
    const bool shares =
        std::any_of(of_s.begin(), of_s.end(), [&](const Point& p) {
          return std::find(of_t.begin(), of_t.end(), p) != of_t.end();
        });
    return shares ? ContactKind::kFolded : ContactKind::kCoplanar;
  }
  const Point middle =
      oracle::Between(common.front(), common.back(), Rational(1, 2));
  return IsWithinEdges(middle, oracle::Lift(s)) &&
                 IsWithinEdges(middle, oracle::Lift(t))
             ? ContactKind::kCrossing
             : ContactKind::kTouching;
}

class ContactKindTest : public testing::TestWithParam<TriangleKind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, ContactKindTest,
                         testing::ValuesIn(kTriangleKinds),
                         [](const auto& kind) { return NameOf(kind.param); });

TEST_P(ContactKindTest, AgreesWithTheOracle) {
  TriangleCases cases(GetParam(), 5);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto [s, t] = cases.Next();
    Triangle joined = t;
    joined[static_cast<size_t>(cases.Whole(0, 2))] =
        s[static_cast<size_t>(cases.Whole(0, 2))];
    for (const Triangle& other : {t, joined}) {
      const auto kind = KindByOracle(s, other);
      EXPECT_EQ(KindOfContact(s, other), kind);
      EXPECT_EQ(KindOfContact(other, s), kind);
    }
  }
}

// All pairs of triangles of a small lattice: every kind, in every position.
TEST(ContactKindTest, OnALattice) {
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) {
    points.push_back({i % 2 * 1.0, i / 2 % 2 * 1.0, i / 4 * 1.0});
  }
  const Triangle s{{0, 0, 1}, {1, 1, 1}, {1, 0, 1}};
  std::map<std::optional<ContactKind>, int> count;
  for (const Vec3& a : points) {
    for (const Vec3& b : points) {
      for (const Vec3& c : points) {
        const Triangle t{a, b, c};
        const auto kind = KindByOracle(s, t);
        ASSERT_EQ(KindOfContact(s, t), kind);
        ++count[kind];
      }
    }
  }
  EXPECT_GT(count[ContactKind::kCrossing], 0);
  EXPECT_GT(count[ContactKind::kTouching], 0);
  EXPECT_GT(count[ContactKind::kFolded], 0);
  EXPECT_GT(count[std::nullopt], 0);
  EXPECT_EQ(count[ContactKind::kDuplicate], 6);
}

TEST(ContactKindTest, OfEachKind) {
  const Triangle s{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const struct {
    Triangle t;
    std::optional<ContactKind> kind;
  } cases[] = {
      {{{1, 1, -1}, {1, 1, 1}, {5, 5, 1}}, ContactKind::kCrossing},
      // From the common corner.
      {{{0, 0, 0}, {3, 3, 1}, {3, 3, -1}}, ContactKind::kCrossing},
      {{{1, 1, 0}, {1, 1, 1}, {5, 5, 1}}, ContactKind::kTouching},
      // An edge of one in the other, and neighbours.
      {{{1, 1, 0}, {2, 1, 0}, {2, 1, 1}}, ContactKind::kTouching},
      {{{0, 0, 0}, {3, 3, 0}, {3, 3, 1}}, ContactKind::kTouching},
      {{{0, 0, 0}, {4, 0, 0}, {0, -4, 0}}, ContactKind::kTouching},
      {{{0, 0, 0}, {4, 0, 0}, {0, 0, 4}}, ContactKind::kTouching},
      // Edges that cross in one point.
      {{{-1, 1, -1}, {1, 1, 1}, {-9, 1, 9}}, ContactKind::kTouching},
      // A segment through the triangle has no area.
      {{{1, 1, -1}, {1, 1, 1}, {1, 1, 1}}, ContactKind::kTouching},
      {{{1, 1, 0}, {9, 1, 0}, {1, 9, 0}}, ContactKind::kCoplanar},
      {{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, ContactKind::kCoplanar},
      {{{0, 0, 0}, {4, 0, 0}, {3, 3, 0}}, ContactKind::kFolded},
      {{{0, 0, 0}, {1, 2, 0}, {2, 1, 0}}, ContactKind::kFolded},
      {{{4, 0, 0}, {0, 0, 0}, {0, 4, 0}}, ContactKind::kDuplicate},
      {{{9, 9, 0}, {9, 8, 0}, {8, 9, 0}}, std::nullopt},
  };
  for (const auto& [t, kind] : cases) {
    SCOPED_TRACE(&t - &cases[0].t);
    EXPECT_EQ(KindByOracle(s, t), kind);
    for (const Triangle& x : OrdersOf(s)) {
      for (const Triangle& y : OrdersOf(t)) {
        EXPECT_EQ(KindOfContact(x, y), kind);
        EXPECT_EQ(KindOfContact(y, x), kind);
      }
    }
  }
}

// Duplicates of an edge and of a point are duplicates; a point in a triangle
// touches it.
TEST(ContactKindTest, WithoutArea) {
  const Vec3 a{0, 0, 0};
  const Vec3 b{1, 2, 3};
  EXPECT_EQ(KindOfContact({a, a, b}, {a, b, b}), ContactKind::kDuplicate);
  EXPECT_EQ(KindOfContact({a, a, a}, {a, a, a}), ContactKind::kDuplicate);
  EXPECT_EQ(KindOfContact({a, a, a}, {a, b, b}), ContactKind::kTouching);
}

TEST(ContactKindTest, CountsOneDecision) {
  ArithmeticCounts counts;
  const Triangle s{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  KindOfContact(s, s, &counts);
  KindOfContact(s, {{1, 1, -1}, {1, 1, 1}, {5, 5, 1}}, &counts);
  EXPECT_EQ(counts, (ArithmeticCounts{.by_double = 2}));
}

}  // namespace
}  // namespace orbox
