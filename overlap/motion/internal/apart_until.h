// SPDX-License-Identifier: Apache-2.0

// Do two moving triangles, or two features of theirs, certainly not touch
// before a time? Where thousands touch at one time, this is told many times
// sooner than when each pair does. Private.
//
//   if (AreApartUntil(s, t, time)) ...        // they touch at `time` at most
//   contact = FirstContactBefore(s, t, shared, options, time);
//
// "Until" leaves out the time itself: they are apart at the start, and may
// touch just then. Planes that stand still tell it: across an axis or the
// shortest way from one to the other, or along a face or edges.
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
  // What the terms and their sum lost is added: at most 2^-51 of the terms, by
  // four roundings. That sum rounds, and so does the result: 2 u of it, less
  // than 2^-51. Products may underflow.
  const double lost = from * rest.lo + ((a.lo + b.lo) + sum.lo);
  const double at = sum.hi + lost;
  const double error = 0x1p-51 * std::abs(at) +
                       0x1p-100 * (std::abs(a.hi) + std::abs(b.hi)) + 0x1p-1000;
  return {at - error, at + error};
}

// Whether a plane certainly parts the triangles from 0 until `time`, which may
// touch just then. `time` is in [0, 1], coordinates are in the range of
// models, and the triangles have no corner in common.
ORBOX_EXPORT bool AreApartUntil(const MovingTriangle& s,
                                const MovingTriangle& t, double time);

// The same of features. Any finite coordinates.
bool AreApartUntil(const MovingFeatures& features, double time);

// FirstContact, or with common corners FirstContactBeyond, where contacts from
// `time` on may be left out, but for those of triangles that touch at the
// start.
ORBOX_EXPORT std::optional<MotionContact> FirstContactBefore(
    const MovingTriangle& s, const MovingTriangle& t,
    std::span<const SharedCorner> shared, const MotionContactOptions& options,
    double time);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_APART_UNTIL_H_
