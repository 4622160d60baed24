// SPDX-License-Identifier: Apache-2.0

// Real roots of polynomials over any number type. A judge (ladder.h) decides
// signs. Private to moving_features.h.
//
//   for (RealRoot<Number>& root : RootsUpToOne(f, &judge)) {  // in (0, 1]
//     if (root.SignOf(g, &judge) >= 0) ...       // of g at the root
//     root.RefineTo(0x1p-40, &judge);            // root.lo(), root.hi()
//   }
//
// Bernstein coefficients isolate the roots: the number of their sign changes on
// an interval is the number of roots inside, plus an even number (Descartes'
// rule; Collins and Akritas, "Polynomial real root isolation using Descartes'
// rule of signs", 1976). After the judge has met an undecided sign, all
// functions return soon, and their results have no meaning.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_REAL_ROOTS_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_REAL_ROOTS_H_

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "orbox/overlap/internal/numbers/ladder.h"

namespace orbox {

// The polynomial with the terms c[i] t^i. The zero polynomial has no
// coefficients. In other polynomials, the last coefficient is not zero.
template <typename Number>
class RealPolynomial {
 public:
  static constexpr size_t kMostDegree = 4;

  RealPolynomial() = default;
  RealPolynomial(std::span<const Number> coefficients, Judge<Number>* judge)
      : size_(coefficients.size()) {
    while (size_ > 0 && judge->Sign(coefficients[size_ - 1]) == 0) --size_;
    for (size_t i = 0; i < size_; ++i) c_[i] = coefficients[i];
  }

  bool IsZero() const { return size_ == 0; }
  // Requires a polynomial that is not zero.
  size_t degree() const { return size_ - 1; }
  const Number& operator[](size_t i) const { return c_[i]; }

  Number At(const Number& t) const {
    Number value;
    for (size_t i = size_; i-- > 0;) value = value * t + c_[i];
    return value;
  }

  RealPolynomial Derivative() const {
    RealPolynomial d;
    for (size_t i = 1; i < size_; ++i) {
      d.c_[d.size_++] = c_[i] * Number(static_cast<double>(i));
    }
    return d;
  }

  // The signs of the Bernstein coefficients on [lo, hi]: the number of sign
  // changes, ignoring zeros, and the first and the last sign that is not zero.
  // These are the signs of the polynomial just after lo and just before hi. All
  // three are zero for the zero polynomial.
  struct Signs {
    int changes = 0;
    int first = 0;
    int last = 0;
  };
  Signs SignsOn(const Number& lo, const Number& hi, Judge<Number>* judge) const;

  // The result of dividing a by b. First multiplies a by a power of the leading
  // coefficient of b, so that no fraction arises. Requires that neither is
  // zero.
  struct Division {
    RealPolynomial quotient;
    RealPolynomial rest;
  };
  static Division Divide(const RealPolynomial& a, const RealPolynomial& b,
                         Judge<Number>* judge);

 private:
  std::array<Number, kMostDegree + 1> c_;
  size_t size_ = 0;
};

// Returns the greatest common divisor, times some constant. Requires that `a`
// is not zero.
template <typename Number>
RealPolynomial<Number> GreatestCommonDivisor(RealPolynomial<Number> a,
                                             RealPolynomial<Number> b,
                                             Judge<Number>* judge) {
  while (!b.IsZero()) {
    auto rest = RealPolynomial<Number>::Divide(a, b, judge).rest;
    a = std::move(b);
    b = std::move(rest);
  }
  return a;
}

// A root: either a known number, or the only root of a polynomial without
// multiple roots in the open interval from lo to hi.
template <typename Number>
class RealRoot {
 public:
  explicit RealRoot(const Number& known) : lo_(known), hi_(known) {}
  RealRoot(const RealPolynomial<Number>& square_free, Number lo, Number hi,
           Judge<Number>* judge)
      : f_(square_free),
        lo_(std::move(lo)),
        hi_(std::move(hi)),
        is_known_(false),
        sign_after_lo_(f_.SignsOn(lo_, hi_, judge).first) {}

  const Number& lo() const { return lo_; }
  const Number& hi() const { return hi_; }

  // Returns the sign of `g` at the root.
  int SignOf(const RealPolynomial<Number>& g, Judge<Number>* judge);

  // Halves the interval until its length is at most `width`.
  void RefineTo(double width, Judge<Number>* judge) {
    while (!is_known_ && judge->Sign(hi_ - lo_ - Number(width)) > 0) {
      Halve(judge);
    }
  }

 private:
  void Halve(Judge<Number>* judge);

  RealPolynomial<Number> f_;
  Number lo_;
  Number hi_;
  bool is_known_ = true;
  int sign_after_lo_ = 0;
};

// Returns the distinct roots in (0, 1], ascending; none for the zero
// polynomial.
template <typename Number>
std::vector<RealRoot<Number>> RootsUpToOne(const RealPolynomial<Number>& f,
                                           Judge<Number>* judge);

// Implementation.

// With t = (lo + hi x) / (1 + x), the product (1 + x)^n f(t) is a polynomial in
// x. Its coefficients are the Bernstein coefficients times their binomials.
template <typename Number>
auto RealPolynomial<Number>::SignsOn(const Number& lo, const Number& hi,
                                     Judge<Number>* judge) const -> Signs {
  if (IsZero()) return {};
  std::array<Number, kMostDegree + 1> sum;
  std::array<double, kMostDegree + 1> power{1};  // (1 + x)^i
  sum[0] = c_[size_ - 1];
  for (size_t i = 1; i < size_; ++i) {
    const Number& c = c_[size_ - 1 - i];
    for (size_t k = i + 1; k-- > 0;) {
      if (k > 0) power[k] += power[k - 1];
      Number next = c * Number(power[k]);
      if (k < i) next = next + sum[k] * lo;
      if (k > 0) next = next + sum[k - 1] * hi;
      sum[k] = std::move(next);
    }
  }
  Signs signs;
  for (size_t k = 0; k < size_; ++k) {
    const int sign = judge->Sign(sum[k]);
    if (sign == 0) continue;
    if (signs.first == 0) signs.first = sign;
    if (signs.last == -sign) ++signs.changes;
    signs.last = sign;
  }
  return signs;
}

template <typename Number>
auto RealPolynomial<Number>::Divide(const RealPolynomial& a,
                                    const RealPolynomial& b,
                                    Judge<Number>* judge) -> Division {
  if (a.size_ < b.size_) return {{}, a};
  Division result;
  result.quotient.size_ = a.size_ - b.size_ + 1;
  auto& q = result.quotient.c_;
  auto rest = a.c_;
  const Number& lead = b[b.degree()];
  for (size_t k = result.quotient.size_; k-- > 0;) {
    const Number& top = rest[k + b.degree()];
    for (size_t i = k + 1; i < result.quotient.size_; ++i) q[i] = q[i] * lead;
    q[k] = top;
    // Terms of higher degree cancel exactly and need not be computed.
    for (size_t i = 0; i < k + b.degree(); ++i) {
      rest[i] = rest[i] * lead;
      if (i >= k) rest[i] = rest[i] - top * b[i - k];
    }
  }
  result.rest = RealPolynomial(std::span(rest).first(b.degree()), judge);
  return result;
}

template <typename Number>
int RealRoot<Number>::SignOf(const RealPolynomial<Number>& g,
                             Judge<Number>* judge) {
  if (g.IsZero()) return 0;
  int sign = 0;
  const auto try_to_decide = [&](int halvings) {
    for (int i = 0; i < halvings && !is_known_; ++i) {
      const auto signs = g.SignsOn(lo_, hi_, judge);
      if (signs.changes == 0) {
        sign = signs.first;
        return true;
      }
      Halve(judge);
    }
    if (is_known_) sign = judge->Sign(g.At(lo_));
    return is_known_;
  };
  // Most signs are not zero. Deciding a sign that is not zero is cheaper than
  // proving a zero.
  if (try_to_decide(8)) return sign;
  const RealPolynomial<Number> common = GreatestCommonDivisor(f_, g, judge);
  if (common.degree() > 0) {
    // Every root of f is a single root of `common`, or not a root of it.
    const auto signs = common.SignsOn(lo_, hi_, judge);
    if (signs.first != signs.last) return 0;
  }
  while (!judge->is_undecided() && !try_to_decide(64)) {
  }
  return sign;
}

template <typename Number>
void RealRoot<Number>::Halve(Judge<Number>* judge) {
  const Number middle = (lo_ + hi_) * Number(0.5);
  const int sign = judge->Sign(f_.At(middle));
  if (sign == 0)
    *this = RealRoot(middle);
  else
    (sign == sign_after_lo_ ? lo_ : hi_) = middle;
}

namespace real_roots_internal {

// Returns a polynomial with the roots of f, each of them single. Requires that
// f is not zero.
template <typename Number>
RealPolynomial<Number> SquareFree(const RealPolynomial<Number>& f,
                                  Judge<Number>* judge) {
  const auto common = GreatestCommonDivisor(f, f.Derivative(), judge);
  if (common.degree() == 0) return f;
  return RealPolynomial<Number>::Divide(f, common, judge).quotient;
}

// Appends the roots between lo and hi to *roots.
template <typename Number>
void Isolate(const RealPolynomial<Number>& f, const Number& lo,
             const Number& hi, std::vector<RealRoot<Number>>* roots,
             Judge<Number>* judge) {
  const int changes = f.SignsOn(lo, hi, judge).changes;
  if (changes == 0 || judge->is_undecided()) return;
  if (changes == 1) {
    roots->emplace_back(f, lo, hi, judge);
    return;
  }
  const Number middle = (lo + hi) * Number(0.5);
  Isolate(f, lo, middle, roots, judge);
  if (judge->Sign(f.At(middle)) == 0) roots->emplace_back(middle);
  Isolate(f, middle, hi, roots, judge);
}

}  // namespace real_roots_internal

template <typename Number>
std::vector<RealRoot<Number>> RootsUpToOne(const RealPolynomial<Number>& f,
                                           Judge<Number>* judge) {
  std::vector<RealRoot<Number>> roots;
  if (f.IsZero() || f.degree() == 0) return roots;
  const auto square_free = real_roots_internal::SquareFree(f, judge);
  const Number one(1);
  real_roots_internal::Isolate(square_free, Number(), one, &roots, judge);
  if (judge->Sign(square_free.At(one)) == 0) roots.emplace_back(one);
  return roots;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_REAL_ROOTS_H_
