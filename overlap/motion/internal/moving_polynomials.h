// SPDX-License-Identifier: Apache-2.0

// Volumes and areas of moving points as polynomials in t, for any number type.
// In double with error bounds, signs for t in [0, 1] are certain if they are
// not 0. Private to moving_features.h and moving_neighbors.h.
//
//   Polynomial<3> volume(VolumeOf<Measured>(features));
//   if (volume.SignOn(0, 0.5) != 0) ...    // certainly no root there
//
// Measured requires coordinates of at most 1 in magnitude, each with an error
// of at most 2^-1074.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_POLYNOMIALS_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_POLYNOMIALS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "orbox/overlap/motion/internal/moving_features.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::moving {

// A number and a measure m of its error. m is the sum of the magnitudes of all
// products. The error is at most kRelative m + kTiny. In a cubic, each term has
// three differences of coordinates as factors (u each), two products, and at
// most six additions (u each), and m itself is rounded. 16 u = 2^-49 covers
// these. Each product may lose 2^-1075 to underflow, and coordinates have
// errors of 2^-1074, times at most a few hundred.
//
// If coordinates are rounded, with relative errors of 2 u, m has the sum of two
// magnitudes for each difference. The error is that of three differences of 3 u
// each, and of the products and additions above: 28 u with the rounding of m.
template <bool kIsRounded>
struct MeasuredOf {
  double v = 0;
  double m = 0;

  friend MeasuredOf operator+(const MeasuredOf& a, const MeasuredOf& b) {
    return {a.v + b.v, a.m + b.m};
  }
  friend MeasuredOf operator-(const MeasuredOf& a, const MeasuredOf& b) {
    return {a.v - b.v, a.m + b.m};
  }
  friend MeasuredOf operator*(const MeasuredOf& a, const MeasuredOf& b) {
    return {a.v * b.v, a.m * b.m};
  }
};
using Measured = MeasuredOf<false>;
using MeasuredOfRounded = MeasuredOf<true>;
inline constexpr double kRelative = 0x1p-48;
inline constexpr double kTiny = 0x1p-1000;

// For MeasuredOf, the sum of c[i] (1-t)^(kDegree-i) t^i: Bernstein coefficients
// times their binomials. For other numbers, the sum of c[i] t^i. In both cases,
// products are convolutions.
template <size_t kDegree, typename Number>
struct Form {
  std::array<Number, kDegree + 1> c;
};

template <size_t kA, size_t kB, typename Number>
Form<kA + kB, Number> operator*(const Form<kA, Number>& a,
                                const Form<kB, Number>& b) {
  Form<kA + kB, Number> product;
  for (size_t i = 0; i <= kA; ++i) {
    for (size_t j = 0; j <= kB; ++j) {
      product.c[i + j] = product.c[i + j] + a.c[i] * b.c[j];
    }
  }
  return product;
}
template <size_t kDegree, typename Number>
Form<kDegree, Number> operator+(Form<kDegree, Number> a,
                                const Form<kDegree, Number>& b) {
  for (size_t i = 0; i <= kDegree; ++i) a.c[i] = a.c[i] + b.c[i];
  return a;
}
template <size_t kDegree, typename Number>
Form<kDegree, Number> operator-(Form<kDegree, Number> a,
                                const Form<kDegree, Number>& b) {
  for (size_t i = 0; i <= kDegree; ++i) a.c[i] = a.c[i] - b.c[i];
  return a;
}

template <size_t kDegree, typename Number>
using FormVec = std::array<Form<kDegree, Number>, 3>;

template <typename Number>
inline FormVec<1, Number> Difference(const MovingPoint& p,
                                     const MovingPoint& q) {
  FormVec<1, Number> d;
  for (size_t k = 0; k < 3; ++k) {
    if constexpr (std::is_same_v<Number, Measured>) {
      const double from = p.from[k] - q.from[k];
      const double to = p.to[k] - q.to[k];
      d[k].c = {{{from, std::abs(from)}, {to, std::abs(to)}}};
    } else if constexpr (std::is_same_v<Number, MeasuredOfRounded>) {
      d[k].c = {
          {{p.from[k] - q.from[k], std::abs(p.from[k]) + std::abs(q.from[k])},
           {p.to[k] - q.to[k], std::abs(p.to[k]) + std::abs(q.to[k])}}};
    } else {
      const Number from = Number(p.from[k]) - Number(q.from[k]);
      const Number to = Number(p.to[k]) - Number(q.to[k]);
      d[k].c = {from, to - from};
    }
  }
  return d;
}

template <typename Number>
inline FormVec<2, Number> Cross(const FormVec<1, Number>& a,
                                const FormVec<1, Number>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
          a[0] * b[1] - a[1] * b[0]};
}

template <typename Number>
inline Form<3, Number> Dot(const FormVec<2, Number>& a,
                           const FormVec<1, Number>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Returns twice the area of a, b, p, as a vector.
template <typename Number>
inline FormVec<2, Number> AreaOf(const MovingPoint& a, const MovingPoint& b,
                                 const MovingPoint& p) {
  return Cross(Difference<Number>(b, a), Difference<Number>(p, a));
}

// Returns six times the volume of the four points, which is zero if they are in
// one plane.
template <typename Number>
inline Form<3, Number> VolumeOf(const MovingFeatures& f) {
  const auto& p = f.points;
  if (f.kind == MovingFeatureKind::kCornerFace) {
    return Dot(AreaOf<Number>(p[1], p[2], p[3]),
               Difference<Number>(p[0], p[1]));
  }
  return Dot(
      Cross(Difference<Number>(p[1], p[0]), Difference<Number>(p[3], p[2])),
      Difference<Number>(p[2], p[0]));
}

// Number of areas whose signs decide if features in one plane have a common
// point: of the corner and each edge of the face, or of each edge and each end
// of the other edge.
inline constexpr size_t kCornerAreas = 3;
inline constexpr size_t kEdgeAreas = 4;
inline size_t AreaCountOf(const MovingFeatures& f) {
  return f.kind == MovingFeatureKind::kCornerFace ? kCornerAreas : kEdgeAreas;
}
template <typename Number>
inline FormVec<2, Number> AreaOf(const MovingFeatures& f, size_t i) {
  constexpr size_t kCorners[kCornerAreas][3] = {
      {1, 2, 0}, {2, 3, 0}, {3, 1, 0}};
  constexpr size_t kEdges[kEdgeAreas][3] = {
      {0, 1, 2}, {0, 1, 3}, {2, 3, 0}, {2, 3, 1}};
  const size_t* at =
      f.kind == MovingFeatureKind::kCornerFace ? kCorners[i] : kEdges[i];
  return AreaOf<Number>(f.points[at[0]], f.points[at[1]], f.points[at[2]]);
}

// A polynomial given by its Bernstein coefficients on [0, 1]. Errors of the
// values of the polynomial and of its blossom in this interval are at most
// `error_`.
template <size_t kDegree>
class Polynomial {
 public:
  Polynomial() = default;
  template <bool kIsRounded>
  explicit Polynomial(const Form<kDegree, MeasuredOf<kIsRounded>>& form) {
    double largest = 0;
    double magnitude = 0;
    for (size_t i = 0; i <= kDegree; ++i) {
      // The binomials up to cubics are 1 and kDegree.
      const double binomial = i == 0 || i == kDegree ? 1 : kDegree;
      b_[i] = form.c[i].v / binomial;
      largest = std::max(largest, std::abs(b_[i]));
      magnitude = std::max(magnitude, form.c[i].m / binomial);
    }
    // Values are convex combinations of the coefficients. Each of the three
    // levels of the computation rounds by at most three units of the largest
    // coefficient.
    constexpr double kLevels = 0x1p-49;
    error_ = kRelative * magnitude + kLevels * largest + kTiny;
  }

  // Returns the sign if it is certain, and 0 otherwise.
  int SignAt(double t) const { return SignOf(Blossom(t, t, t)); }

  // Returns the sign that all coefficients on [lo, hi] certainly have, and
  // therefore all values in this interval. Returns 0 if there is none.
  int SignOn(double lo, double hi) const {
    const std::array<double, kDegree + 1> c = On(lo, hi);
    const int sign = SignOf(c[0]);
    for (size_t i = 1; i <= kDegree; ++i) {
      if (SignOf(c[i]) != sign) return 0;
    }
    return sign;
  }

  // Returns true if there is certainly exactly one root between lo and hi.
  bool HasOneRoot(double lo, double hi) const requires(kDegree == 3) {
    const std::array<double, 4> c = On(lo, hi);
    const int first = SignOf(c[0]);
    if (first * SignOf(c[3]) >= 0) return false;
    // The signs change exactly once for any inner coefficients, unless the
    // second coefficient changes the sign and the third changes it again.
    return SignOf(c[1]) == first || SignOf(c[2]) == -first;
  }

 private:
  int SignOf(double value) const {
    return value > error_ ? 1 : (value < -error_ ? -1 : 0);
  }

  // The blossom: the symmetric multiaffine map whose diagonal is the
  // polynomial.
  double Blossom(double r, double s, double t) const {
    std::array<double, kDegree + 1> c = b_;
    const std::array<double, 3> at{r, s, t};
    for (size_t level = 0; level < kDegree; ++level) {
      const double x = at[level];
      const double y = 1 - x;
      for (size_t i = 0; i + level < kDegree; ++i) {
        c[i] = c[i] * y + c[i + 1] * x;
      }
    }
    return c[0];
  }

  std::array<double, kDegree + 1> On(double lo, double hi) const {
    if constexpr (kDegree == 2) {
      return {Blossom(lo, lo, 0), Blossom(lo, hi, 0), Blossom(hi, hi, 0)};
    } else {
      return {Blossom(lo, lo, lo), Blossom(lo, lo, hi), Blossom(lo, hi, hi),
              Blossom(hi, hi, hi)};
    }
  }

  std::array<double, kDegree + 1> b_{};
  double error_ = 0;
};

}  // namespace orbox::moving

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_POLYNOMIALS_H_
