#include "orbox/overlap/triangles/adjacent_triangles.h"

#include <optional>

#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/predicates.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

void Count(bool used_exact, ArithmeticCounts* counts) {
  if (counts != nullptr) ++(used_exact ? counts->by_exact : counts->by_double);
}

// The same triangle, turned so that it begins with `corner`, which it has.
Triangle BeginningWith(const Triangle& t, const Vec3& corner) {
  if (t.a == corner) return t;
  if (t.b == corner) return {t.b, t.c, t.a};
  return {t.c, t.a, t.b};
}

// The corner that is neither u nor v; of a degenerate triangle, any.
const Vec3& Opposite(const Triangle& t, const Vec3& u, const Vec3& v) {
  if (t.a != u && t.a != v) return t.a;
  return t.b != u && t.b != v ? t.b : t.c;
}

// A pair of coordinates in which both triangles, of one plane, have an area,
// and their orientations there.
struct Projection {
  size_t u;
  size_t v;
  int s_turn;
  int t_turn;
};

// Nothing where one of them is degenerate.
std::optional<Projection> ProjectionOf(const Triangle& s, const Triangle& t,
                                       bool* used_exact) {
  for (size_t u = 0; u < 3; ++u) {
    const size_t v = u == 2 ? 0 : u + 1;
    const int s_turn = Orient2d(s.a, s.b, s.c, u, v, used_exact);
    if (s_turn == 0) continue;
    const int t_turn = Orient2d(t.a, t.b, t.c, u, v, used_exact);
    if (t_turn != 0) return Projection{u, v, s_turn, t_turn};
  }
  return std::nullopt;
}

// An angle of a triangle in a plane: from its first corner towards `from`, and
// counterclockwise on towards `to`.
struct Sector {
  Sector(const Triangle& t, int turn)
      : apex(t.a), from(turn > 0 ? t.b : t.c), to(turn > 0 ? t.c : t.b) {}

  bool Contains(const Vec3& p, const Projection& in, bool* used_exact) const {
    return Orient2d(apex, from, p, in.u, in.v, used_exact) >= 0 &&
           Orient2d(apex, p, to, in.u, in.v, used_exact) >= 0;
  }

  const Vec3& apex;
  const Vec3& from;
  const Vec3& to;
};

// What the triangles share is part of what is common to them, and a point or a
// segment; so that is more if and only if it has other corners. They are
// corners of a triangle wherever it is not a polygon.
bool HasMoreThan(std::span<const Vec3> shared, const Triangle& s,
                 const Triangle& t) {
  const TriangleContact contact = ContactOf(s, t);
  if (contact.points().size() > shared.size()) return true;
  for (const Vec3& p : contact.points()) {
    bool is_shared = false;
    for (const Vec3& q : shared) is_shared = is_shared || p == q;
    if (!is_shared) return true;
  }
  return false;
}

// Both begin with the corner that they share. Their planes' common line, where
// there is one, passes through it; each triangle covers a part of the line that
// begins there, and on either side or not at all.
bool OverlapBeyondCorner(const Triangle& s, const Triangle& t,
                         bool* used_exact) {
  const int s_b = Orient3d(t.a, t.b, t.c, s.b, used_exact);
  const int s_c = Orient3d(t.a, t.b, t.c, s.c, used_exact);
  if (s_b * s_c > 0) return false;
  const int t_b = Orient3d(s.a, s.b, s.c, t.b, used_exact);
  const int t_c = Orient3d(s.a, s.b, s.c, t.c, used_exact);
  if (t_b * t_c > 0) return false;
  if ((s_b != 0 || s_c != 0) && (t_b != 0 || t_c != 0)) {
    // With edges e, f from the corner and the normals n of s and m of t, s
    // leaves the corner along f (m e) - e (m f) = n x m where e is above the
    // plane of t and f below it, and along m x n where that is the other way
    // round; t likewise, with the two normals in the other order.
    const bool s_along = s_b > 0 || s_c < 0;  // n x m
    const bool t_along = t_b < 0 || t_c > 0;
    return s_along == t_along;
  }
  const auto in = ProjectionOf(s, t, used_exact);
  if (!in.has_value()) {
    *used_exact = true;
    return HasMoreThan({&s.a, 1}, s, t);
  }
  // Of two angles below half a turn with a common direction, one has the first
  // leg of the other.
  const Sector s_sector(s, in->s_turn);
  const Sector t_sector(t, in->t_turn);
  return s_sector.Contains(t_sector.from, *in, used_exact) ||
         t_sector.Contains(s_sector.from, *in, used_exact);
}

bool OverlapBeyondEdge(const Triangle& s, const Triangle& t,
                       std::span<const Vec3> edge, bool* used_exact) {
  const Vec3& u = edge[0];
  const Vec3& v = edge[1];
  const Vec3& p = Opposite(s, u, v);
  const Vec3& q = Opposite(t, u, v);
  // Planes that cut each other do so in the edge's line.
  if (Orient3d(u, v, p, q, used_exact) != 0) return false;
  const auto in = ProjectionOf({u, v, p}, {u, v, q}, used_exact);
  if (in.has_value()) return in->s_turn == in->t_turn;
  *used_exact = true;
  return HasMoreThan(edge, s, t);
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
  bool used_exact = false;
  bool overlaps = false;
  if (shared.size() == 1) {
    overlaps = OverlapBeyondCorner(BeginningWith(s, shared[0]),
                                   BeginningWith(t, shared[0]), &used_exact);
  } else if (shared.size() == 2) {
    overlaps = OverlapBeyondEdge(s, t, shared, &used_exact);
  }
  Count(used_exact, counts);
  return overlaps;
}

}  // namespace orbox
