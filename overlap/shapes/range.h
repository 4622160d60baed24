// SPDX-License-Identifier: Apache-2.0

// The range of numbers of models: a coordinate is 0, or its magnitude is from
// 2^-200 (6e-61) to 2^200 (1.6e60).
//
//   if (IsBeyond(p)) return ...;      // refused: NaN, infinite, above 2^200
//   const Vec3 v = TinyAsZero(p);     // below 2^-200 in size: 0
//
// Mesh::Create, the readers, deforming trees and motions bring vertices into
// the range: they refuse those above it, and read those below it as 0.
// PosedTree::Create does this for poses and moved vertices. Later code does not
// check again. Every float is in the range.
//
// Properties that later code relies on. In double, a coordinate in the range is
// a multiple of 2^-252, so
// - differences are multiples of 2^-252 and at most 2^201 in size;
// - sums of products of up to four differences are at most 2^820 in size, and
//   multiples of 2^-1008: neither they, nor the rounding errors of their terms,
//   overflow or underflow.
// The numbers of a pose are also in the range. A moved coordinate, rounded
// once, is a multiple of 2^-504 and at most 2^200 in size, so sums of products
// of up to two differences are multiples of 2^-1008.
//
// Points, rays and lengths of queries are any finite numbers, and small ones
// are not read as 0: their products with differences may underflow. So code for
// queries allows for underflow, and passes cases that underflow leaves
// undecided to the ladder (ladder.h).
#ifndef ORBOX_OVERLAP_SHAPES_RANGE_H_
#define ORBOX_OVERLAP_SHAPES_RANGE_H_

#include <cmath>

#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

inline constexpr double kLargestCoordinate = 0x1p200;
inline constexpr double kSmallestCoordinate = 0x1p-200;

// Returns true for NaN, for infinities, and for magnitudes above the range.
inline bool IsBeyond(double x) { return !(std::abs(x) <= kLargestCoordinate); }
inline bool IsBeyond(const Vec3& p) {
  return IsBeyond(p.x) || IsBeyond(p.y) || IsBeyond(p.z);
}
inline bool IsBeyond(const Pose& pose) {
  return IsBeyond(pose.rows[0]) || IsBeyond(pose.rows[1]) ||
         IsBeyond(pose.rows[2]) || IsBeyond(pose.translation);
}

// Returns 0 for magnitudes below the range, and every other number unchanged.
inline double TinyAsZero(double x) {
  return std::abs(x) < kSmallestCoordinate && x != 0 ? 0 : x;
}
inline Vec3 TinyAsZero(const Vec3& p) {
  return {TinyAsZero(p.x), TinyAsZero(p.y), TinyAsZero(p.z)};
}
inline Pose TinyAsZero(const Pose& pose) {
  return {.rows = {TinyAsZero(pose.rows[0]), TinyAsZero(pose.rows[1]),
                   TinyAsZero(pose.rows[2])},
          .translation = TinyAsZero(pose.translation)};
}

// Returns true if the point can be a vertex without being changed.
inline bool IsVertex(const Vec3& p) {
  return !IsBeyond(p) && TinyAsZero(p) == p;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_SHAPES_RANGE_H_
