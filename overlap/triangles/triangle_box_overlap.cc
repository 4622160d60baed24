// SPDX-License-Identifier: Apache-2.0

// Overlap of triangles and boxes, by the separating axis theorem.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/triangles/internal/exact_triangles.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

using exact::BoxAxes;

// Bound of the underflow of products of up to three factors, none of which
// exceeds kLargestFactor.
constexpr double kTinyError = 0x1p-700;
constexpr double kLargestFactor = 0x1p300;

// A box [lo, hi] and a triangle, near the origin. The error of each coordinate
// is at most `error` on its axis.
struct BoxAndTriangle {
  Vec3 lo;
  Vec3 hi;
  Triangle triangle;
  Vec3 error;
  // The original triangle, if the box's axes are those of its coordinates and
  // do not separate; otherwise null. Edges and normals of this triangle along
  // the box's axes need no test.
  const Triangle* aligned = nullptr;
};

enum class AxisVerdict { kNo, kYes, kUnknown };

// Tests one axis of the theorem. `error` bounds the errors of all four ends of
// the two intervals together.
AxisVerdict OverlapsOn(double box_lo, double box_hi, double p, double q,
                       double error) {
  const double gap = std::max(std::min(p, q) - box_hi, box_lo - std::max(p, q));
  if (gap > error) return AxisVerdict::kNo;
  return gap <= -error ? AxisVerdict::kYes : AxisVerdict::kUnknown;
}

// Tests axis after axis and collects the undecided ones.
class SeparatingAxes {
 public:
  explicit SeparatingAxes(const BoxAndTriangle& shapes)
      : s_(shapes),
        reach_(Max(Max(Abs(s_.lo), Abs(s_.hi)),
                   Max(Abs(s_.triangle.a),
                       Max(Abs(s_.triangle.b), Abs(s_.triangle.c))))) {}

  AxisVerdict Overlap() {
    const Vec3 limit = reach_ + s_.error;
    if (!(MaxCoordinate(limit) <= kLargestFactor)) {
      undecided_ = BoxAxes::kAll;
      return AxisVerdict::kUnknown;
    }
    if (s_.aligned == nullptr && !OnBoxAxes()) return AxisVerdict::kNo;
    if (!IsFlat() && !OnNormal()) return AxisVerdict::kNo;
    for (size_t i = 0; i < 3; ++i) {
      const size_t j = i == 2 ? 0 : i + 1;
      if (!OnCrossAxes(i, j, 3 - i - j)) return AxisVerdict::kNo;
    }
    return undecided_ == 0 ? AxisVerdict::kYes : AxisVerdict::kUnknown;
  }

  // Returns the undecided axes.
  uint32_t undecided() const { return undecided_; }

 private:
  // Each of these functions returns false if an axis certainly separates.
  bool Note(AxisVerdict answer, uint32_t axis) {
    undecided_ |= answer == AxisVerdict::kUnknown ? axis : 0;
    return answer != AxisVerdict::kNo;
  }

  bool OnBoxAxes() {
    const Triangle& t = s_.triangle;
    for (size_t i = 0; i < 3; ++i) {
      const double lo = std::min(t.a[i], std::min(t.b[i], t.c[i]));
      const double hi = std::max(t.a[i], std::max(t.b[i], t.c[i]));
      if (!Note(OverlapsOn(
                    s_.lo[i], s_.hi[i], lo, hi,
                    4 * (kRoundoff * reach_[i] + s_.error[i]) + kTinyError),
                BoxAxes::Along(i))) {
        return false;
      }
    }
    return true;
  }

  bool OnNormal() {
    const Triangle& t = s_.triangle;
    const Vec3 e = t.b - t.a;
    const Vec3 f = t.c - t.a;
    const Vec3 n = Cross(e, f);
    // Error of an edge's coordinate: the errors of both corners, and one
    // rounding. Error of a coordinate of n: the errors of both edges, and two
    // roundings of its products, which are taken with absolute values.
    const Vec3 de = 2 * s_.error + 2 * kRoundoff * reach_;
    const Vec3 ae = Abs(e) + de;
    const Vec3 af = Abs(f) + de;
    const Vec3 dn{Error(ae, af, de, 1, 2), Error(ae, af, de, 2, 0),
                  Error(ae, af, de, 0, 1)};
    const double height = Dot(n, t.a);
    const double error = Propagated(Abs(n) + dn, dn);
    return Note(OverlapsOn(Lowest(n), Highest(n), height, height, error),
                BoxAxes::kNormal);
  }

  static double Error(const Vec3& ae, const Vec3& af, const Vec3& de, size_t i,
                      size_t j) {
    return 2 * (de[i] * (af[j] + ae[j]) + de[j] * (ae[i] + af[i])) +
           4 * kRoundoff * (ae[i] * af[j] + ae[j] * af[i]) + kTinyError;
  }

  // Returns true if the edge between two corners has no extent along an axis.
  bool IsFlat(size_t from, size_t to, size_t axis) const {
    return s_.aligned != nullptr &&
           (*s_.aligned)[from][axis] == (*s_.aligned)[to][axis];
  }

  // Returns true if the normal is along an axis, or the triangle is a segment
  // along one.
  bool IsFlat() const {
    for (size_t axis = 0; axis < 3; ++axis) {
      if (IsFlat(0, 1, axis) && IsFlat(0, 2, axis)) return true;
    }
    return false;
  }

  // Tests the axes (unit vector) x edge, for the edge between two corners.
  bool OnCrossAxes(size_t from, size_t to, size_t other) {
    const Vec3& p = s_.triangle[from];
    const Vec3& r = s_.triangle[other];
    const Vec3 e = s_.triangle[to] - p;
    const Vec3 de = 2 * s_.error + 2 * kRoundoff * reach_;
    for (size_t i = 0; i < 3; ++i) {
      Vec3 axis, d_axis;
      const size_t j = i == 2 ? 0 : i + 1;
      const size_t k = 3 - i - j;
      // The product is zero, or along one of the box's own axes.
      if (IsFlat(from, to, j) || IsFlat(from, to, k)) continue;
      axis[j] = -e[k];
      axis[k] = e[j];
      d_axis[j] = de[k];
      d_axis[k] = de[j];
      if (!Note(
              OverlapsOn(Lowest(axis), Highest(axis), Dot(axis, p),
                         Dot(axis, r), Propagated(Abs(axis) + d_axis, d_axis)),
              BoxAxes::Across(i, from))) {
        return false;
      }
    }
    return true;
  }

  // Returns a bound of the error of the difference between an end of the box's
  // interval and one of the triangle's, on an axis whose coordinates are at
  // most `axis` in magnitude and have errors of at most `d_axis`. Each end is a
  // sum of three products (three roundings of at most the sum of magnitudes;
  // another for the difference).
  double Propagated(const Vec3& axis, const Vec3& d_axis) const {
    const Vec3 reach = reach_ + s_.error;
    return 2 * (Dot(axis, s_.error) + Dot(d_axis, reach)) *
               (1 + 16 * kRoundoff) +
           10 * kRoundoff * Dot(axis, reach) + kTinyError;
  }

  double Lowest(const Vec3& n) const {
    return Dot(n, {n.x > 0 ? s_.lo.x : s_.hi.x, n.y > 0 ? s_.lo.y : s_.hi.y,
                   n.z > 0 ? s_.lo.z : s_.hi.z});
  }
  double Highest(const Vec3& n) const {
    return Dot(n, {n.x > 0 ? s_.hi.x : s_.lo.x, n.y > 0 ? s_.hi.y : s_.lo.y,
                   n.z > 0 ? s_.hi.z : s_.lo.z});
  }

  const BoxAndTriangle& s_;
  const Vec3 reach_;
  uint32_t undecided_ = 0;
};

// Decides by the axes, and the undecided axes by exact numbers.
template <typename Box>
bool ByAxes(const BoxAndTriangle& shapes, const Box& box, const Triangle& t,
            ArithmeticCounts* counts) {
  Arithmetic used = Arithmetic::kDouble;
  SeparatingAxes axes(shapes);
  const AxisVerdict answer = axes.Overlap();
  const bool overlap = answer == AxisVerdict::kUnknown
                           ? exact::Overlaps(box, t, axes.undecided(), &used)
                           : answer == AxisVerdict::kYes;
  Count(used, counts);
  return overlap;
}

// Returns coordinate `axis` of the frame of an OBB. Raises *error to a bound of
// its error: a rounded difference, product and sum.
double AlongAxis(const Vec3& axis, const Vec3& w, double* error) {
  *error =
      std::max(*error, 6 * kRoundoff * Dot(Abs(axis), Abs(w)) + kTinyError);
  return Dot(axis, w);
}

}  // namespace

bool Overlaps(const Aabb& box, const Triangle& t, ArithmeticCounts* counts) {
  const Aabb bounds = BoundsOf(t);
  if (!Overlaps(box, bounds)) {
    Count(Arithmetic::kDouble, counts);
    return false;
  }
  // A corner inside the box decides without any arithmetic.
  for (size_t i = 0; i < 3; ++i) {
    if (Contains(box, t[i])) {
      Count(Arithmetic::kDouble, counts);
      return true;
    }
  }
  const Vec3 center = box.Center();
  BoxAndTriangle shapes{box.lo - center,
                        box.hi - center,
                        {t.a - center, t.b - center, t.c - center},
                        {}};
  // Each difference was rounded once, relative to itself.
  shapes.aligned = &t;
  shapes.error = 2 * kRoundoff *
                 Max(Max(Abs(shapes.lo), Abs(shapes.hi)),
                     Max(Abs(shapes.triangle.a),
                         Max(Abs(shapes.triangle.b), Abs(shapes.triangle.c))));
  return ByAxes(shapes, box, t, counts);
}

bool Overlaps(const Obb& box, const Triangle& t, ArithmeticCounts* counts) {
  // In the coordinates axes[i] . (x - center), the box is exactly an AABB, even
  // if its axes are not at right angles.
  BoxAndTriangle shapes{-box.half_extents, box.half_extents, {}, {}};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t corner = 0; corner < 3; ++corner) {
      shapes.triangle[corner][i] =
          AlongAxis(box.axes[i], t[corner] - box.center, &shapes.error[i]);
    }
  }
  return ByAxes(shapes, box, t, counts);
}

}  // namespace orbox
