// SPDX-License-Identifier: Apache-2.0

// Real roots of polynomials as exact numbers. Private to the exact stages.
//
//   for (RealRoot& root : RootsUpToOne(f)) {     // ascending, in (0, 1]
//     if (root.SignOf(g) >= 0) ...               // of g at the root, exactly
//     root.RefineTo(0x1p-40);                    // root.lo(), root.hi()
//   }
//
// Coefficients are Exact, so that nothing rounds or overflows. Bernstein
// coefficients isolate the roots: their changes of sign on an interval are as
// many as the roots inside, or more by an even number (Descartes' rule; Collins
// and Akritas, "Polynomial real root isolation using Descartes' rule of signs",
// 1976). Meant for small degrees.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_REAL_ROOTS_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_REAL_ROOTS_H_

#include <cstddef>
#include <vector>

#include "orbox/overlap/internal/numbers/exact_number.h"

namespace orbox {

// sum of c[i] t^i. Zero has no coefficients; otherwise the last is not zero.
class ExactPolynomial {
 public:
  ExactPolynomial() = default;
  explicit ExactPolynomial(std::vector<Exact> coefficients);

  bool IsZero() const { return c_.empty(); }
  // Requires that it is not zero.
  size_t degree() const { return c_.size() - 1; }
  const Exact& operator[](size_t i) const { return c_[i]; }

  Exact At(const Exact& t) const;
  ExactPolynomial Derivative() const;

  // The signs of the Bernstein coefficients on [lo, hi]: the number of changes,
  // without zeros, and the first and the last sign that is not zero, which are
  // the signs just after lo and just before hi. All zero for zero.
  struct Signs {
    int changes = 0;
    int first = 0;
    int last = 0;
  };
  Signs SignsOn(const Exact& lo, const Exact& hi) const;

  friend ExactPolynomial operator+(const ExactPolynomial& a,
                                   const ExactPolynomial& b);
  friend ExactPolynomial operator-(const ExactPolynomial& a,
                                   const ExactPolynomial& b);
  friend ExactPolynomial operator*(const ExactPolynomial& a,
                                   const ExactPolynomial& b);

 private:
  std::vector<Exact> c_;
};

// Up to a constant factor.
ExactPolynomial GreatestCommonDivisor(ExactPolynomial a, ExactPolynomial b);

// A root, defined by a polynomial without multiple roots of which it is the
// only root in the open interval from lo to hi; or lo itself, if lo == hi.
class RealRoot {
 public:
  RealRoot(const ExactPolynomial& square_free, Exact lo, Exact hi);

  const Exact& lo() const { return lo_; }
  const Exact& hi() const { return hi_; }

  // The sign of `g` at the root.
  int SignOf(const ExactPolynomial& g);

  // Halves the interval until it is at most `width` long.
  void RefineTo(const Exact& width);

 private:
  bool IsKnown() const { return lo_ == hi_; }
  void Halve();

  ExactPolynomial f_;
  Exact lo_;
  Exact hi_;
  int sign_after_lo_ = 0;
};

// The distinct roots in (0, 1], ascending; none for the zero polynomial.
std::vector<RealRoot> RootsUpToOne(const ExactPolynomial& f);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_REAL_ROOTS_H_
