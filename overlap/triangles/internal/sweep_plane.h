// SPDX-License-Identifier: Apache-2.0

// A plane that a ball on its way reaches with its foremost point. What lies
// behind it is not touched before: of one triangle, FirstContact
// (swept_sphere.h) knows such a plane, and it tells of others. Private.
//
//   SweepPlane plane;
//   auto contact = FirstContact(ball, triangle, 1, nullptr, &plane);
//   if (plane.is_known) ...                  // sweep_plane-inl.h asks others
//
// Many triangles are touched at one time: those around a vertex, copies, and,
// for a ball that comes from far away, all of a mesh. They are told by this, in
// place of being measured.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_H_

#include <optional>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

// In units in which the largest coordinate, seen from the start, is about 1: a
// point p of the model is at (p - start) * scale.
struct SweepPlane {
  bool is_known = false;
  Vec3 start;
  double scale = 1;
  Vec3 normal;        // a unit vector, against the motion
  double level = 0;   // of the centre along the normal, at `time`
  double radius = 0;  // of the ball
  double time = 0;
  double along =
      0;  // how the level grows in a unit of time: certainly it falls
  // How closely FirstContact encloses the time of a contact.
  double together = 0;
};

// What rounding does to a distance, in units of the largest coordinate.
// Corners and motion are off by u in each coordinate, the centre by 2 u, a
// point of the triangle by 8 u, a distance by 14 u more, and products with a
// unit normal by 14 u; 64 u covers each sum of those.
inline constexpr double kSweepError = 64 * 0x1p-53;

// As FirstContact; sets the plane if there is contact and one is known.
ORBOX_EXPORT std::optional<SweepContact> FirstContact(const SweptSphere& ball,
                                                      const Triangle& triangle,
                                                      double max_t,
                                                      ArithmeticCounts* counts,
                                                      SweepPlane* plane);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_H_
