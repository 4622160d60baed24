// SPDX-License-Identifier: Apache-2.0

// Overlap tests for a sphere and an axis-aligned box: each method of the
// literature, under its own name.
//
//   if (OverlapsArvo(ball, box)) ...          // the plain definition
//   if (OverlapsConservative(ball, box)) ...  // cheaper; may wrongly say yes
//   switch (FoldedContact(ball, box)) { case Contact::kTouching: ... }
//
// All are pure templates on the coordinate type (float or double), and require
// valid shapes. They compare the distance d from the centre to the box with the
// radius r. Touching counts as overlap. They cost a few nanoseconds. variants.h
// lists them as rows; README.md gives advice on the choice. sphere_box_exact.h
// decides exactly; batch.h tests many at once.
//
// Error, with u the unit roundoff (2^-24 for float, 2^-53 for double): a
// difference of two coordinates, its square and each sum have a relative error
// of at most u, so the computed d^2 / r^2 is within (1 +- u)^6 of the exact
// one. The result is right if |d - r| > 4u r, for coordinates of any size.
// (Squares must neither overflow nor underflow: for float, d and r between
// 2^-50 and 2^63, or zero.) Two functions differ. OverlapsFolded rounds the
// box's centre and half extents, and is right if |d - r| > 4u r + 12u M, with M
// the largest coordinate. OverlapsConservative never wrongly says no, for any
// finite input.
#ifndef ORBOX_OVERLAP_BOXES_SPHERE_AABB_H_
#define ORBOX_OVERLAP_BOXES_SPHERE_AABB_H_

#include <algorithm>
#include <cmath>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// The two kinds of tests.
enum class AnswerKind {
  kExact,         // right up to the test's rounding error
  kConservative,  // never wrongly no; wrongly yes by design
};

// The relation of two closed sets, as far as rounded arithmetic can decide it.
enum class Contact {
  kSeparate,     // d > r
  kTouching,     // d == r
  kOverlapping,  // d < r
};

// Sums the squared distance axis by axis.
// Arvo, "A Simple Method for Box-Sphere Intersection Testing", Graphics Gems,
// 1990, pp. 335-339; here after Larsson, Akenine-Moller and Lengyel, "On Faster
// Sphere-Box Overlap Testing", journal of graphics tools 12:1, 2007, section 2
// (cited below as LAL).
template <typename T>
bool OverlapsArvo(const BasicSphere<T>& s, const BasicAabb<T>& b);

// Arvo's sum with interleaved quick rejections (LAL, QRI). An axis on which the
// centre is farther than r decides at once.
template <typename T>
bool OverlapsQri(const BasicSphere<T>& s, const BasicAabb<T>& b);

// All quick rejections first, then Arvo's sum (LAL, QRF).
template <typename T>
bool OverlapsQrf(const BasicSphere<T>& s, const BasicAabb<T>& b);

// QRI with the comparisons against zero replaced by maxima (LAL, section 3).
// The rejection is e > r; the paper prints e <= r, which would reject every
// sphere that overlaps.
template <typename T>
bool OverlapsBranchEliminated(const BasicSphere<T>& s, const BasicAabb<T>& b);

// Moves the origin to the box's centre, folds the sphere's centre into the
// first octant, and compares the distance from the box with r.
template <typename T>
Contact FoldedContact(const BasicSphere<T>& s, const BasicAabb<T>& b);
template <typename T>
bool OverlapsFolded(const BasicSphere<T>& s, const BasicAabb<T>& b);

// Returns the squared distance from a point to a box; zero inside.
template <typename T>
T SquaredDistance(const BasicVec3<T>& p, const BasicAabb<T>& b);

// Compares SquaredDistance with r^2.
template <typename T>
bool OverlapsSquaredDistance(const BasicSphere<T>& s, const BasicAabb<T>& b);

// Returns the zone of p. The planes of the faces divide space into 27 zones,
// numbered x + 3 y + 9 z with 0 below, 1 within and 2 above the box on each
// axis. Zone 13 is the box itself.
template <typename T>
int ZoneOf(const BasicVec3<T>& p, const BasicAabb<T>& b);

// Finds the zone of the centre, and then computes only the distance to the
// face, edge or corner next to this zone.
template <typename T>
bool OverlapsZones(const BasicSphere<T>& s, const BasicAabb<T>& b);

// Returns true if the centre is in the box enlarged by r on each side (LAL,
// "Cons"): quick rejections only. Wrongly says yes if the sphere is near an
// edge or a corner but does not reach it. Never wrongly says no: if lo - c <= r
// holds, it also holds for the rounded difference, because rounding is
// monotonic and r is a number of the same type.
template <typename T>
bool OverlapsConservative(const BasicSphere<T>& s, const BasicAabb<T>& b);

// Implementation details from here on.

namespace internal {

template <typename T>
void AddArvoAxis(T c, T lo, T hi, T& d) {
  if (c < lo) {
    const T e = c - lo;
    d += e * e;
  } else if (c > hi) {
    const T e = c - hi;
    d += e * e;
  }
}

// Returns false if this axis alone proves separation.
template <typename T>
bool AddQriAxis(T c, T lo, T hi, T r, T& d) {
  T e = c - lo;
  if (e < 0) {
    if (e < -r) return false;
    d += e * e;
  } else if ((e = c - hi) > 0) {
    if (e > r) return false;
    d += e * e;
  }
  return true;
}

// Returns max(x, 0), exactly. GCC 12 compiles a maximum before a square to a
// branch, which costs three times as much as these two operations.
template <typename T>
T PositivePart(T x) {
  return (x + std::abs(x)) * T{0.5};
}
template <typename T>
BasicVec3<T> PositivePart(const BasicVec3<T>& v) {
  return {PositivePart(v.x), PositivePart(v.y), PositivePart(v.z)};
}

template <typename T>
T FoldedSquaredDistance(const BasicVec3<T>& p, const BasicAabb<T>& b) {
  const BasicVec3<T> folded = Abs(p - b.Center());
  return SquaredNorm(PositivePart(folded - b.HalfExtents()));
}

template <typename T>
Contact Compare(T squared_distance, T squared_radius) {
  if (squared_distance < squared_radius) return Contact::kOverlapping;
  return squared_distance == squared_radius ? Contact::kTouching
                                            : Contact::kSeparate;
}

template <typename T>
bool AddMaxAxis(T c, T lo, T hi, T r, T& d) {
  const T e = PositivePart(lo - c) + PositivePart(c - hi);
  if (e > r) return false;
  d += e * e;
  return true;
}

template <typename T>
T SquaredExcess(T c, T lo, T hi) {
  const T out = std::max(std::max(lo - c, c - hi), T{0});
  return out * out;
}

template <typename T>
int ZoneOnAxis(T c, T lo, T hi) {
  return c < lo ? 0 : (c > hi ? 2 : 1);
}

}  // namespace internal

template <typename T>
bool OverlapsArvo(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  T d = 0;
  internal::AddArvoAxis(s.center.x, b.lo.x, b.hi.x, d);
  internal::AddArvoAxis(s.center.y, b.lo.y, b.hi.y, d);
  internal::AddArvoAxis(s.center.z, b.lo.z, b.hi.z, d);
  return d <= s.radius * s.radius;
}

template <typename T>
bool OverlapsQri(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  T d = 0;
  const T r = s.radius;
  if (!internal::AddQriAxis(s.center.x, b.lo.x, b.hi.x, r, d)) return false;
  if (!internal::AddQriAxis(s.center.y, b.lo.y, b.hi.y, r, d)) return false;
  if (!internal::AddQriAxis(s.center.z, b.lo.z, b.hi.z, r, d)) return false;
  return d <= r * r;
}

template <typename T>
bool OverlapsQrf(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  const BasicVec3<T>& c = s.center;
  const T r = s.radius;
  if (c.x - b.lo.x < -r || c.x - b.hi.x > r) return false;
  if (c.y - b.lo.y < -r || c.y - b.hi.y > r) return false;
  if (c.z - b.lo.z < -r || c.z - b.hi.z > r) return false;
  return OverlapsArvo(s, b);
}

template <typename T>
bool OverlapsBranchEliminated(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  T d = 0;
  const T r = s.radius;
  if (!internal::AddMaxAxis(s.center.x, b.lo.x, b.hi.x, r, d)) return false;
  if (!internal::AddMaxAxis(s.center.y, b.lo.y, b.hi.y, r, d)) return false;
  if (!internal::AddMaxAxis(s.center.z, b.lo.z, b.hi.z, r, d)) return false;
  return d <= r * r;
}

template <typename T>
Contact FoldedContact(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  return internal::Compare(internal::FoldedSquaredDistance(s.center, b),
                           s.radius * s.radius);
}

template <typename T>
bool OverlapsFolded(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  return internal::FoldedSquaredDistance(s.center, b) <= s.radius * s.radius;
}

template <typename T>
T SquaredDistance(const BasicVec3<T>& p, const BasicAabb<T>& b) {
  T sum = internal::SquaredExcess(p.x, b.lo.x, b.hi.x);
  sum += internal::SquaredExcess(p.y, b.lo.y, b.hi.y);
  sum += internal::SquaredExcess(p.z, b.lo.z, b.hi.z);
  return sum;
}

template <typename T>
bool OverlapsSquaredDistance(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  return SquaredDistance(s.center, b) <= s.radius * s.radius;
}

template <typename T>
int ZoneOf(const BasicVec3<T>& p, const BasicAabb<T>& b) {
  return internal::ZoneOnAxis(p.x, b.lo.x, b.hi.x) +
         3 * internal::ZoneOnAxis(p.y, b.lo.y, b.hi.y) +
         9 * internal::ZoneOnAxis(p.z, b.lo.z, b.hi.z);
}

template <typename T>
bool OverlapsZones(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  const BasicVec3<T>& c = s.center;
  const T r = s.radius;
  const int zone = ZoneOf(c, b);
  // The corner on the centre's side. Axes within the box do not use it.
  const T ex = c.x - (zone % 3 == 0 ? b.lo.x : b.hi.x);
  const T ey = c.y - (zone / 3 % 3 == 0 ? b.lo.y : b.hi.y);
  const T ez = c.z - (zone < 9 ? b.lo.z : b.hi.z);
  switch (zone) {
    case 13:  // inside
      return true;
    case 12:
    case 14:  // a face across x
      return std::abs(ex) <= r;
    case 10:
    case 16:  // a face across y
      return std::abs(ey) <= r;
    case 4:
    case 22:  // a face across z
      return std::abs(ez) <= r;
    case 9:
    case 11:
    case 15:
    case 17:  // an edge along z
      return ex * ex + ey * ey <= r * r;
    case 3:
    case 5:
    case 21:
    case 23:  // an edge along y
      return ex * ex + ez * ez <= r * r;
    case 1:
    case 7:
    case 19:
    case 25:  // an edge along x
      return ey * ey + ez * ez <= r * r;
    default:  // a corner
      return ex * ex + ey * ey + ez * ez <= r * r;
  }
}

template <typename T>
bool OverlapsConservative(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  // Compares only the largest of the six: no branch to mispredict.
  const BasicVec3<T> e = Max(b.lo - s.center, s.center - b.hi);
  return MaxCoordinate(e) <= s.radius;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_SPHERE_AABB_H_
