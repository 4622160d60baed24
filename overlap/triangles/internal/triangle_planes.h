// SPDX-License-Identifier: Apache-2.0

// The relation of two triangles to each other's planes. Private: used by
// overlap and contact.
//
//   PlaneCuts cuts;
//   switch (RelationOf(s, t, &cuts, &used)) ...
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_PLANES_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_PLANES_H_

#include <cstddef>
#include <optional>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// For each corner of a triangle, the side of a plane on which it is (+1, 0,
// -1).
struct Sides {
  int a = 0;
  int b = 0;
  int c = 0;
};

// Two triangles whose planes cross. The corners are rearranged so that corner a
// of each is alone on the closed positive side of the other's plane. On the
// common line of the planes, oriented in one of its two directions,
//   s covers the interval from its edge ac to its edge ab,
//   t covers the interval from its edge ab to its edge ac.
struct PlaneCuts {
  Triangle s;
  Triangle t;
  Sides s_sides;  // relative to the plane of t, except for a common sign
  Sides t_sides;
};

enum class PlaneRelation {
  kApart,     // one triangle is strictly on one side of the other's plane
  kCrossing,  // each triangle crosses or touches the other's plane
  kOnePlane,  // all corners in one plane, or a degenerate triangle
};

// Exact. Sets *cuts if the result is kCrossing. Raises *used to the stage that
// decided.
PlaneRelation RelationOf(const Triangle& s, const Triangle& t, PlaneCuts* cuts,
                         Arithmetic* used);

// Returns the order of the cuts of two edges on the common line. Positive if
// edge ab of t (or ac, if `t_end` is corner c) cuts the line after the edge of
// s from a to `s_end`; 0 if the cuts coincide. Exact.
int OrderOfCuts(const PlaneCuts& cuts, const Vec3& s_end, const Vec3& t_end,
                Arithmetic* used);

// A pair of coordinates, and the orientations of two coplanar triangles in
// these coordinates. Both have an area there.
struct PlaneProjection {
  size_t u;
  size_t v;
  int s_turn;
  int t_turn;
};

// Exact. Returns nullopt if one of the triangles is degenerate.
std::optional<PlaneProjection> ProjectionOf(const Triangle& s,
                                            const Triangle& t,
                                            Arithmetic* used);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_PLANES_H_
