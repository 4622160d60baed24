// SPDX-License-Identifier: Apache-2.0

// The oracle for inside and outside: rational arithmetic, and the crossings of
// a ray, each with its sign. Slow on purpose.
//
//   EXPECT_EQ(field.IsInside(p), oracle::PlaceOf(mesh, p) == Place::kInside);
#ifndef ORBOX_TESTS_SUPPORT_EXACT_PLACE_H_
#define ORBOX_TESTS_SUPPORT_EXACT_PLACE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/shapes.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/meshes.h"

namespace orbox::oracle {

enum class Place { kOutside, kOn, kInside };

// The sign of the volume of abcd.
inline int Orientation(const Point& a, const Point& b, const Point& c,
                       const Point& d) {
  return Product(CrossProduct(Minus(b, a), Minus(c, a)), Minus(d, a)).sign();
}

// Returns true if each edge has as many triangle sides one way as the other.
inline bool DoFacesAgree(const Mesh& mesh) {
  using Ends = std::array<double, 6>;
  std::map<Ends, int> more;
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    for (size_t k = 0; k < 3; ++k) {
      // 0 and -0 are equal.
      const Vec3 a = t[k] + Vec3{};
      const Vec3 b = t[(k + 1) % 3] + Vec3{};
      ++more[Ends{a.x, a.y, a.z, b.x, b.y, b.z}];
      --more[Ends{b.x, b.y, b.z, a.x, a.y, a.z}];
    }
  }
  return std::all_of(more.begin(), more.end(),
                     [](const auto& edge) { return edge.second == 0; });
}

// Returns the signed crossings of a ray to infinity, none for a point of the
// surface. Requires a mesh that is closed and a point that is finite. The ray
// has a direction in which it almost certainly hits no edge; if it does,
// another is tried.
inline std::optional<int> WindingOf(const Mesh& mesh, const Vec3& p) {
  Rational reach = 0;  // from p to beyond every triangle
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    const Aabb b = BoundsOf(t);
    if (Max(p, b.lo) == p && Min(p, b.hi) == p && SquaredDistance(p, t) == 0) {
      return std::nullopt;
    }
    for (size_t k = 0; k < 3; ++k) {
      reach = std::max({reach, Rational(b.hi[k]) - p[k],
                        Rational(p[k]) - Rational(b.lo[k])});
    }
  }
  const Point from = Lift(p);
  for (uint64_t attempt = 1; attempt < 1000; ++attempt) {
    meshes::Random random(attempt);
    Point to = Lift(random.Direction());
    for (size_t k = 0; k < 3; ++k) to[k] = from[k] + to[k] * reach * 2;
    int winding = 0;
    bool is_clear = true;
    for (size_t i = 0; i < mesh.triangle_count() && is_clear; ++i) {
      const Corners t = Lift(mesh.triangle(i));
      const int start = Orientation(t[0], t[1], t[2], from);
      const int end = Orientation(t[0], t[1], t[2], to);
      // On one side, or leaving the plane outside of the triangle; both are 0
      // for triangles without area, since no direction is drawn in a plane.
      if (start * end >= 0) continue;
      const int u = Orientation(from, to, t[0], t[1]);
      const int v = Orientation(from, to, t[1], t[2]);
      const int w = Orientation(from, to, t[2], t[0]);
      is_clear = u != 0 && v != 0 && w != 0;  // not through an edge
      // Out through the front where the start is behind the plane.
      if (u == v && v == w) winding += start < 0 ? 1 : -1;
    }
    if (is_clear) return winding;
  }
  std::abort();  // no ray is clear of all edges
}

inline Place PlaceOf(const Mesh& mesh, const Vec3& p,
                     InsideRule rule = InsideRule::kWinding) {
  const std::optional<int> winding = WindingOf(mesh, p);
  if (!winding) return Place::kOn;
  const bool is_inside =
      *winding % 2 != 0 || (*winding != 0 && rule == InsideRule::kWinding &&
                            oracle::DoFacesAgree(mesh));
  return is_inside ? Place::kInside : Place::kOutside;
}

}  // namespace orbox::oracle

#endif  // ORBOX_TESTS_SUPPORT_EXACT_PLACE_H_
