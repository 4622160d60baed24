// SPDX-License-Identifier: Apache-2.0

// The guess of closest_guess.h for a register of triangles, in double: the
// point of each triangle that is closest to a given point.
//
//   Sort(&triangles);
//   PointGuessLanes g = GuessClosest(p, triangles);
//
// Private; compiled once per instruction set.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_GUESS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_GUESS_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_GUESS_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_GUESS_INL_H_
#endif

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The closest point of each triangle, as computed in double: base + v e + w f.
// e and f are the edges from a corner `base` to the corners e_head and f_head.
struct PointGuessLanes {
  D3 base, e_head, f_head;
  D v, w;
  DMask at_vertex;  // v = w = 0
  DMask on_edge;    // 0 < v < 1, w = 0
  DMask on_face;    // 0 < v, 0 < w, v + w < 1
};

// Ericson, "Real-Time Collision Detection", 5.1.5, with selections instead of
// branches. Lanes that fit no case have no bit in any mask.
HWY_INLINE PointGuessLanes GuessClosest(const D3& p, const TriangleOf<D>& t) {
  const auto& [a, b, c] = t;
  const D3 ab = b - a;
  const D3 ac = c - a;
  const D3 ap = p - a;
  const D3 bp = p - b;
  const D3 cp = p - c;
  const D d1 = Dot(ab, ap);
  const D d2 = Dot(ac, ap);
  const D d3 = Dot(ab, bp);
  const D d4 = Dot(ac, bp);
  const D d5 = Dot(ab, cp);
  const D d6 = Dot(ac, cp);
  const D va = d3 * d6 - d5 * d4;
  const D vb = d5 * d2 - d1 * d6;
  const D vc = d1 * d4 - d3 * d2;
  const D bc1 = d4 - d3;
  const D bc2 = d5 - d6;

  const DMask at_a = (d1 <= 0) & (d2 <= 0);
  const DMask at_b = (d3 >= 0) & (d4 <= d3);
  const DMask at_c = (d6 >= 0) & (d5 <= d6);
  const DMask on_ab = (vc <= 0) & (d1 >= 0) & (d3 <= 0);
  const DMask on_ac = (vb <= 0) & (d2 >= 0) & (d6 <= 0);
  const DMask on_bc = (va <= 0) & (bc1 >= 0) & (bc2 >= 0);

  // Rounds as GuessClosest (closest_guess.h) does, so that the points are
  // equal.
  D top = vb;
  D bottom = va + vb + vc;
  top = Select(on_bc, bc1, top);
  bottom = Select(on_bc, bc1 + bc2, bottom);
  top = Select(on_ac, d2, top);
  bottom = Select(on_ac, d2 - d6, bottom);
  top = Select(on_ab, d1, top);
  bottom = Select(on_ab, d1 - d3, bottom);
  PointGuessLanes g;
  g.at_vertex = at_a | at_b | at_c;
  const DMask edge = AndNot(g.at_vertex, on_ab | on_ac | on_bc);
  // One division serves the two quotients of a face.
  const D quotient = Select(edge, top, D(1)) / bottom;
  g.v = Select(edge, quotient, top * quotient);
  g.w = vc * quotient;
  const DMask inside = (g.v > 0) & (g.v < 1);
  g.on_edge = edge & inside;
  g.on_face = AndNot(g.at_vertex | edge, inside) & (g.w > 0) & (g.v + g.w < 1);
  g.v = ZeroOrSelect(g.at_vertex, g.v);
  g.w = SelectOrZero(g.on_face, g.w);

  // The base is b if the point is b or on bc, and c if the point is c. The edge
  // that contains the point comes first. If several cases apply, the first one
  // in Ericson's order is used.
  const DMask b_first =
      AndNot(at_a, at_b | AndNot(on_ab | on_ac | at_c, on_bc));
  const DMask c_first = AndNot(at_a | at_b | on_ab, at_c);
  g.base = Select(c_first, c, Select(b_first, b, a));
  const DMask along_ac = AndNot(on_ab | b_first, on_ac);
  const D3 second = Select(b_first | along_ac, c, b);
  const D3 third = Select(c_first, b, Select(along_ac, b, c));
  g.e_head = Select(c_first, a, second);
  g.f_head = Select(b_first, a, third);
  return g;
}

HWY_INLINE DMask IsBefore(const D3& a, const D3& b) {
  return (a.x < b.x) |
         ((a.x == b.x) & ((a.y < b.y) | ((a.y == b.y) & (a.z < b.z))));
}

// Sorts the vertices in ascending order, so that results do not depend on their
// order. Equal vertices keep their order.
HWY_INLINE void Sort(TriangleOf<D>* t) {
  const auto [a, b, c] = *t;
  const DMask ba = IsBefore(b, a);
  const DMask ca = IsBefore(c, a);
  const DMask cb = IsBefore(c, b);
  t->a = Select(ca & cb, c, Select(AndNot(cb, ba), b, a));
  t->b = Select(ba ^ ca, a, Select(ba ^ cb, c, b));
  t->c = Select(ba & ca, a, Select(AndNot(ba, cb), b, c));
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_GUESS_INL_H_
