// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/sphere_box_exact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/numbers/ladder.h"

namespace orbox {
namespace {

// Margin for underflow in decisions. Sums of squares lose at most a few times
// 2^-1074 to underflow, which is below kRoundoff times this margin.
constexpr double kUnderflow = 0x1p-1000;

// Compares d^2, which is between `lower` and `upper`, with r^2. All are
// computed in double. `error` bounds the sum of the relative errors of d^2 and
// r^2. Returns nullopt if d^2 and r^2 are too close, or if one has overflowed.
std::optional<bool> Compare(double lower, double upper, double squared_radius,
                            double error) {
  constexpr double kMax = std::numeric_limits<double>::max();
  if (!(upper <= kMax && squared_radius <= kMax)) return std::nullopt;
  if (lower * (1 - error) - kUnderflow > squared_radius) return false;
  if (upper * (1 + error) + kUnderflow < squared_radius) return true;
  return std::nullopt;
}

// Returns `answer`, or the result of the formula if there is none.
template <typename Formula>
bool Counted(const std::optional<bool>& answer, const Formula& formula,
             ArithmeticCounts* counts) {
  Arithmetic used = Arithmetic::kDouble;
  const bool overlap =
      answer ? *answer : Decide<LongBounded, Expansion, Exact>(formula, &used);
  Count(used, counts);
  return overlap;
}

template <typename Number>
Number Square(const Number& x) {
  return x * x;
}

template <typename Number>
bool IsWithin(const Sphere& s, const Aabb& b, Judge<Number>* judge) {
  Number d = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double c = s.center[i];
    if (c < b.lo[i]) d = d + Square(Number(b.lo[i]) - Number(c));
    if (c > b.hi[i]) d = d + Square(Number(c) - Number(b.hi[i]));
  }
  return judge->Sign(d - Square(Number(s.radius))) <= 0;
}

template <typename Number>
using Row = std::array<Number, 3>;

template <typename Number>
Number Dot(const Row<Number>& a, const Row<Number>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <typename Number>
Row<Number> ToRow(const Vec3& v) {
  return {Number(v.x), Number(v.y), Number(v.z)};
}

// The point q of a box that is closest to c, by the conditions of Karush, Kuhn
// and Tucker. Relative to its centre the box is |a_i . q| <= h_i. Let side s_i
// be -1 or 1 if q is on that face of slab i, and 0 if it is between the two
// faces. Let A have the rows a_i of the slabs with q on a face. Then q = c +
// A^T l, with (A A^T) l = w and w_i = s_i h_i - a_i . c. This q is the closest
// point if the other slabs contain it and no face pushes outward (s_i l_i <=
// 0). Then d^2 = w . l. By Cramer's rule, everything is multiplied by det(A
// A^T) > 0, so no division is needed.
template <typename Number>
class ClosestPoint {
 public:
  ClosestPoint(const Vec3& center, const Obb& b, Judge<Number>* judge)
      : judge_(*judge) {
    for (size_t i = 0; i < 3; ++i) {
      axes_[i] = ToRow<Number>(b.axes[i]);
      half_extents_[i] = Number(b.half_extents[i]);
    }
    const Row<Number> c = {Number(center.x) - Number(b.center.x),
                           Number(center.y) - Number(b.center.y),
                           Number(center.z) - Number(b.center.z)};
    for (size_t i = 0; i < 3; ++i) {
      projected_[i] = Dot(axes_[i], c);
      for (size_t j = 0; j < 3; ++j) gram_[i][j] = Dot(axes_[i], axes_[j]);
    }
  }

  // Returns true if the distance is at most `radius`. The solid is convex, so
  // some choice of sides satisfies the conditions, and any choice that does
  // gives the distance. With almost orthonormal axes, this is almost always the
  // choice given by the projections, so that choice is tried first.
  bool IsWithin(double radius) {
    const Number squared = Square(Number(radius));
    Sides side;
    for (size_t i = 0; i < 3; ++i) side[i] = SideOf(i);
    if (const auto within = Try(side, squared)) return *within;
    for (side[0] = -1; side[0] <= 1; ++side[0]) {
      for (side[1] = -1; side[1] <= 1; ++side[1]) {
        for (side[2] = -1; side[2] <= 1; ++side[2]) {
          if (const auto within = Try(side, squared)) return *within;
        }
      }
    }
    return true;  // not reached: a valid box has independent slabs
  }

 private:
  using Sides = std::array<int, 3>;

  int SideOf(size_t i) {
    if (judge_.Sign(projected_[i] - half_extents_[i]) > 0) return 1;
    return judge_.Sign(projected_[i] + half_extents_[i]) < 0 ? -1 : 0;
  }

  // Returns nullopt if the closest point is not on these sides of the slabs.
  std::optional<bool> Try(const Sides& side, const Number& squared_radius);

  static Number Determinant(const std::array<Row<Number>, 3>& m) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  }

  Judge<Number>& judge_;
  std::array<Row<Number>, 3> axes_;
  Row<Number> half_extents_;
  Row<Number> projected_;            // a_i . c
  std::array<Row<Number>, 3> gram_;  // a_i . a_j
};

template <typename Number>
std::optional<bool> ClosestPoint<Number>::Try(const Sides& side,
                                              const Number& squared_radius) {
  // The system (A A^T) l = w. For each slab with q between its faces, its row
  // is l_i = 0.
  std::array<Row<Number>, 3> matrix;
  Row<Number> w;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      const bool both = side[i] != 0 && side[j] != 0;
      matrix[i][j] = both ? gram_[i][j] : Number(i == j ? 1.0 : 0.0);
    }
    if (side[i] != 0) {
      w[i] = Number(static_cast<double>(side[i])) * half_extents_[i] -
             projected_[i];
    }
  }
  const Number determinant = Determinant(matrix);
  Row<Number> l;
  for (size_t i = 0; i < 3; ++i) {
    std::array<Row<Number>, 3> replaced = matrix;
    for (size_t row = 0; row < 3; ++row) replaced[row][i] = w[row];
    l[i] = Determinant(replaced);
    if (side[i] * judge_.Sign(l[i]) > 0) return std::nullopt;
  }
  for (size_t i = 0; i < 3; ++i) {
    if (side[i] != 0) continue;
    const Number q = projected_[i] * determinant + Dot(gram_[i], l);
    const Number h = half_extents_[i] * determinant;
    if (judge_.Sign(q - h) > 0 || judge_.Sign(q + h) < 0) return std::nullopt;
  }
  return judge_.Sign(Dot(w, l) - squared_radius * determinant) <= 0;
}

}  // namespace

bool Overlaps(const Sphere& s, const Aabb& b, ArithmeticCounts* counts) {
  // Each difference, square and sum rounds once: (1 +- u)^5 for d^2 and 1 +- u
  // for r^2. 8u also covers the second order and the rounding in Compare.
  const Vec3 zero;
  const Vec3 e = Max(Max(b.lo - s.center, s.center - b.hi), zero);
  const double d = SquaredNorm(e);
  std::optional<bool> answer;
  // Coordinates are compared exactly: the computed difference is zero only if
  // they are equal.
  if (e == zero) {
    answer = true;
  } else if (s.radius == 0) {
    answer = false;
  } else {
    answer = Compare(d, d, s.radius * s.radius, 8 * kRoundoff);
  }
  return Counted(
      answer,
      [&]<typename Number>(Judge<Number>& judge) {
        return IsWithin(s, b, &judge);
      },
      counts);
}

bool Overlaps(const Sphere& s, const Obb& b, ArithmeticCounts* counts) {
  // The projections are off by at most 4.1u |v|_1. Subtracting the half extent
  // adds u |v|_1 if the result is positive. The smallest normal number covers
  // products that underflow. The axes of a valid box are orthonormal to within
  // 19u, so the squared distance along them is within a factor of 1 +- 58u of
  // the true one; squaring and adding rounds another 5u, r^2 another u.
  const Vec3 v = b.center - s.center;
  const double margin = (std::abs(v.x) + std::abs(v.y) + std::abs(v.z) +
                         std::numeric_limits<double>::min()) *
                        (8 * kRoundoff);
  double lower = 0;
  double upper = 0;
  bool inside = std::isfinite(margin);
  for (size_t i = 0; i < 3; ++i) {
    const double e = std::abs(Dot(v, b.axes[i])) - b.half_extents[i];
    const double least = std::max(e - margin, 0.0);
    const double most = std::max(e + margin, 0.0);
    inside = inside && most == 0;
    lower += least * least;
    upper += most * most;
  }
  std::optional<bool> answer;
  if (inside) {
    answer = true;
  } else {
    answer = Compare(lower, upper, s.radius * s.radius, 80 * kRoundoff);
  }
  return Counted(
      answer,
      [&]<typename Number>(Judge<Number>& judge) {
        return ClosestPoint<Number>(s.center, b, &judge).IsWithin(s.radius);
      },
      counts);
}

}  // namespace orbox
