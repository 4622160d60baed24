// SPDX-License-Identifier: Apache-2.0

// Tests if two moving triangles, or two of their features, certainly do not
// touch before a time. If thousands of pairs touch at one time, this test is
// many times faster than finding the contact of each pair. Private.
//
//   if (AreApartUntil(s, t, time)) ...        // no contact before `time`
//   contact = FirstContactBefore(s, t, shared, options, time);
//
// "Until" excludes the time itself: the two are apart at the start, and may
// touch at `time`. Fixed planes decide: planes at right angles to an axis or to
// the shortest vector between the two, or planes along a face or edges.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_APART_UNTIL_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_APART_UNTIL_H_

#include <cmath>
#include <optional>
#include <span>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/motion/internal/moving_features.h"
#include "orbox/overlap/motion/moving_triangles.h"

namespace orbox {

// Two doubles that enclose a number.
struct Enclosure {
  double lo;
  double hi;
};

// Returns an enclosure of the coordinate at t, 0 <= t <= 1. Its width is 0 if a
// double holds the coordinate and no step of the computation rounds. Requires
// finite coordinates.
inline Enclosure CoordinateAt(double from, double to, double t) {
  if (from == to) return {from, from};
  const auto is_exact = [](double factor, double weight,
                           const DoubleDouble& product) {
    return factor == 0 || weight == 0 ||
           (product.lo == 0 && std::abs(product.hi) >= 0x1p-960);
  };
  const DoubleDouble rest = TwoDifference(1.0, t);
  const DoubleDouble a = TwoProduct(from, rest.hi);
  const DoubleDouble b = TwoProduct(to, t);
  const DoubleDouble sum = TwoSum(a.hi, b.hi);
  if (rest.lo == 0 && sum.lo == 0 && is_exact(from, rest.hi, a) &&
      is_exact(to, t, b)) {
    return {sum.hi, sum.hi};
  }
  // The rounding errors of the terms and of their sum are added. They are at
  // most 2^-51 of the terms after four roundings. The addition rounds, and so
  // does the result: by 2 u of the result, which is less than 2^-51. Products
  // may underflow.
  const double lost = from * rest.lo + ((a.lo + b.lo) + sum.lo);
  const double at = sum.hi + lost;
  const double error = 0x1p-51 * std::abs(at) +
                       0x1p-100 * (std::abs(a.hi) + std::abs(b.hi)) + 0x1p-1000;
  return {at - error, at + error};
}

// Returns true if a plane certainly separates the triangles from 0 until
// `time`; at `time` itself they may touch. Requires `time` in [0, 1],
// coordinates in the range of models, and triangles without a common corner.
ORBOX_EXPORT bool AreApartUntil(const MovingTriangle& s,
                                const MovingTriangle& t, double time);

// AreApartUntil for features, with any finite coordinates.
bool AreApartUntil(const MovingFeatures& features, double time);

// Returns FirstContact or, for triangles with common corners,
// FirstContactBeyond. May omit contacts from `time` on, unless the triangles
// touch at the start.
ORBOX_EXPORT std::optional<MotionContact> FirstContactBefore(
    const MovingTriangle& s, const MovingTriangle& t,
    std::span<const SharedCorner> shared, const MotionContactOptions& options,
    double time);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_APART_UNTIL_H_
