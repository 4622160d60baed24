// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/shapes/pose.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/internal/numbers/exact_number.h"

namespace orbox {
namespace {

// Returns true if SumOfProducts can multiply these numbers without underflow or
// overflow: their products are 0 or from 2^-600 to 2^600 in magnitude, and the
// rounding errors of products are multiples of 2^-704. All numbers in the range
// of models (range.h) qualify.
bool AreFactors(const Vec3& v) {
  const auto is_factor = [](double x) {
    const double size = std::abs(x);
    return size == 0 || (size >= 0x1p-300 && size <= 0x1p300);
  };
  return is_factor(v.x) && is_factor(v.y) && is_factor(v.z);
}

bool IsOffset(double x) {
  const double size = std::abs(x);
  return size == 0 || (size >= 0x1p-600 && size <= 0x1p600);
}

// Sets *result to row . p + t, correctly rounded. Returns false if double does
// not decide.
bool RoundedInDouble(const Vec3& row, const Vec3& p, double t, double* result) {
  const BoundedLong<double> sum =
      SumOfProducts(row.x, p.x, row.y, p.y, row.z, p.z, t);
  *result = sum.value.hi;
  return IsRounded(sum);
}

double RoundedExactly(const Vec3& row, const Vec3& p, double t) {
  return (Exact(row.x) * p.x + Exact(row.y) * p.y + Exact(row.z) * p.z + t)
      .ToDouble();
}

// Returns coordinate `axis` of R p + t.
double ApplyRow(const Vec3& row, const Vec3& p, double t, size_t axis) {
  const Vec3 unit{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0,
                  axis == 2 ? 1.0 : 0.0};
  double result = 0;
  if (row == unit) {
    result = p[axis] + t;
  } else if (!AreFactors(row) || !AreFactors(p) || !IsOffset(t) ||
             !RoundedInDouble(row, p, t, &result)) {
    result = RoundedExactly(row, p, t);
  }
  return result + 0.0;  // every branch returns +0 for zero
}

}  // namespace

Pose Pose::Rotation(const Vec3& axis, double angle, const Vec3& t) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const Vec3 k = axis * (1 - c);
  return {.rows = {{{c + k.x * axis.x, k.x * axis.y - s * axis.z,
                     k.x * axis.z + s * axis.y},
                    {k.y * axis.x + s * axis.z, c + k.y * axis.y,
                     k.y * axis.z - s * axis.x},
                    {k.z * axis.x - s * axis.y, k.z * axis.y + s * axis.x,
                     c + k.z * axis.z}}},
          .translation = t};
}

Pose Pose::FromQuaternion(const Quaternion& q, const Vec3& t) {
  // Scales q by a power of two, so that no square overflows or underflows.
  const double largest =
      std::max({std::abs(q.w), std::abs(q.x), std::abs(q.y), std::abs(q.z)});
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const double sum = std::abs(q.w) + std::abs(q.x) + std::abs(q.y) +
                     std::abs(q.z);  // NaN if any component is NaN
  if (!(largest > 0) || std::isnan(sum) || std::isinf(largest)) {
    const Vec3 none{kNan, kNan, kNan};
    return {.rows = {none, none, none}, .translation = t};
  }
  const int unit = -std::ilogb(largest);
  const double w = std::scalbn(q.w, unit);
  const double x = std::scalbn(q.x, unit);
  const double y = std::scalbn(q.y, unit);
  const double z = std::scalbn(q.z, unit);
  const double s = 2 / (w * w + x * x + y * y + z * z);
  return {.rows = {{{1 - s * (y * y + z * z), s * (x * y - w * z),
                     s * (x * z + w * y)},
                    {s * (x * y + w * z), 1 - s * (x * x + z * z),
                     s * (y * z - w * x)},
                    {s * (x * z - w * y), s * (y * z + w * x),
                     1 - s * (x * x + y * y)}}},
          .translation = t};
}

std::optional<Pose> Pose::FromRowMajor(std::span<const double, 16> matrix) {
  const auto row = [&](size_t i) {
    return Vec3{matrix[4 * i], matrix[4 * i + 1], matrix[4 * i + 2]};
  };
  const Pose pose{.rows = {row(0), row(1), row(2)},
                  .translation = {matrix[3], matrix[7], matrix[11]}};
  if (!pose.IsFinite() || row(3) != Vec3{} || matrix[15] != 1) {
    return std::nullopt;
  }
  return pose;
}

Pose operator*(const Pose& a, const Pose& b) {
  Pose product = Pose::Translation(a.Apply(b.translation));
  Pose turn = a;
  turn.translation = {};
  for (size_t k = 0; k < 3; ++k) {
    const Vec3 column =
        turn.Apply(Vec3{b.rows[0][k], b.rows[1][k], b.rows[2][k]});
    for (size_t i = 0; i < 3; ++i) product.rows[i][k] = column[i];
  }
  return product;
}

std::optional<Pose> Pose::Inverse() const {
  if (!IsFinite()) return std::nullopt;
  // Cofactor (i, j): the determinant of the matrix without row i and column j,
  // with its sign.
  const auto cofactor = [this](size_t i, size_t j) {
    const Vec3& r = rows[(i + 1) % 3];
    const Vec3& s = rows[(i + 2) % 3];
    const size_t k = (j + 1) % 3;
    const size_t l = (j + 2) % 3;
    return Exact(r[k]) * s[l] - Exact(r[l]) * s[k];
  };
  const Exact determinant = cofactor(0, 0) * rows[0].x +
                            cofactor(0, 1) * rows[0].y +
                            cofactor(0, 2) * rows[0].z;
  if (determinant.Sign() == 0) return std::nullopt;
  Pose inverse;
  for (size_t i = 0; i < 3; ++i) {
    Exact moved;
    for (size_t j = 0; j < 3; ++j) {
      const Exact entry = cofactor(j, i);
      inverse.rows[i][j] = RoundedQuotient(entry, determinant);
      moved = moved + entry * translation[j];
    }
    inverse.translation[i] = RoundedQuotient(-moved, determinant);
  }
  if (!inverse.IsFinite()) return std::nullopt;
  return inverse;
}

bool Pose::IsIdentity() const { return *this == Pose(); }

bool Pose::IsFinite() const {
  // 0 times a number that is not finite is NaN, and so is any sum that contains
  // it.
  const auto zero = [](const Vec3& v) { return v.x * 0 + v.y * 0 + v.z * 0; };
  return zero(rows[0]) + zero(rows[1]) + (zero(rows[2]) + zero(translation)) ==
         0;
}

bool Pose::IsRigid(double tolerance) const {
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = i; j < 3; ++j) {
      const double entry = rows[0][i] * rows[0][j] + rows[1][i] * rows[1][j] +
                           rows[2][i] * rows[2][j];
      // The comparison is negated so that NaN is not rigid.
      if (!(std::abs(entry - (i == j ? 1 : 0)) <= tolerance)) return false;
    }
  }
  return Dot(Cross(rows[0], rows[1]), rows[2]) > 0;
}

Vec3 Pose::Apply(const Vec3& p) const {
  return {ApplyRow(rows[0], p, translation.x, 0),
          ApplyRow(rows[1], p, translation.y, 1),
          ApplyRow(rows[2], p, translation.z, 2)};
}

Triangle Pose::Apply(const Triangle& t) const {
  return {Apply(t.a), Apply(t.b), Apply(t.c)};
}

}  // namespace orbox
