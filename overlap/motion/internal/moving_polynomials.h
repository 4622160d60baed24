// SPDX-License-Identifier: Apache-2.0

// Polynomials in t from 0 to 1 of moving points, in double with error bounds.
// Private to moving_features.h and moving_neighbors.h.
//
//   Polynomial<3> volume(Dot(Cross(Difference(b, a), Difference(c, a)),
//                            Difference(d, a)));
//   if (volume.SignOn(0, 0.5) != 0) ...    // certainly no root there
//
// Requires coordinates of at most 1 in magnitude, each within 2^-1074 of the
// true one.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_POLYNOMIALS_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_POLYNOMIALS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/motion/internal/moving_features.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::moving {

// A number and a measure m of its error: m is the same sum of products of
// magnitudes, and the error is at most kRelative m + kTiny. In a cubic, each
// term has three differences of coordinates as factors (u each), two products,
// and at most six additions (u each), and m itself is rounded: 16 u = 2^-49
// suffices. Each product may underflow by 2^-1075, and coordinates are off by
// 2^-1074, times at most a few hundred.
struct Bounded {
  double v = 0;
  double m = 0;
};
inline constexpr double kRelative = 0x1p-48;
inline constexpr double kTiny = 0x1p-1000;

inline Bounded operator+(const Bounded& a, const Bounded& b) {
  return {a.v + b.v, a.m + b.m};
}
inline Bounded operator-(const Bounded& a, const Bounded& b) {
  return {a.v - b.v, a.m + b.m};
}
inline Bounded operator*(const Bounded& a, const Bounded& b) {
  return {a.v * b.v, a.m * b.m};
}

// sum of c[i] (1-t)^(kDegree-i) t^i: Bernstein coefficients times their
// binomials, so that products are plain convolutions.
template <size_t kDegree>
struct Form {
  std::array<Bounded, kDegree + 1> c;
};

template <size_t kA, size_t kB>
Form<kA + kB> operator*(const Form<kA>& a, const Form<kB>& b) {
  Form<kA + kB> product;
  for (size_t i = 0; i <= kA; ++i) {
    for (size_t j = 0; j <= kB; ++j) {
      product.c[i + j] = product.c[i + j] + a.c[i] * b.c[j];
    }
  }
  return product;
}
template <size_t kDegree>
Form<kDegree> operator+(Form<kDegree> a, const Form<kDegree>& b) {
  for (size_t i = 0; i <= kDegree; ++i) a.c[i] = a.c[i] + b.c[i];
  return a;
}
template <size_t kDegree>
Form<kDegree> operator-(Form<kDegree> a, const Form<kDegree>& b) {
  for (size_t i = 0; i <= kDegree; ++i) a.c[i] = a.c[i] - b.c[i];
  return a;
}

template <size_t kDegree>
using FormVec = std::array<Form<kDegree>, 3>;

inline FormVec<1> Difference(const MovingPoint& p, const MovingPoint& q) {
  FormVec<1> d;
  for (size_t k = 0; k < 3; ++k) {
    const double from = p.from[k] - q.from[k];
    const double to = p.to[k] - q.to[k];
    d[k].c = {{{from, std::abs(from)}, {to, std::abs(to)}}};
  }
  return d;
}

inline FormVec<2> Cross(const FormVec<1>& a, const FormVec<1>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
          a[0] * b[1] - a[1] * b[0]};
}

inline Form<3> Dot(const FormVec<2>& a, const FormVec<1>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A polynomial by its Bernstein coefficients on [0, 1]. All values there, also
// of its blossom, are within `error`.
template <size_t kDegree>
class Polynomial {
 public:
  Polynomial() = default;
  explicit Polynomial(const Form<kDegree>& form) {
    double largest = 0;
    double magnitude = 0;
    for (size_t i = 0; i <= kDegree; ++i) {
      // 1 and kDegree are the only binomials up to cubics.
      const double binomial = i == 0 || i == kDegree ? 1 : kDegree;
      b_[i] = form.c[i].v / binomial;
      largest = std::max(largest, std::abs(b_[i]));
      magnitude = std::max(magnitude, form.c[i].m / binomial);
    }
    // Values are convex combinations of coefficients; each of the three levels
    // rounds by at most three units of the largest.
    constexpr double kLevels = 0x1p-49;
    error_ = kRelative * magnitude + kLevels * largest + kTiny;
  }

  // The sign if it is certain, else 0.
  int SignAt(double t) const { return SignOf(Blossom(t, t, t)); }

  // The common sign of the coefficients on [lo, hi], and so of all values
  // there, if it is certain; else 0.
  int SignOn(double lo, double hi) const {
    const std::array<double, kDegree + 1> c = On(lo, hi);
    const int sign = SignOf(c[0]);
    for (size_t i = 1; i <= kDegree; ++i) {
      if (SignOf(c[i]) != sign) return 0;
    }
    return sign;
  }

  // Whether there is certainly exactly one root between lo and hi.
  bool HasOneRoot(double lo, double hi) const requires(kDegree == 3) {
    const std::array<double, 4> c = On(lo, hi);
    const int first = SignOf(c[0]);
    if (first * SignOf(c[3]) >= 0) return false;
    // One change of sign for any inner coefficients, unless the second changes
    // sign and the third changes back.
    return SignOf(c[1]) == first || SignOf(c[2]) == -first;
  }

 private:
  int SignOf(double value) const {
    return value > error_ ? 1 : (value < -error_ ? -1 : 0);
  }

  // The symmetric multiaffine map whose diagonal is the polynomial.
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
