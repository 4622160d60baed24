// SPDX-License-Identifier: Apache-2.0

// The cells of time in which contacts are told. Private.
//
//   const TimeCells cells(options.tolerance);
//   MotionContact contact{cells.StartOf(t), cells.EndOf(t)};
//
// A cell depends on the exact time of contact alone, and not on how that was
// found. So the contacts of thousands of pairs that touch at nearly one time
// are equal, and only the first of them has to be decided.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_TIME_CELLS_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_TIME_CELLS_H_

#include <algorithm>
#include <cmath>

namespace orbox {

// A width is a power of two, and cells have the multiples of it in their
// middles: times that users have, such as 1/2, are far from where cells meet.
// The first and the last cell end at 0 and 1. Each is without its end, but for
// the last.
class TimeCells {
 public:
  // As wide as the tolerance allows, which is at least 2^-50: so where cells
  // meet is a multiple of 2^-51, which doubles hold.
  explicit TimeCells(double tolerance) {
    constexpr double kShortest = 0x1p-50;
    // NaN is the shortest, too.
    const double width =
        tolerance > kShortest ? std::min(tolerance, 1.0) : kShortest;
    width_ = std::ldexp(1.0, std::ilogb(width));
  }

  double width() const { return width_; }

  // Where the cell of t starts and ends, 0 <= t <= 1.
  double StartOf(double t) const { return std::max(0.0, FirstOf(t)); }
  double EndOf(double t) const { return std::min(1.0, FirstOf(t) + width_); }

 private:
  // Nothing rounds.
  double FirstOf(double t) const {
    const double middle = (std::floor(t / width_) + 0.5) * width_;
    return t < middle ? middle - width_ : middle;
  }

  double width_;
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_TIME_CELLS_H_
