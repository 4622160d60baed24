// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/real_roots.h"

#include <algorithm>
#include <utility>

namespace orbox {
namespace {

Exact Middle(const Exact& a, const Exact& b) { return (a + b) * Exact(0.5); }

// The remainder of `a` divided by `b`, times a power of b's leading
// coefficient; the quotient, times the same, on request. Requires that `b` is
// not zero.
ExactPolynomial PseudoRemainder(const ExactPolynomial& a,
                                const ExactPolynomial& b,
                                ExactPolynomial* quotient) {
  ExactPolynomial rest = a;
  ExactPolynomial q;
  const ExactPolynomial lead({b[b.degree()]});
  while (!rest.IsZero() && rest.degree() >= b.degree()) {
    std::vector<Exact> term(rest.degree() - b.degree() + 1);
    term.back() = rest[rest.degree()];
    const ExactPolynomial step(std::move(term));
    q = q * lead + step;
    rest = rest * lead - b * step;
  }
  if (quotient != nullptr) *quotient = q;
  return rest;
}

// The same roots, each once. Requires that f is not zero.
ExactPolynomial SquareFree(const ExactPolynomial& f) {
  const ExactPolynomial common = GreatestCommonDivisor(f, f.Derivative());
  if (common.degree() == 0) return f;
  ExactPolynomial quotient;
  PseudoRemainder(f, common, &quotient);
  return quotient;
}

// The roots between lo and hi.
void Isolate(const ExactPolynomial& f, const Exact& lo, const Exact& hi,
             std::vector<RealRoot>* roots) {
  const int changes = f.SignsOn(lo, hi).changes;
  if (changes == 0) return;
  if (changes == 1) {
    roots->emplace_back(f, lo, hi);
    return;
  }
  const Exact middle = Middle(lo, hi);
  Isolate(f, lo, middle, roots);
  if (f.At(middle).Sign() == 0) roots->emplace_back(f, middle, middle);
  Isolate(f, middle, hi, roots);
}

}  // namespace

ExactPolynomial::ExactPolynomial(std::vector<Exact> coefficients)
    : c_(std::move(coefficients)) {
  while (!c_.empty() && c_.back().Sign() == 0) c_.pop_back();
}

Exact ExactPolynomial::At(const Exact& t) const {
  Exact value;
  for (size_t i = c_.size(); i-- > 0;) value = value * t + c_[i];
  return value;
}

ExactPolynomial ExactPolynomial::Derivative() const {
  std::vector<Exact> d;
  for (size_t i = 1; i < c_.size(); ++i) {
    d.push_back(c_[i] * Exact(static_cast<double>(i)));
  }
  return ExactPolynomial(std::move(d));
}

ExactPolynomial operator+(const ExactPolynomial& a, const ExactPolynomial& b) {
  std::vector<Exact> sum(std::max(a.c_.size(), b.c_.size()));
  for (size_t i = 0; i < sum.size(); ++i) {
    if (i < a.c_.size()) sum[i] = sum[i] + a.c_[i];
    if (i < b.c_.size()) sum[i] = sum[i] + b.c_[i];
  }
  return ExactPolynomial(std::move(sum));
}

ExactPolynomial operator-(const ExactPolynomial& a, const ExactPolynomial& b) {
  return a + b * ExactPolynomial({Exact(-1)});
}

ExactPolynomial operator*(const ExactPolynomial& a, const ExactPolynomial& b) {
  if (a.IsZero() || b.IsZero()) return {};
  std::vector<Exact> product(a.c_.size() + b.c_.size() - 1);
  for (size_t i = 0; i < a.c_.size(); ++i) {
    for (size_t j = 0; j < b.c_.size(); ++j) {
      product[i + j] = product[i + j] + a.c_[i] * b.c_[j];
    }
  }
  return ExactPolynomial(std::move(product));
}

// With t = (lo + hi x) / (1 + x), (1 + x)^n f(t) is a polynomial in x whose
// coefficients are the Bernstein ones times their binomials.
ExactPolynomial::Signs ExactPolynomial::SignsOn(const Exact& lo,
                                                const Exact& hi) const {
  if (IsZero()) return {};
  const size_t n = degree();
  std::vector<Exact> sum{c_[n]};
  std::vector<Exact> power{Exact(1)};  // (1 + x)^i
  for (size_t i = n; i-- > 0;) {
    sum.emplace_back();
    power.emplace_back();
    for (size_t k = sum.size(); k-- > 0;) {
      sum[k] = sum[k] * lo;
      if (k > 0) {
        sum[k] = sum[k] + sum[k - 1] * hi;
        power[k] = power[k] + power[k - 1];
      }
    }
    for (size_t k = 0; k < sum.size(); ++k) {
      sum[k] = sum[k] + c_[i] * power[k];
    }
  }
  Signs signs;
  for (const Exact& b : sum) {
    const int sign = b.Sign();
    if (sign == 0) continue;
    if (signs.first == 0) signs.first = sign;
    if (signs.last == -sign) ++signs.changes;
    signs.last = sign;
  }
  return signs;
}

ExactPolynomial GreatestCommonDivisor(ExactPolynomial a, ExactPolynomial b) {
  while (!b.IsZero()) {
    ExactPolynomial rest = PseudoRemainder(a, b, nullptr);
    a = std::move(b);
    b = std::move(rest);
  }
  return a;
}

RealRoot::RealRoot(const ExactPolynomial& square_free, Exact lo, Exact hi)
    : f_(square_free), lo_(std::move(lo)), hi_(std::move(hi)) {
  if (!IsKnown()) sign_after_lo_ = f_.SignsOn(lo_, hi_).first;
}

int RealRoot::SignOf(const ExactPolynomial& g) {
  if (g.IsZero()) return 0;
  const auto try_to_tell = [&](int halvings, int* sign) {
    for (int i = 0; i < halvings && !IsKnown(); ++i) {
      const ExactPolynomial::Signs signs = g.SignsOn(lo_, hi_);
      if (signs.changes == 0) {
        *sign = signs.first;
        return true;
      }
      Halve();
    }
    if (IsKnown()) *sign = g.At(lo_).Sign();
    return IsKnown();
  };
  // Most signs are not zero, which is cheaper to see than a zero.
  int sign = 0;
  if (try_to_tell(8, &sign)) return sign;
  const ExactPolynomial common = GreatestCommonDivisor(f_, g);
  if (common.degree() > 0) {
    // It has each of f's roots once or not at all.
    const ExactPolynomial::Signs signs = common.SignsOn(lo_, hi_);
    if (signs.first != signs.last) return 0;
  }
  while (!try_to_tell(64, &sign)) {
  }
  return sign;
}

void RealRoot::RefineTo(const Exact& width) {
  while (!IsKnown() && hi_ - lo_ > width) Halve();
}

void RealRoot::Halve() {
  const Exact middle = Middle(lo_, hi_);
  const int sign = f_.At(middle).Sign();
  if (sign == 0) {
    lo_ = middle;
    hi_ = middle;
  } else {
    (sign == sign_after_lo_ ? lo_ : hi_) = middle;
  }
}

std::vector<RealRoot> RootsUpToOne(const ExactPolynomial& f) {
  std::vector<RealRoot> roots;
  if (f.IsZero() || f.degree() == 0) return roots;
  const ExactPolynomial square_free = SquareFree(f);
  Isolate(square_free, Exact(), Exact(1), &roots);
  const Exact one(1);
  if (square_free.At(one).Sign() == 0) {
    roots.emplace_back(square_free, one, one);
  }
  return roots;
}

}  // namespace orbox
