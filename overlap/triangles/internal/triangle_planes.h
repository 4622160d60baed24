// SPDX-License-Identifier: Apache-2.0

// How do two triangles lie to each other's planes? Private: what overlap and
// contact have in common.
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

// The sides of a plane (+1, 0, -1) on which the corners of a triangle lie.
struct Sides {
  int a = 0;
  int b = 0;
  int c = 0;
};

// Two triangles whose planes cut each other, with corners rearranged: each has
// its corner a alone on the closed positive side of the other's plane. On the
// common line of the planes, oriented in one of its two directions,
//   s covers what is between its edges ac and ab,
//   t covers what is between its edges ab and ac.
struct PlaneCuts {
  Triangle s;
  Triangle t;
  Sides s_sides;  // of the plane of t, but for a common sign
  Sides t_sides;
};

enum class PlaneRelation {
  kApart,     // one is strictly on one side of the other's plane
  kCrossing,  // both cut, or touch, the other's plane
  kOnePlane,  // all corners in one plane, or a degenerate triangle
};

// Exact. Sets *cuts where the answer is kCrossing, and raises *used to what it
// took.
PlaneRelation RelationOf(const Triangle& s, const Triangle& t, PlaneCuts* cuts,
                         Arithmetic* used);

// The order of two edges' cuts on the common line: positive where edge ab of t
// (or ac, if `t_end` is its corner c) cuts after the edge of s from a to
// `s_end`, 0 where they meet. Exact.
int OrderOfCuts(const PlaneCuts& cuts, const Vec3& s_end, const Vec3& t_end,
                Arithmetic* used);

// A pair of coordinates in which both triangles, of one plane, have an area,
// and their orientations there.
struct PlaneProjection {
  size_t u;
  size_t v;
  int s_turn;
  int t_turn;
};

// Exact. Nothing where one of them is degenerate.
std::optional<PlaneProjection> ProjectionOf(const Triangle& s,
                                            const Triangle& t,
                                            Arithmetic* used);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_PLANES_H_
