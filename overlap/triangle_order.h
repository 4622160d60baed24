// A fixed order of a triangle's vertices and of two triangles, so that results
// do not depend on the order in which they are given. Private.
#ifndef ORBOX_OVERLAP_TRIANGLE_ORDER_H_
#define ORBOX_OVERLAP_TRIANGLE_ORDER_H_

#include <utility>

#include "orbox/overlap/shapes.h"

namespace orbox {

// Lexicographic by coordinate.
inline bool IsBefore(const Vec3& p, const Vec3& q) {
  if (p.x != q.x) return p.x < q.x;
  if (p.y != q.y) return p.y < q.y;
  return p.z < q.z;
}

// The same triangle with its vertices in ascending order.
inline Triangle Sorted(Triangle t) {
  if (IsBefore(t.b, t.a)) std::swap(t.a, t.b);
  if (IsBefore(t.c, t.b)) std::swap(t.b, t.c);
  if (IsBefore(t.b, t.a)) std::swap(t.a, t.b);
  return t;
}

// Lexicographic by vertex. Requires sorted triangles.
inline bool IsBefore(const Triangle& s, const Triangle& t) {
  if (s.a != t.a) return IsBefore(s.a, t.a);
  if (s.b != t.b) return IsBefore(s.b, t.b);
  return IsBefore(s.c, t.c);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLE_ORDER_H_
