// SPDX-License-Identifier: Apache-2.0

// Two dimensions: circles and axis-aligned rectangles.
//
//   Circle disc{{0, 0}, 2};
//   Rect screen{{0, 0}, {640, 480}};
//   if (OverlapsNineZones(disc, screen)) ...
//   switch (FoldedContact(disc, screen)) { case Contact::kTouching: ... }
//
// Pure templates on float or double. Shapes are closed sets, so touching is
// overlapping (published examples mix < and <=). Requires radii >= 0 and lo <=
// hi, all finite. Two rectangles are compared exactly. Let u be the unit
// roundoff, d the distance, r the radius or the sum of radii, and M the largest
// coordinate. The other functions are correct if |d - r| > 4u r, and
// OverlapsFolded if |d - r| > 4u r + 12u M. Squares must neither overflow nor
// underflow.
#ifndef ORBOX_OVERLAP_BOXES_CIRCLE_RECT_H_
#define ORBOX_OVERLAP_BOXES_CIRCLE_RECT_H_

#include <cmath>

#include "orbox/overlap/boxes/sphere_aabb.h"

namespace orbox {

template <typename T>
struct BasicVec2 {
  T x{};
  T y{};

  friend constexpr bool operator==(const BasicVec2&,
                                   const BasicVec2&) = default;
};

// The points within `radius` of `center`: a disc including its boundary.
template <typename T>
struct BasicCircle {
  BasicVec2<T> center;
  T radius{};
};

// The points p with lo <= p <= hi on both axes.
template <typename T>
struct BasicRect {
  BasicVec2<T> lo;
  BasicVec2<T> hi;
};

using Vec2 = BasicVec2<double>;
using Circle = BasicCircle<double>;
using Rect = BasicRect<double>;

// Returns true if the distance of the centres is at most the sum of the radii.
template <typename T>
bool Overlaps(const BasicCircle<T>& a, const BasicCircle<T>& b);

// Returns true if the intervals overlap on both axes.
template <typename T>
constexpr bool Overlaps(const BasicRect<T>& a, const BasicRect<T>& b);

// Returns the zone of p. The lines of the edges divide the plane into nine
// zones, numbered x + 3 y with 0 below, 1 within and 2 above the rectangle on
// each axis. Zone 4 is the rectangle.
template <typename T>
int ZoneOf(const BasicVec2<T>& p, const BasicRect<T>& r);

// Finds the zone of the centre, and then computes only the distance to the side
// or corner next to this zone.
template <typename T>
bool OverlapsNineZones(const BasicCircle<T>& c, const BasicRect<T>& r);

// Moves the origin to the rectangle's centre, folds the circle's centre into
// the first quadrant, and compares the distance from the rectangle with the
// radius.
template <typename T>
Contact FoldedContact(const BasicCircle<T>& c, const BasicRect<T>& r);
template <typename T>
bool OverlapsFolded(const BasicCircle<T>& c, const BasicRect<T>& r);

// Implementation details from here on.

namespace internal {

template <typename T>
T FoldedSquaredDistance(const BasicVec2<T>& p, const BasicRect<T>& r) {
  constexpr T kHalf{0.5};
  const T x = PositivePart(std::abs(p.x - (r.lo.x * kHalf + r.hi.x * kHalf)) -
                           (r.hi.x * kHalf - r.lo.x * kHalf));
  const T y = PositivePart(std::abs(p.y - (r.lo.y * kHalf + r.hi.y * kHalf)) -
                           (r.hi.y * kHalf - r.lo.y * kHalf));
  return x * x + y * y;
}

}  // namespace internal

template <typename T>
bool Overlaps(const BasicCircle<T>& a, const BasicCircle<T>& b) {
  const T x = a.center.x - b.center.x;
  const T y = a.center.y - b.center.y;
  const T reach = a.radius + b.radius;
  return x * x + y * y <= reach * reach;
}

template <typename T>
constexpr bool Overlaps(const BasicRect<T>& a, const BasicRect<T>& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y &&
         b.lo.y <= a.hi.y;
}

template <typename T>
int ZoneOf(const BasicVec2<T>& p, const BasicRect<T>& r) {
  return internal::ZoneOnAxis(p.x, r.lo.x, r.hi.x) +
         3 * internal::ZoneOnAxis(p.y, r.lo.y, r.hi.y);
}

template <typename T>
bool OverlapsNineZones(const BasicCircle<T>& c, const BasicRect<T>& r) {
  const int zone = ZoneOf(c.center, r);
  // The corner on the side of the centre. A side zone uses only one of its
  // coordinates.
  const T x = c.center.x - (zone % 3 == 0 ? r.lo.x : r.hi.x);
  const T y = c.center.y - (zone < 3 ? r.lo.y : r.hi.y);
  switch (zone) {
    case 4:  // inside
      return true;
    case 3:
    case 5:  // left and right
      return std::abs(x) <= c.radius;
    case 1:
    case 7:  // below and above
      return std::abs(y) <= c.radius;
    default:  // a corner
      return x * x + y * y <= c.radius * c.radius;
  }
}

template <typename T>
Contact FoldedContact(const BasicCircle<T>& c, const BasicRect<T>& r) {
  return internal::Compare(internal::FoldedSquaredDistance(c.center, r),
                           c.radius * c.radius);
}

template <typename T>
bool OverlapsFolded(const BasicCircle<T>& c, const BasicRect<T>& r) {
  return internal::FoldedSquaredDistance(c.center, r) <= c.radius * c.radius;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_CIRCLE_RECT_H_
