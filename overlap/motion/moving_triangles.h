// When do two triangles first touch whose corners move along straight lines?
//
//   MovingTriangle s{before, after};
//   std::optional<MotionContact> contact = FirstContact(s, t);
//   if (contact) Advance(contact->earliest);        // is certainly free
//
// Corner i is at from[i] + t (to[i] - from[i]), exactly, t from 0 to 1.
// Whether the closed triangles touch at any time is decided as exact arithmetic
// on the given doubles would, so that nothing tunnels: touching counts, at the
// start, at the end and in passing; so do triangles that move within one plane,
// and those that have no area, at some time or always. The time of first
// contact is enclosed as narrowly as asked for.
//
// Triangles that are apart first touch where a corner meets a face or an edge
// meets an edge, in one plane: at a root of a cubic in t. Provot, "Collision
// and self-collision handling in cloth model dedicated to design garments",
// 1997. Roots are isolated by Bernstein coefficients, in double with error
// bounds; what those leave open is decided on the roots as algebraic numbers.
//
// Every corner has to be finite; nothing is touched otherwise. The answer
// depends on the order of neither corners nor triangles. Pure and thread-safe.
// Costs tens of nanoseconds where a plane parts the triangles, up to twenty
// microseconds where they meet, and up to milliseconds where only exact
// arithmetic can tell.
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
  // 0 <= earliest <= (exact time of first contact) <= latest <= 1.
  double earliest = 0;
  double latest = 0;

  friend bool operator==(const MotionContact&, const MotionContact&) = default;
};

struct MotionContactOptions {
  // latest - earliest is at most that; what is below 2^-50 counts as 2^-50.
  double tolerance = 0x1p-40;
  // Contacts that are certainly later count as none, and cost less.
  double max_t = 1;
};

ORBOX_EXPORT std::optional<MotionContact> FirstContact(
    const MovingTriangle& s, const MovingTriangle& t,
    const MotionContactOptions& options = {},
    ArithmeticCounts* counts = nullptr);

// Corner `of_first` of one triangle is corner `of_second` of the other, and
// moves alike.
struct SharedCorner {
  size_t of_first = 0;
  size_t of_second = 0;
};

// The same for neighbours in a mesh, which always touch: when do they first
// have a point in common other than because of what they share? At the start
// as OverlapsBeyond (adjacent_triangles.h) says; later where two of their
// features meet that have no corner in common. `shared` names each corner at
// most once. Triangles that share all three have nothing to touch with.
ORBOX_EXPORT std::optional<MotionContact> FirstContactBeyond(
    const MovingTriangle& s, const MovingTriangle& t,
    std::span<const SharedCorner> shared,
    const MotionContactOptions& options = {},
    ArithmeticCounts* counts = nullptr);

// Where the triangle is at time t, each coordinate within 2 ulp of the larger
// of its ends; exactly `from` and `to` at 0 and 1.
ORBOX_EXPORT Triangle At(const MovingTriangle& triangle, double t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_MOVING_TRIANGLES_H_
