// SPDX-License-Identifier: Apache-2.0

// An unevaluated, exact sum of doubles. Sums and products of expansions are
// expansions, and cost less than integers of any length. Private: the third
// stage of ladder.h.
//
//   Expansion area = (Expansion(b) - a) * (Expansion(d) - c);
//   std::optional<int> sign = area.CertainSign();
//
// No term is zero, no two terms have overlapping bits, and the largest is last.
// Shewchuk, "Adaptive precision floating-point arithmetic and fast robust
// geometric predicates", 1997: sums by merging (theorem 13) and products by
// scaling (theorem 19). Each result is compressed (theorem 23), so that small
// numbers stay short. A number that underflows, overflows or needs too many
// terms is no longer exact and has no certain sign. Everything computed from
// such a number is not exact either.
#ifndef ORBOX_OVERLAP_INTERNAL_NUMBERS_EXPANSION_H_
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_EXPANSION_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "orbox/overlap/internal/numbers/bounded.h"
#include "orbox/overlap/internal/numbers/error_free.h"

namespace orbox {

class Expansion {
 public:
  // Doubles have bits from 2^1023 to 2^-1074, so 40 compressed terms are
  // enough.
  static constexpr size_t kMostTerms = 40;

  Expansion() = default;     // zero
  Expansion(double value) {  // NOLINT: exact for every finite double
    if (value != 0) terms_[size_++] = value;
  }
  Expansion(const Expansion& other) { *this = other; }
  Expansion& operator=(const Expansion& other) {
    size_ = other.size_;
    is_exact_ = other.is_exact_;
    std::copy_n(other.terms_.begin(), size_, terms_.begin());
    return *this;
  }

  // Returns the sign; nullopt if the number is not exact.
  std::optional<int> CertainSign() const {
    if (!is_exact_) return std::nullopt;
    if (size_ == 0) return 0;
    return terms_[size_ - 1] > 0 ? 1 : -1;
  }

  // Returns this number, rounded to the three doubles of a LongBounded.
  LongBounded ToLong() const;

  Expansion operator-() const {
    Expansion result = *this;
    for (size_t i = 0; i < size_; ++i) result.terms_[i] = -result.terms_[i];
    return result;
  }
  friend Expansion operator+(const Expansion& a, const Expansion& b);
  friend Expansion operator-(const Expansion& a, const Expansion& b) {
    return a + (-b);
  }
  friend Expansion operator*(const Expansion& a, const Expansion& b);

 private:
  double Largest() const { return size_ == 0 ? 0 : terms_[size_ - 1]; }

  // Sets this number to the sum of `count` terms, no two of them overlapping,
  // compressed.
  void Compress(const double* terms, size_t count);

  size_t size_ = 0;
  bool is_exact_ = true;
  std::array<double, kMostTerms> terms_;
};

// Implementation.

inline void Expansion::Compress(const double* terms, size_t count) {
  size_ = 0;
  if (count == 0) return;
  // Downward, from the largest term: adds the next term to each sum, as far as
  // it fits. Writes the sums to `sums`, the largest first.
  double sums[4 * kMostTerms];
  size_t kept = 0;
  double sum = terms[count - 1];
  for (size_t i = count - 1; i-- > 0;) {
    const DoubleDouble s = FastTwoSum(sum, terms[i]);
    sum = s.hi;
    if (s.lo != 0) {
      sums[kept++] = s.hi;
      sum = s.lo;
    }
  }
  if (sum != 0) sums[kept++] = sum;
  if (kept == 0) return;
  // Upward, from the smallest sum.
  size_t used = 0;
  double top = sums[kept - 1];
  for (size_t i = kept - 1; i-- > 0;) {
    const DoubleDouble s = FastTwoSum(sums[i], top);
    top = s.hi;
    if (s.lo == 0) continue;
    if (used == kMostTerms) {
      is_exact_ = false;
      return;
    }
    terms_[used++] = s.lo;
  }
  if (used == kMostTerms || !(std::abs(top) < 0x1p1000)) {
    is_exact_ = false;
    return;
  }
  terms_[used++] = top;
  size_ = used;
}

namespace expansion_internal {

// Writes the sum of two expansions to `sum`. Returns its number of terms, at
// most m + n.
inline size_t Merge(const double* e, size_t m, const double* f, size_t n,
                    double* sum) {
  size_t i = 0;
  size_t j = 0;
  const auto next_component = [&] {
    return j == n || (i < m && std::abs(e[i]) < std::abs(f[j])) ? e[i++]
                                                                : f[j++];
  };
  if (m + n == 0) return 0;
  size_t kept = 0;
  double top = next_component();
  while (i < m || j < n) {
    const DoubleDouble s = TwoSum(top, next_component());
    if (s.lo != 0) sum[kept++] = s.lo;
    top = s.hi;
  }
  if (top != 0) sum[kept++] = top;
  return kept;
}

// Writes e times `factor` to `product`. Returns its number of terms, at most 2
// m. Sets *is_exact to false if a product underflows.
inline size_t Scale(const double* e, size_t m, double factor, double* product,
                    bool* is_exact) {
  size_t kept = 0;
  double top = 0;
  for (size_t i = 0; i < m; ++i) {
    const DoubleDouble p = TwoProduct(e[i], factor);
    if (std::abs(p.hi) < 0x1p-960) *is_exact = false;
    const DoubleDouble low = TwoSum(top, p.lo);
    if (low.lo != 0) product[kept++] = low.lo;
    const DoubleDouble high = FastTwoSum(p.hi, low.hi);
    if (high.lo != 0) product[kept++] = high.lo;
    top = high.hi;
  }
  if (top != 0) product[kept++] = top;
  return kept;
}

}  // namespace expansion_internal

inline Expansion operator+(const Expansion& a, const Expansion& b) {
  Expansion result;
  result.is_exact_ = a.is_exact_ && b.is_exact_;
  if (!result.is_exact_) return result;
  double sum[2 * Expansion::kMostTerms];
  const size_t count = expansion_internal::Merge(a.terms_.data(), a.size_,
                                                 b.terms_.data(), b.size_, sum);
  result.Compress(sum, count);
  return result;
}

inline Expansion operator*(const Expansion& a, const Expansion& b) {
  if (a.size_ > b.size_) return b * a;
  Expansion result;
  // The limits prevent an overflow in TwoProduct.
  result.is_exact_ = a.is_exact_ && b.is_exact_ &&
                     std::abs(a.Largest()) <= 0x1p480 &&
                     std::abs(b.Largest()) <= 0x1p480;
  if (!result.is_exact_) return result;
  double part[2 * Expansion::kMostTerms];
  double sum[4 * Expansion::kMostTerms];
  for (size_t i = 0; i < a.size_ && result.is_exact_; ++i) {
    const size_t count = expansion_internal::Scale(
        b.terms_.data(), b.size_, a.terms_[i], part, &result.is_exact_);
    const size_t total = expansion_internal::Merge(
        result.terms_.data(), result.size_, part, count, sum);
    result.Compress(sum, total);
  }
  return result;
}

inline LongBounded Expansion::ToLong() const {
  if (!is_exact_) return {0, 0, 0, std::numeric_limits<double>::infinity()};
  LongBounded result;
  if (size_ > 0) result.hi = terms_[size_ - 1];
  if (size_ > 1) result.lo = terms_[size_ - 2];
  if (size_ > 2) result.rest = terms_[size_ - 3];
  // No two terms overlap, so the sum of the remaining ones is less than twice
  // the largest of them.
  if (size_ > 3) result.error = 2 * std::abs(terms_[size_ - 4]);
  return result;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_EXPANSION_H_
