// SPDX-License-Identifier: Apache-2.0

// Overlap tests for a sphere and an oriented box: the tests of sphere_aabb.h in
// the frame of the box. The vector between the centres is projected onto the
// three axes. In this frame, the oriented box is an axis-aligned one about the
// origin.
//
//   if (OverlapsArvo(ball, box)) ...          // "G-Arvo"
//   if (OverlapsConservative(ball, box)) ...  // cheaper; may wrongly say yes
//
// Pure templates on float or double. They require valid shapes (IsValid): axes
// that are orthonormal up to rounding. Touching counts as overlap. All except
// the folded form are from Larsson, Akenine-Moller and Lengyel, "On Faster
// Sphere-Box Overlap Testing", journal of graphics tools 12:1, 2007, section 2
// (LAL).
//
// Error: let v be the vector between the centres. The error of each projection
// is at most 4u |v|_1 (u the unit roundoff: one rounding in v, one in the
// product, two in the sum), so the error of the distance d is less than 8u
// |v|_1. The result is correct if |d - r| > 4u r + 8u |v|_1, if squares neither
// overflow nor underflow. Here d is measured as if the axes were exactly
// orthonormal; sphere_box_exact.h uses the axes as given. OverlapsConservative
// never misses an overlap, for any valid input.
#ifndef ORBOX_OVERLAP_BOXES_SPHERE_OBB_H_
#define ORBOX_OVERLAP_BOXES_SPHERE_OBB_H_

#include <cmath>
#include <limits>

#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/boxes/sphere_aabb.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Arvo's method generalized to the oriented case (LAL, "G-Arvo").
template <typename T>
bool OverlapsArvo(const BasicSphere<T>& s, const BasicObb<T>& b);

// Arvo's sum with interleaved quick rejections (LAL, QRI). An axis is projected
// only if the earlier ones have not decided.
template <typename T>
bool OverlapsQri(const BasicSphere<T>& s, const BasicObb<T>& b);

// All projections and quick rejections first, then Arvo's sum (LAL, QRF).
template <typename T>
bool OverlapsQrf(const BasicSphere<T>& s, const BasicObb<T>& b);

// Folds the projections into the first octant. The only branch is the last
// comparison.
template <typename T>
Contact FoldedContact(const BasicSphere<T>& s, const BasicObb<T>& b);
template <typename T>
bool OverlapsFolded(const BasicSphere<T>& s, const BasicObb<T>& b);

// Quick rejections only (LAL, "Cons"), with a margin for rounding:
//
// Let the sphere and the box share a point. Then each exact projection
// satisfies |e_i| <= h_i + r |a_i|. Let m be the largest computed |e_i|. The
// axes are orthonormal to within 19u (16u measured, 3u for measuring), so |v|_2
// <= 1.74 m. So the computed e_i is off by at most 4.1u * 1.74 m < 7.2u m;
// |a_i| <= 1 + 10u adds 10u r, and rounding the right-hand side u (r + 32u m).
// Only m > r can reject, so 18.3u m is enough for all; the margin is 32u m. The
// error of a product that underflows is at most half the smallest denormal. The
// smallest normal number, which is added to r, covers these errors. After an
// overflow the margin is infinite, and the box is accepted.
template <typename T>
bool OverlapsConservative(const BasicSphere<T>& s, const BasicObb<T>& b);

// Implementation details from here on.

namespace internal {

// Returns the vector from the point to the box's centre, in the frame of the
// box.
template <typename T>
BasicVec3<T> InFrameOf(const BasicObb<T>& b, const BasicVec3<T>& point) {
  const BasicVec3<T> v = b.center - point;
  return {Dot(v, b.axes[0]), Dot(v, b.axes[1]), Dot(v, b.axes[2])};
}

template <typename T>
T FoldedSquaredDistance(const BasicVec3<T>& p, const BasicObb<T>& b) {
  return SquaredNorm(PositivePart(Abs(InFrameOf(b, p)) - b.half_extents));
}

}  // namespace internal

template <typename T>
bool OverlapsArvo(const BasicSphere<T>& s, const BasicObb<T>& b) {
  const BasicVec3<T> e = internal::InFrameOf(b, s.center);
  const BasicVec3<T>& h = b.half_extents;
  T d = 0;
  internal::AddArvoAxis(e.x, -h.x, h.x, d);
  internal::AddArvoAxis(e.y, -h.y, h.y, d);
  internal::AddArvoAxis(e.z, -h.z, h.z, d);
  return d <= s.radius * s.radius;
}

template <typename T>
bool OverlapsQri(const BasicSphere<T>& s, const BasicObb<T>& b) {
  const BasicVec3<T> v = b.center - s.center;
  const BasicVec3<T>& h = b.half_extents;
  const T r = s.radius;
  T d = 0;
  T e = Dot(v, b.axes[0]);
  if (!internal::AddQriAxis(e, -h.x, h.x, r, d)) return false;
  e = Dot(v, b.axes[1]);
  if (!internal::AddQriAxis(e, -h.y, h.y, r, d)) return false;
  e = Dot(v, b.axes[2]);
  if (!internal::AddQriAxis(e, -h.z, h.z, r, d)) return false;
  return d <= r * r;
}

template <typename T>
bool OverlapsQrf(const BasicSphere<T>& s, const BasicObb<T>& b) {
  const BasicVec3<T> e = internal::InFrameOf(b, s.center);
  const BasicVec3<T>& h = b.half_extents;
  const T r = s.radius;
  if (e.x + h.x < -r || e.x - h.x > r) return false;
  if (e.y + h.y < -r || e.y - h.y > r) return false;
  if (e.z + h.z < -r || e.z - h.z > r) return false;
  T d = 0;
  internal::AddArvoAxis(e.x, -h.x, h.x, d);
  internal::AddArvoAxis(e.y, -h.y, h.y, d);
  internal::AddArvoAxis(e.z, -h.z, h.z, d);
  return d <= r * r;
}

template <typename T>
Contact FoldedContact(const BasicSphere<T>& s, const BasicObb<T>& b) {
  return internal::Compare(internal::FoldedSquaredDistance(s.center, b),
                           s.radius * s.radius);
}

template <typename T>
bool OverlapsFolded(const BasicSphere<T>& s, const BasicObb<T>& b) {
  return internal::FoldedSquaredDistance(s.center, b) <= s.radius * s.radius;
}

template <typename T>
bool OverlapsConservative(const BasicSphere<T>& s, const BasicObb<T>& b) {
  const BasicVec3<T> folded = Abs(internal::InFrameOf(b, s.center));
  const BasicVec3<T> e = folded - b.half_extents;
  const T reach = (s.radius + std::numeric_limits<T>::min()) +
                  MaxCoordinate(folded) * (32 * kRoundoffOf<T>);
  // Tests for "greater", so that a NaN (from an overflow) accepts. Compares
  // only the largest, so that there is no branch to mispredict.
  return !(MaxCoordinate(e) > reach);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_SPHERE_OBB_H_
