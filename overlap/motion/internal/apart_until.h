// SPDX-License-Identifier: Apache-2.0

// Do two moving triangles, or two features of theirs, touch before a time that
// is known? Where thousands touch at one time, this is told many times sooner
// than when each pair does. Private.
//
//   if (ArePartedUntil(s, t, time)) ...          // they touch at `time` at
//   most contact = FirstContactBefore(s, t, shared, options, {.time = time});
//
// "Until" leaves out the time itself: what touches just then, as all of a
// sphere does that is turned inside out, is apart until then.
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

// Two doubles that a number certainly lies between.
struct Enclosure {
  double lo;
  double hi;
};

// The coordinate at t, 0 <= t <= 1: without width where a double holds it, and
// no step of its computation rounds. Finite coordinates.
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
  // Three roundings of a term at most, and one of the sum: 4 u = 2^-51 of the
  // terms, which are rounded themselves. Products may underflow.
  const double error = 0x1p-50 * (std::abs(a.hi) + std::abs(b.hi)) + 0x1p-1000;
  return {sum.hi - error, sum.hi + error};
}

// Whether a plane across an axis certainly parts the triangles from 0 until
// `time`, when it may touch both. Requires coordinates below 2^1000 in
// magnitude, and 0 <= time <= 1.
ORBOX_EXPORT bool ArePartedUntil(const MovingTriangle& s,
                                 const MovingTriangle& t, double time);

// Whether features are certainly apart from 0 until `time`, by a plane across
// an axis or since they lie in no plane before: a volume that is not 0 at the
// start, and whose Bernstein coefficients until then have no other sign. Any
// finite coordinates.
bool AreApartUntil(const MovingFeatures& features, double time);

// Whether one of these two is so, told exactly: it is where AreApartUntil says
// so, and where it is so until a later time.
bool AreApartUntilExactly(const MovingFeatures& features, double time);

// A time of which all that happens from then on is known already.
struct KnownTime {
  double time = 2;
  // Whether features that are apart until then are told exactly, so that all
  // are; else as far as doubles do.
  bool is_exact = false;
};

// FirstContact, or with common corners FirstContactBeyond, of all features but
// those that are apart until the known time. Triangles that touch at the start
// are a contact at 0.
ORBOX_EXPORT std::optional<MotionContact> FirstContactBefore(
    const MovingTriangle& s, const MovingTriangle& t,
    std::span<const SharedCorner> shared, const MotionContactOptions& options,
    const KnownTime& known);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_APART_UNTIL_H_
