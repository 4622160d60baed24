// SPDX-License-Identifier: Apache-2.0

// First contact of a ball that moves along a segment with a triangle.
//
//   SweptSphere ball{.from = p, .to = q, .radius = 0.1};
//   std::optional<SweepContact> contact = FirstContact(ball, triangle);
//   if (contact) Move(ball, contact->earliest);      // certainly no contact
//
// The centre is at from + t (to - from), t from 0 to 1. Contact, also at the
// start, is decided exactly for the given doubles. Touching counts. The time of
// first contact is enclosed: before `earliest` there certainly is no contact.
// Let S be the largest distance along an axis from the start to a corner or to
// the end. The two ends of the enclosure are within
//   2^-42 S / (the speed at which ball and triangle approach, per unit of t)
// of each other. If that speed is zero, for example because the ball only
// touches as it passes, they are within 2^-20 sqrt(S radius) / |to - from|. In
// the worst case, near the limits of double's range, they are 0 and 1. Ends and
// radius must be finite, and the radius not negative; otherwise there is no
// contact. Pure and thread-safe. Costs about half a microsecond.
#ifndef ORBOX_OVERLAP_TRIANGLES_SWEPT_SPHERE_H_
#define ORBOX_OVERLAP_TRIANGLES_SWEPT_SPHERE_H_

#include <optional>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct SweptSphere {
  Vec3 from;
  Vec3 to;
  double radius = 0;
};

inline bool IsValid(const SweptSphere& s) {
  return IsFinite(s.from) && IsFinite(s.to) && std::isfinite(s.radius) &&
         s.radius >= 0;
}

struct SweepContact {
  // 0 <= earliest <= (exact time of first contact) <= latest <= 1.
  double earliest = 0;
  double latest = 0;
  // The point of the triangle closest to the centre at `latest`.
  Vec3 point;
};

// Contacts that are certainly later than `max_t` are not reported.
ORBOX_EXPORT std::optional<SweepContact> FirstContact(
    const SweptSphere& ball, const Triangle& triangle, double max_t = 1,
    ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_SWEPT_SPHERE_H_
