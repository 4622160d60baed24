// SPDX-License-Identifier: Apache-2.0

// The cells of time that contacts are reported in. Private.
//
//   const TimeCells cells(options.tolerance);
//   MotionContact contact{cells.StartOf(t), cells.EndOf(t)};
//
// The cell of a contact depends only on its exact time, and not on the method
// that found it. So the contacts of thousands of pairs that touch at nearly one
// time are equal, and only the first of them has to be decided.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_TIME_CELLS_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_TIME_CELLS_H_

#include <algorithm>
#include <cmath>

namespace orbox {

// The width of cells is a power of two. Multiples of the width are in the
// middles of cells, so that likely times of users, such as 1/2, are far from
// the ends of cells. The first and the last cell are cut off at 0 and 1. Each
// cell excludes its end, except for the last one.
class TimeCells {
 public:
  // Sets the width to the largest that the tolerance allows, but at least
  // 2^-50. So all ends of cells are multiples of 2^-51, which doubles hold.
  explicit TimeCells(double tolerance) {
    constexpr double kShortest = 0x1p-50;
    // NaN gives the shortest width, too.
    const double width =
        tolerance > kShortest ? std::min(tolerance, 1.0) : kShortest;
    width_ = std::ldexp(1.0, std::ilogb(width));
  }

  double width() const { return width_; }

  // Return the start and the end of the cell of t, 0 <= t <= 1.
  double StartOf(double t) const { return std::max(0.0, FirstOf(t)); }
  double EndOf(double t) const { return std::min(1.0, FirstOf(t) + width_); }

 private:
  // No operation rounds.
  double FirstOf(double t) const {
    const double middle = (std::floor(t / width_) + 0.5) * width_;
    return t < middle ? middle - width_ : middle;
  }

  double width_;
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_TIME_CELLS_H_
