// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/relative_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/bvh/posed/internal/singular_values.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {
namespace {

// Applies the inverse of a pose's skewed linear part: the adjugate divided by
// the determinant. Both are divided by powers of the scale, so that they are
// between 1 and powers of the stretch.
Vec3 InverseSkewed(const PosedTree& t, const Vec3& v) {
  const double unit = 1 / t.scale();
  const Vec3 u = v * unit;
  const Vec3 p = t.pose().rows[0] * unit;
  const Vec3 q = t.pose().rows[1] * unit;
  const Vec3 r = t.pose().rows[2] * unit;
  const Vec3 qr = Cross(q, r);
  return (qr * u.x + Cross(r, p) * u.y + Cross(p, q) * u.z) * (1 / Dot(p, qr));
}

// Applies the inverse of any pose's linear part. The inverse of a similarity is
// its transpose divided by the squared scale. Its error is the skew, which all
// callers allow for.
inline Vec3 InverseTurn(const PosedTree& t, const Vec3& v) {
  if (t.stretch() != 1) return InverseSkewed(t, v);
  const auto& rows = t.pose().rows;
  const Vec3 u = v * (1 / t.scale());
  return (rows[0] * u.x + rows[1] * u.y + rows[2] * u.z) * (1 / t.scale());
}

inline Vec3 ColumnOf(const Pose& pose, size_t k) {
  return {pose.rows[0][k], pose.rows[1][k], pose.rows[2][k]};
}

inline Vec3 Turn(const Pose& pose, const Vec3& v) {
  return {Dot(pose.rows[0], v), Dot(pose.rows[1], v), Dot(pose.rows[2], v)};
}

// A map's linear part, in units of the ratio of scales, which is near 1.
struct LinearPart {
  Vec3 columns[3];

  // For two similarities. Their scales are in the range of models
  // (shapes/range.h), so products of both are in the range of double.
  static LinearPart OfSimilar(const PosedTree& from, const PosedTree& to) {
    const double unit = 1 / (from.scale() * to.scale());
    const auto& rows = to.pose().rows;
    LinearPart part;
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 c = ColumnOf(from.pose(), k);
      part.columns[k] = (rows[0] * c.x + rows[1] * c.y + rows[2] * c.z) * unit;
    }
    return part;
  }
  static LinearPart OfSkewed(const PosedTree& from, const PosedTree& to) {
    LinearPart part;
    for (size_t k = 0; k < 3; ++k) {
      part.columns[k] = InverseTurn(
          to, ColumnOf(from.pose(), k) * (to.scale() / from.scale()));
    }
    return part;
  }

  LinearPart Transposed() const {
    const auto& [x, y, z] = columns;
    return {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
  }
};

// Sets r->back to the inverse of the matrix with these columns, times `least`.
// The rows of the inverse are cross products of the columns.
void SetBack(const Vec3 (&columns)[3], double least, RelativeSpace* r) {
  const double unit = least / Dot(columns[0], Cross(columns[1], columns[2]));
  for (int i = 0; i < 3; ++i) {
    const Vec3 row = Cross(columns[(i + 1) % 3], columns[(i + 2) % 3]) * unit;
    for (int k = 0; k < 3; ++k) r->back[i][k] = static_cast<float>(row[k]);
  }
}

// Approximate factor by which the error of an inverse exceeds that of a
// similarity's, if its columns have errors of 2^-53.
double Conditioning(const PosedTree& t) { return t.stretch() * t.stretch(); }

// Returns a bound of the coordinates that occur in a map from or to a space
// whose origin is `origin`.
inline double CoordinatesOf(const PosedTree& t, const Vec3& origin) {
  return t.scale() * t.stretch() *
             (MaxCoordinate(Abs(origin)) + 2 * t.tree().space().unscale) +
         MaxCoordinate(Abs(t.pose().translation));
}

bool IsOnlyMoved(const PosedTree& t) {
  return t.scale() == 1 && t.pose().rows == Pose::Identity().rows;
}

// Bound of the rounding errors, in double and in world units, of a point of one
// space relative to a point of the other. With u = 2^-53:
//  - Any two poses: each step has an error of a few u of its coordinates, and
//    the posed vertices are rounded to u of theirs.
//  - Two translations: a vertex of each mesh is rounded once, and the sums of
//    the shift are rounded three times. These errors add up to at most 8 u of
//    the coordinates of both, and to sqrt(3) times that in a distance.
//  - Two identities: no vertex is rounded, and only the difference of the two
//    origins matters. So a distance from the origin costs no precision.
double RoundingBetween(const PosedTree& a, const PosedTree& b) {
  constexpr double kAnySteps = 3 * 0x1p-46;
  constexpr double kOnlySums = 0x1p-49;
  const Vec3& a_origin = a.tree().space().origin;
  const Vec3& b_origin = b.tree().space().origin;
  if (a.pose().IsIdentity() && b.pose().IsIdentity()) {
    return kAnySteps *
           (CoordinatesOf(a, a_origin - b_origin) + CoordinatesOf(b, {}));
  }
  return (IsOnlyMoved(a) && IsOnlyMoved(b) ? kOnlySums : kAnySteps) *
         (CoordinatesOf(a, a_origin) + CoordinatesOf(b, b_origin));
}

inline void Set(const PosedTree& from, const PosedTree& to,
                const LinearPart& linear, double rounding, RelativeSpace* r) {
  const TreeSpace& from_space = from.tree().space();
  const TreeSpace& to_space = to.tree().space();
  const double ratio = WorldUnit(from) / WorldUnit(to);
  r->is_skewed = from.stretch() != 1 || to.stretch() != 1;
  SingularValues lengths{1, 1};
  if (r->is_skewed) {
    lengths = SingularValuesOf(linear.columns);
    SetBack(linear.columns, lengths.least, r);
  }
  const double scale = ratio * lengths.least;
  const double stretch = ratio * lengths.largest;
  const double to_turn = 1 / lengths.least;
  for (size_t k = 0; k < 3; ++k) {
    for (size_t i = 0; i < 3; ++i) {
      const double entry = linear.columns[k][i];
      r->turn[i][k] = static_cast<float>(entry * to_turn);
      r->precise_turn[i][k] = ratio * entry;
    }
  }
  const Vec3 world =
      Turn(from.pose(), from_space.origin) + from.pose().translation;
  // The error of the transpose is the skew times the length of a vector. Here
  // this vector has all of a model's coordinates, not only the difference from
  // the target's origin. Skews of rounded rotations are below the allowance for
  // rounding.
  constexpr double kMostRounded = 0x1p-50;
  const Vec3 from_target = world - to.pose().translation;
  const Vec3 place = to.skew() > kMostRounded ? InverseSkewed(to, from_target)
                                              : InverseTurn(to, from_target);
  const Vec3 shift = (place - to_space.origin) * to_space.scale;
  double reach = 1 + 2 * stretch;
  for (size_t i = 0; i < 3; ++i) {
    r->shift[i] = static_cast<float>(shift[i]);
    r->precise_shift[i] = shift[i];
    reach = std::max(reach, std::abs(shift[i]) + 2 * stretch);
  }
  r->scale = static_cast<float>(scale);
  r->stretch = static_cast<float>(stretch);

  // Near the lower limit of double, each step has an error of the smallest
  // denormal.
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  const double in_double = (rounding + 64 * kLeast) / WorldUnit(to) *
                           Conditioning(from) * Conditioning(to);
  const double skew = 4 * (from.skew() + to.skew()) * reach;
  // Beyond this, products of float coordinates come near the limit of their
  // range.
  constexpr double kFar = 0x1p28;
  if (!(reach < kFar) || !(in_double < kFar) || !(scale > 0x1p-100)) {
    r->slack = r->vertex_error = std::numeric_limits<float>::infinity();
    return;
  }
  // Error bound, with u = 2^-24, in units of u times `reach`. For a skewed map,
  // read "stretch" for "scale".
  // - 26: the mapped centre. An entry of the product of both blocks' frames and
  //   `turn` has an error of 10 u. A centre with coordinates up to 1 then has
  //   an error of 52 u of the scale, which is at most half of `reach`.
  // - 18: products, sums and the shift.
  // - 30: half extents, which are mapped in the same way.
  // - 8: the frames, which have an error of 4 u, and lengths in them.
  // - 12: the bound that is computed from these.
  // The sum is below 96. Twice that covers the later steps: subtracting this
  // slack, and changing units.
  r->slack = RoundUp(192 * 0x1p-24 * reach + in_double + skew);
  // The error of a vertex: the error of its leaf in each coordinate, which the
  // rotation may multiply by sqrt(3), and the error of a vertex of the target.
  r->vertex_error = RoundUp(1.75 * stretch * from_space.leaf_error +
                            to_space.leaf_error + in_double + skew);
}

}  // namespace

void RelativeSpace::SetBoth(const PosedTree& a, const PosedTree& b,
                            RelativeSpace* a_in_b, RelativeSpace* b_in_a) {
  const double rounding = RoundingBetween(a, b);
  if (a.stretch() == 1 && b.stretch() == 1) {
    const LinearPart linear = LinearPart::OfSimilar(a, b);
    Set(a, b, linear, rounding, a_in_b);
    Set(b, a, linear.Transposed(), rounding, b_in_a);
  } else {
    Set(a, b, LinearPart::OfSkewed(a, b), rounding, a_in_b);
    Set(b, a, LinearPart::OfSkewed(b, a), rounding, b_in_a);
  }
}

}  // namespace orbox
