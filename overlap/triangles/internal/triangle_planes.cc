// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/triangle_planes.h"

#include <cstddef>
#include <utility>

#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

Sides SidesOf(const Triangle& plane, const Triangle& t, Arithmetic* used) {
  return {Orient3d(plane.a, plane.b, plane.c, t.a, used),
          Orient3d(plane.a, plane.b, plane.c, t.b, used),
          Orient3d(plane.a, plane.b, plane.c, t.c, used)};
}

bool AreAllZero(const Sides& s) { return s.a == 0 && s.b == 0 && s.c == 0; }

bool AreStrictlyOneSide(const Sides& s) {
  return s.a == s.b && s.b == s.c && s.a != 0;
}

// Rotates the corners of `t` until the first one is alone on its closed side of
// a plane. Returns true if this is the positive side. Requires sides that are
// neither all zero nor all strictly on one side. Then such a corner exists.
bool PutLoneCornerFirst(Sides* sides, Triangle* t) {
  for (;;) {
    const bool above = sides->a >= 0 && sides->b <= 0 && sides->c <= 0;
    const bool below = sides->a <= 0 && sides->b >= 0 && sides->c >= 0;
    // If a corner on the plane is alone, no other corner may be on the plane.
    const bool alone = sides->a != 0 || (sides->b != 0 && sides->c != 0);
    if ((above || below) && alone) return above;
    *sides = {sides->b, sides->c, sides->a};
    *t = {t->b, t->c, t->a};
  }
}

void TurnAround(Sides* sides, Triangle* t) {
  std::swap(sides->b, sides->c);
  std::swap(t->b, t->c);
}

}  // namespace

PlaneRelation RelationOf(const Triangle& s, const Triangle& t, PlaneCuts* cuts,
                         Arithmetic* used) {
  cuts->t_sides = SidesOf(s, t, used);
  if (AreStrictlyOneSide(cuts->t_sides)) return PlaneRelation::kApart;
  cuts->s_sides = SidesOf(t, s, used);
  if (AreStrictlyOneSide(cuts->s_sides)) return PlaneRelation::kApart;
  if (AreAllZero(cuts->t_sides) || AreAllZero(cuts->s_sides)) {
    return PlaneRelation::kOnePlane;
  }
  cuts->s = s;
  cuts->t = t;
  const bool s_above = PutLoneCornerFirst(&cuts->s_sides, &cuts->s);
  const bool t_above = PutLoneCornerFirst(&cuts->t_sides, &cuts->t);
  // After turning triangles around if needed, each triangle has the lone corner
  // of the other one above it.
  if (!s_above) TurnAround(&cuts->t_sides, &cuts->t);
  if (!t_above) TurnAround(&cuts->s_sides, &cuts->s);
  return PlaneRelation::kCrossing;
}

// Guigue, Devillers, "Fast and robust triangle-triangle overlap test using
// orientation predicates", 2003.
int OrderOfCuts(const PlaneCuts& cuts, const Vec3& s_end, const Vec3& t_end,
                Arithmetic* used) {
  return Orient3d(cuts.s.a, s_end, cuts.t.a, t_end, used);
}

std::optional<PlaneProjection> ProjectionOf(const Triangle& s,
                                            const Triangle& t,
                                            Arithmetic* used) {
  for (size_t u = 0; u < 3; ++u) {
    const size_t v = u == 2 ? 0 : u + 1;
    const int s_turn = Orient2d(s.a, s.b, s.c, u, v, used);
    if (s_turn == 0) continue;
    const int t_turn = Orient2d(t.a, t.b, t.c, u, v, used);
    if (t_turn != 0) return PlaneProjection{u, v, s_turn, t_turn};
  }
  return std::nullopt;
}

}  // namespace orbox
