// SPDX-License-Identifier: Apache-2.0

// A fixed order of the vertices of a triangle, and of two triangles. With it,
// results do not depend on the order of arguments and vertices. Private.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_ORDER_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_ORDER_H_

#include <cstddef>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Lexicographic by coordinate.
inline bool IsBefore(const Vec3& p, const Vec3& q) {
  if (p.x != q.x) return p.x < q.x;
  if (p.y != q.y) return p.y < q.y;
  return p.z < q.z;
}

// Returns the triangle with its vertices in ascending order. Has no branches,
// because their outcomes are unpredictable.
inline Triangle Sorted(const Triangle& t) {
  const size_t ba = IsBefore(t.b, t.a) ? 1 : 0;
  const size_t ca = IsBefore(t.c, t.a) ? 1 : 0;
  const size_t cb = IsBefore(t.c, t.b) ? 1 : 0;
  Vec3 sorted[3];
  sorted[ba + ca] = t.a;
  sorted[1 - ba + cb] = t.b;
  sorted[2 - ca - cb] = t.c;
  return {sorted[0], sorted[1], sorted[2]};
}

// Lexicographic by vertex. Requires sorted triangles.
inline bool IsBefore(const Triangle& s, const Triangle& t) {
  if (s.a != t.a) return IsBefore(s.a, t.a);
  if (s.b != t.b) return IsBefore(s.b, t.b);
  return IsBefore(s.c, t.c);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_ORDER_H_
