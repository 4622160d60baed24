// SPDX-License-Identifier: Apache-2.0

// A plane that a moving ball reaches with its foremost point. Triangles behind
// the plane are not touched before that time. FirstContact (swept_sphere.h) of
// one triangle sets such a plane, and the plane then decides other triangles.
// Private.
//
//   SweepPlane plane;
//   auto contact = FirstContact(ball, triangle, 1, nullptr, &plane);
//   if (plane.is_known) ...                  // others: sweep_plane-inl.h
//
// Many triangles may be touched at one time: the triangles around a vertex,
// copies of a triangle, or, for a ball that comes from far away, all triangles
// of a mesh. The plane decides them, so that their exact contact need not be
// computed.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_H_

#include <optional>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

// In units in which the largest coordinate relative to the start is about 1. A
// point p of the model is at (p - start) * scale.
struct SweepPlane {
  bool is_known = false;
  Vec3 start;
  double scale = 1;
  Vec3 normal;        // a unit vector, against the motion
  double level = 0;   // height of the centre along the normal, at `time`
  double radius = 0;  // of the ball
  double time = 0;
  double along = 0;  // growth of the level per unit of time; certainly negative
  // The width of FirstContact's enclosure of the time of a contact.
  double together = 0;
};

// Error bound of a distance, in units of the largest coordinate. Corners and
// motion have an error of u in each coordinate, the centre 2 u, a point of the
// triangle 8 u. A distance has 14 u more, and products with a unit normal 14 u.
// 64 u covers each sum of these.
inline constexpr double kSweepError = 64 * 0x1p-53;

// FirstContact that also sets *plane, if there is contact and a plane is known.
ORBOX_EXPORT std::optional<SweepContact> FirstContact(const SweptSphere& ball,
                                                      const Triangle& triangle,
                                                      double max_t,
                                                      ArithmeticCounts* counts,
                                                      SweepPlane* plane);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_H_
