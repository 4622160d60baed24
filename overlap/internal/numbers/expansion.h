// A sum of doubles that loses nothing, and its sign. Private: what decides
// where a sum of products of a few doubles is zero, or all but zero, in less
// time than integers of any length take.
//
//   Expansion<16> area;
//   area.AddProduct(x, y);
//   area.AddProduct(-u, v);
//   int sign = area.Sign();
//
// Kept as doubles of which none overlaps another's bits, the largest last, and
// none is zero: Shewchuk, "Adaptive precision floating-point arithmetic and
// fast robust geometric predicates", 1997, theorem 10. Exact where
// TwoProduct is, which IsInRange sees to for products of up to three factors.
#ifndef ORBOX_OVERLAP_INTERNAL_NUMBERS_EXPANSION_H_
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_EXPANSION_H_

#include <array>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/internal/numbers/error_free.h"

namespace orbox {

// At most kMost terms may be added; a product of two adds two, of three four.
template <size_t kMost>
class Expansion {
 public:
  // A factor so large or small that products might lose something. What is at
  // least 2^-220 is a multiple of 2^-272, and the last part of a product of
  // three one of 2^-816.
  static bool IsInRange(double factor) {
    const double magnitude = std::abs(factor);
    return magnitude == 0 || (magnitude >= 0x1p-220 && magnitude <= 0x1p300);
  }

  void Add(double term) {
    if (term == 0) return;
    size_t kept = 0;
    for (size_t i = 0; i < size_; ++i) {
      const DoubleDouble sum = TwoSum(term, terms_[i]);
      if (sum.lo != 0) terms_[kept++] = sum.lo;
      term = sum.hi;
    }
    if (term != 0) terms_[kept++] = term;
    size_ = kept;
  }

  void AddProduct(double a, double b) {
    const DoubleDouble p = TwoProduct(a, b);
    Add(p.lo);
    Add(p.hi);
  }

  void AddProduct(double a, double b, double c) {
    const DoubleDouble p = TwoProduct(a, b);
    if (p.lo != 0) AddProduct(p.lo, c);
    AddProduct(p.hi, c);
  }

  int Sign() const {
    if (size_ == 0) return 0;
    return terms_[size_ - 1] > 0 ? 1 : -1;
  }

 private:
  std::array<double, kMost> terms_;
  size_t size_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_EXPANSION_H_
