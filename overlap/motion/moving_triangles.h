// SPDX-License-Identifier: Apache-2.0

// First contact of two triangles whose corners move along straight lines.
//
//   MovingTriangle s{before, after};
//   std::optional<MotionContact> contact = FirstContact(s, t);
//   if (contact) Advance(contact->earliest);        // certainly no contact
//
// Corner i is at from[i] + t (to[i] - from[i]), exactly, for t from 0 to 1.
// Contact of the closed triangles at any time is decided exactly for the given
// doubles, so no contact is missed, at any speed. Touching counts at the start,
// at the end and between them. It also counts for triangles that move within
// one plane, and for triangles whose area is zero at some time or always. The
// time of first contact is enclosed within the given tolerance, by a cell of a
// grid of times. If two contacts are at times in one cell, their bounds are
// equal, whatever method found them.
//
// Triangles that are apart first touch at a time at which a corner touches a
// face or an edge touches an edge, and all their points are in one plane: at a
// root of a cubic in t. Provot, "Collision and self-collision handling in cloth
// model dedicated to design garments", 1997. Bernstein coefficients isolate the
// roots, in double with error bounds. If these do not decide, the roots are
// compared as algebraic numbers, in pairs of doubles, then in sums of doubles,
// then in integers.
//
// Requires finite corners; triangles with other corners touch nothing. The
// order of corners and of triangles does not matter. Pure and thread-safe.
// Costs tens of nanoseconds if a plane separates the triangles, up to twenty
// microseconds if they touch, tens of microseconds if doubles do not decide,
// and up to milliseconds if only integers do.
#ifndef ORBOX_OVERLAP_MOTION_MOVING_TRIANGLES_H_
#define ORBOX_OVERLAP_MOTION_MOVING_TRIANGLES_H_

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct MovingTriangle {
  Triangle from;
  Triangle to;
};

struct MotionContact {
  // 0 <= earliest <= (exact time of first contact) <= latest <= 1. Both are 0
  // if the triangles touch at the start. Otherwise [earliest, latest) is a cell
  // whose width is a power of two, with a whole multiple of this width in its
  // middle. The first and the last cell are cut off at 0 and 1.
  double earliest = 0;
  double latest = 0;

  friend bool operator==(const MotionContact&, const MotionContact&) = default;
};

struct MotionContactOptions {
  // Upper bound of latest - earliest. The width of the cell is more than half
  // of this bound, unless the cell is cut off at 0 or 1. A tolerance below
  // 2^-50 counts as 2^-50, and one above 1 as 1.
  double tolerance = 0x1p-40;
  // Contacts that are certainly later are not reported. A lower max_t makes the
  // call cheaper.
  double max_t = 1;
};

ORBOX_EXPORT std::optional<MotionContact> FirstContact(
    const MovingTriangle& s, const MovingTriangle& t,
    const MotionContactOptions& options = {},
    ArithmeticCounts* counts = nullptr);

// Corner `of_first` of one triangle is corner `of_second` of the other, and the
// two move together.
struct SharedCorner {
  size_t of_first = 0;
  size_t of_second = 0;
};

// FirstContact for neighbours in a mesh, which always touch. Returns the first
// time at which they have a common point that is not due to their common
// corners. At the start, OverlapsBeyond (adjacent_triangles.h) decides this.
// Later, it is the first contact of two features that have no corner in common.
// `shared` contains each corner at most once. Triangles that share all three
// corners never touch in this sense.
ORBOX_EXPORT std::optional<MotionContact> FirstContactBeyond(
    const MovingTriangle& s, const MovingTriangle& t,
    std::span<const SharedCorner> shared,
    const MotionContactOptions& options = {},
    ArithmeticCounts* counts = nullptr);

// Returns the triangle at time t. The error of each coordinate is at most 2 ulp
// of the larger one of its two end values. At 0 and 1, the triangle is exactly
// `from` or `to`.
ORBOX_EXPORT Triangle At(const MovingTriangle& triangle, double t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_MOVING_TRIANGLES_H_
