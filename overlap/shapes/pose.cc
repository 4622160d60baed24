#include "orbox/overlap/shapes/pose.h"

#include <cmath>
#include <cstddef>

#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/internal/numbers/exact_number.h"
#include "orbox/overlap/shapes/internal/pose_range.h"

namespace orbox {
namespace {

bool AreFactors(const Vec3& v) {
  return IsPoseFactor(v.x) && IsPoseFactor(v.y) && IsPoseFactor(v.z);
}

// Puts row . p + t, correctly rounded, into *result; false if double does not
// decide.
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

// Coordinate `axis` of R p + t.
double ApplyRow(const Vec3& row, const Vec3& p, double t, size_t axis) {
  const Vec3 unit{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0,
                  axis == 2 ? 1.0 : 0.0};
  double result = 0;
  if (row == unit) {
    result = p[axis] + t;
  } else if (!AreFactors(row) || !AreFactors(p) || !IsPoseOffset(t) ||
             !RoundedInDouble(row, p, t, &result)) {
    result = RoundedExactly(row, p, t);
  }
  return result + 0.0;  // one zero, +0, whichever way it came about
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

bool Pose::IsIdentity() const {
  return rows == Pose().rows && translation == Vec3();
}

bool Pose::IsFinite() const {
  return orbox::IsFinite(rows[0]) && orbox::IsFinite(rows[1]) &&
         orbox::IsFinite(rows[2]) && orbox::IsFinite(translation);
}

bool Pose::IsRigid(double tolerance) const {
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = i; j < 3; ++j) {
      const double entry = rows[0][i] * rows[0][j] + rows[1][i] * rows[1][j] +
                           rows[2][i] * rows[2][j];
      // Negated, so that NaN is not rigid.
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
