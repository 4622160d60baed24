// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/adjacent_triangles.h"

#include <array>
#include <cstdint>

#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/internal/triangle_planes.h"
#include "orbox/overlap/triangles/predicates.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

// Returns the triangle, rotated so that it begins with `corner`, which is one
// of its corners.
Triangle BeginningWith(const Triangle& t, const Vec3& corner) {
  if (t.a == corner) return t;
  if (t.b == corner) return {t.b, t.c, t.a};
  return {t.c, t.a, t.b};
}

// Returns the corner that is neither u nor v; any corner of a degenerate
// triangle.
const Vec3& Opposite(const Triangle& t, const Vec3& u, const Vec3& v) {
  if (t.a != u && t.a != v) return t.a;
  return t.b != u && t.b != v ? t.b : t.c;
}

// The angle of a triangle at its first corner, in a projection:
// counterclockwise from the direction `from` to the direction `to`.
struct Sector {
  Sector(const Triangle& t, int turn)
      : apex(t.a), from(turn > 0 ? t.b : t.c), to(turn > 0 ? t.c : t.b) {}

  bool Contains(const Vec3& p, const PlaneProjection& in,
                Arithmetic* used) const {
    return Orient2d(apex, from, p, in.u, in.v, used) >= 0 &&
           Orient2d(apex, p, to, in.u, in.v, used) >= 0;
  }

  const Vec3& apex;
  const Vec3& from;
  const Vec3& to;
};

// Returns true if the triangles have common points outside of `shared`, which
// is a point or a segment. The shared set is part of the common set, so the
// common set is larger if and only if it has other corners. If the common set
// is not a polygon, its corners are corners of a triangle.
bool HasMoreThan(std::span<const Vec3> shared, const Triangle& s,
                 const Triangle& t, Arithmetic* used) {
  ArithmeticCounts counts;
  const TriangleContact contact = ContactOf(s, t, &counts);
  Raise(used, counts.Highest());
  if (contact.points().size() > shared.size()) return true;
  for (const Vec3& p : contact.points()) {
    bool is_shared = false;
    for (const Vec3& q : shared) is_shared = is_shared || p == q;
    if (!is_shared) return true;
  }
  return false;
}

// Returns true if comparisons of coordinates prove that triangles which begin
// with one common corner have no other common point. Consider a plane through
// that corner, at right angles to an axis. If the two triangles are on
// different sides of the plane, all common points are in the plane, in the hull
// of the corners in the plane. So corners outside the plane are removed, and
// the next axis has fewer corners to separate. Adjacent faces of boxes share
// corners like this.
bool MeetInCornerOnly(const Triangle& s, const Triangle& t) {
  constexpr uint32_t kOfS = 0b0011;
  constexpr uint32_t kOfT = 0b1100;
  // here: corners of s above the plane and corners of t below it. there:
  // corners of s below the plane and corners of t above it.
  std::array<uint32_t, 3> here;
  std::array<uint32_t, 3> there;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double at = s.a[axis];
    const auto bits = [](bool s_b, bool s_c, bool t_b, bool t_c) {
      return uint32_t{s_b} | uint32_t{s_c} << 1 | uint32_t{t_b} << 2 |
             uint32_t{t_c} << 3;
    };
    here[axis] =
        bits(s.b[axis] > at, s.c[axis] > at, at > t.b[axis], at > t.c[axis]);
    there[axis] =
        bits(at > s.b[axis], at > s.c[axis], t.b[axis] > at, t.c[axis] > at);
  }
  uint32_t left = kOfS | kOfT;
  for (uint32_t before = 0; before != left;) {
    before = left;
    for (size_t axis = 0; axis < 3; ++axis) {
      if ((left & here[axis]) == 0 || (left & there[axis]) == 0) {
        left &= ~(here[axis] | there[axis]);
      }
    }
    if ((left & kOfS) == 0 || (left & kOfT) == 0) return true;
  }
  return false;
}

// Both triangles begin with the shared corner. If their planes cross, the
// common line passes through the corner. Each triangle covers a piece of the
// line that begins at the corner, on one side of it, or only the corner.
bool OverlapBeyondCorner(const Triangle& s, const Triangle& t,
                         Arithmetic* used) {
  const int s_b = Orient3d(t.a, t.b, t.c, s.b, used);
  const int s_c = Orient3d(t.a, t.b, t.c, s.c, used);
  if (s_b * s_c > 0) return false;
  // Not in general position. Comparisons are cheaper than the remaining signs.
  if (s_b * s_c == 0 && MeetInCornerOnly(s, t)) return false;
  const int t_b = Orient3d(s.a, s.b, s.c, t.b, used);
  const int t_c = Orient3d(s.a, s.b, s.c, t.c, used);
  if (t_b * t_c > 0) return false;
  if ((s_b != 0 || s_c != 0) && (t_b != 0 || t_c != 0)) {
    // Let e, f be the edges of s from the corner, n and m the normals of s and
    // t. If e is above the plane of t and f below it, s leaves the corner along
    // f (m e) - e (m f) = n x m, in the opposite case along m x n. The
    // directions of t follow in the same way with the two normals exchanged.
    const bool s_along = s_b > 0 || s_c < 0;  // n x m
    const bool t_along = t_b < 0 || t_c > 0;
    return s_along == t_along;
  }
  const auto in = ProjectionOf(s, t, used);
  if (!in.has_value()) {
    return HasMoreThan({&s.a, 1}, s, t, used);
  }
  // Two angles below half a turn have a common direction if one of them
  // contains the first side of the other.
  const Sector s_sector(s, in->s_turn);
  const Sector t_sector(t, in->t_turn);
  return s_sector.Contains(t_sector.from, *in, used) ||
         t_sector.Contains(s_sector.from, *in, used);
}

bool OverlapBeyondEdge(const Triangle& s, const Triangle& t,
                       std::span<const Vec3> edge, Arithmetic* used) {
  const Vec3& u = edge[0];
  const Vec3& v = edge[1];
  const Vec3& p = Opposite(s, u, v);
  const Vec3& q = Opposite(t, u, v);
  // Planes that cross have only the line of the edge in common.
  if (Orient3d(u, v, p, q, used) != 0) return false;
  const auto in = ProjectionOf({u, v, p}, {u, v, q}, used);
  if (in.has_value()) return in->s_turn == in->t_turn;
  return HasMoreThan(edge, s, t, used);
}

}  // namespace

CornerSet CornersOf(const Triangle& t) {
  CornerSet corners;
  for (const Vec3& p : {t.a, t.b, t.c}) corners.Add(p);
  return corners;
}

CornerSet CommonCorners(const Triangle& s, const Triangle& t) {
  CornerSet common;
  for (const Vec3& p : {s.a, s.b, s.c}) {
    if (p == t.a || p == t.b || p == t.c) common.Add(p);
  }
  return common;
}

bool OverlapsBeyond(const Triangle& s, const Triangle& t,
                    std::span<const Vec3> shared, ArithmeticCounts* counts) {
  if (shared.empty()) return Overlaps(s, t, counts);
  Arithmetic used = Arithmetic::kDouble;
  bool overlaps = false;
  if (shared.size() == 1) {
    overlaps = OverlapBeyondCorner(BeginningWith(s, shared[0]),
                                   BeginningWith(t, shared[0]), &used);
  } else if (shared.size() == 2) {
    overlaps = OverlapBeyondEdge(s, t, shared, &used);
  }
  Count(used, counts);
  return overlaps;
}

}  // namespace orbox
