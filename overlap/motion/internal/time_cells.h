// SPDX-License-Identifier: Apache-2.0

// A grid of cells of time. The time of a contact is reported as its cell.
// Private.
//
//   const TimeCells cells(options.tolerance);
//   MotionContact contact{cells.StartOf(t), cells.EndOf(t)};
//
// The cell of a contact depends only on its exact time, not on the method that
// found it. So thousands of pairs that touch at nearly one time have equal
// contacts, and only the first of them has to be computed.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_TIME_CELLS_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_TIME_CELLS_H_

#include <algorithm>
#include <cmath>

namespace orbox {

// The width of cells is a power of two. Multiples of the width are in the
// middles of cells. So times that are frequent in user data, such as 1/2, are
// far from the ends of cells. The first and the last cell are cut off at 0 and
// 1. Each cell excludes its end, except for the last one.
class TimeCells {
 public:
  // Sets the width to the largest one that the tolerance allows, but at least
  // 2^-50. All ends of cells are then multiples of 2^-51, which doubles
  // represent exactly.
  explicit TimeCells(double tolerance) {
    constexpr double kShortest = 0x1p-50;
    // NaN also gives the shortest width.
    const double width =
        tolerance > kShortest ? std::min(tolerance, 1.0) : kShortest;
    width_ = std::ldexp(1.0, std::ilogb(width));
  }

  double width() const { return width_; }

  // Return the start and the end of the cell of t, 0 <= t <= 1.
  double StartOf(double t) const { return std::max(0.0, FirstOf(t)); }
  double EndOf(double t) const { return std::min(1.0, FirstOf(t) + width_); }

 private:
  // Returns the start of the cell, not cut off. No operation rounds.
  double FirstOf(double t) const {
    const double middle = (std::floor(t / width_) + 0.5) * width_;
    return t < middle ? middle - width_ : middle;
  }

  double width_;
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_TIME_CELLS_H_
