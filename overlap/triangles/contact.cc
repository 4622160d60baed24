// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/contact.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/triangles/internal/cross_magnitude.h"
#include "orbox/overlap/triangles/internal/exact_contact.h"
#include "orbox/overlap/triangles/internal/long_volume.h"
#include "orbox/overlap/triangles/internal/triangle_order.h"
#include "orbox/overlap/triangles/internal/triangle_planes.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

double Reach(const Vec3& p) { return MaxCoordinate(Abs(p)); }

// A height above a plane, times a constant, and a bound of the error of this
// product.
struct Height {
  double value;
  double error;
};

// Rounds eight times, as in Orient3d.
Height HeightOf(const Vec3& p, const Triangle& t) {
  const Vec3 e = t.b - t.a;
  const Vec3 f = t.c - t.a;
  const Vec3 w = p - t.a;
  return {Dot(Cross(e, f), w),
          9 * kRoundoff * Dot(CrossMagnitude(e, f), Abs(w))};
}

Height LongHeightOf(const Vec3& p, const Triangle& t) {
  const DoubleDouble volume = LongVolume(t.a, t.b, t.c, p);
  const double magnitude =
      Dot(CrossMagnitude(t.b - t.a, t.c - t.a), Abs(p - t.a));
  return {volume.hi,
          kRoundoff * std::abs(volume.hi) + kLongVolumeError * magnitude};
}

// Sets *point to the point in which the edge pq crosses a plane: p + (q - p) h
// / (h - k), with h and k the heights of p and q above the plane. Returns false
// if the errors are too large.
bool Interpolate(const Vec3& p, const Height& h, const Vec3& q, const Height& k,
                 Vec3* point) {
  const Vec3 d = q - p;
  const double fall = h.value - k.value;
  // The promised error is 2^-48. Roundings take 11 u of the reach, less than
  // 2^-49.5. The error of the fraction is at most the errors of both heights
  // divided by the exact fall. The exact fall is at least half of the computed
  // one, or else d is below 2^-49 itself.
  const double reach = std::max(Reach(p), Reach(q));
  const double allowed = 0x1p-50 * std::abs(fall) * reach;
  // The limits prevent underflow and overflow.
  if (!((h.error + k.error) * Reach(d) <= allowed && h.value * k.value < 0 &&
        std::abs(fall) >= 0x1p-700 && std::abs(fall) <= 0x1p700 &&
        Reach(d) >= 0x1p-200 && reach <= 0x1p200)) {
    return false;
  }
  *point = p + (h.value / fall) * d;
  return true;
}

// Returns the point in which the edge pq crosses the plane of t. Requires p and
// q on opposite open sides.
Vec3 CrossingPoint(const Vec3& p, const Vec3& q, const Triangle& t,
                   Arithmetic* used) {
  Vec3 point;
  if (Interpolate(p, HeightOf(p, t), q, HeightOf(q, t), &point) ||
      Interpolate(p, LongHeightOf(p, t), q, LongHeightOf(q, t), &point)) {
    return point;
  }
  return exact::CrossingPoint(p, q, t, used);
}

// The crossing of the edge from a to b with `plane`. a and b are on different
// sides of it, or one of them is in it.
struct EdgeCrossing {
  Vec3 a;
  int a_side;
  Vec3 b;
  int b_side;
  const Triangle& plane;

  bool IsCorner() const { return a_side == 0 || b_side == 0; }

  Vec3 Point(Arithmetic* used) const {
    if (a_side == 0) return a;
    if (b_side == 0) return b;
    // Both triangles at a shared edge use one direction of the edge.
    return IsBefore(a, b) ? CrossingPoint(a, b, plane, used)
                          : CrossingPoint(b, a, plane, used);
  }
};

// Returns the better one of two cuts at one point. A cut at a corner is better,
// because it is exact.
const EdgeCrossing& Better(const EdgeCrossing& s, const EdgeCrossing& t) {
  return t.IsCorner() ? t : s;
}

// Returns the intersection of two intervals of the common line.
TriangleContact CommonInterval(const PlaneCuts& cuts, Arithmetic* used) {
  const Triangle& s = cuts.s;
  const Triangle& t = cuts.t;
  TriangleContact contact;
  const int t_start_to_s_end = -OrderOfCuts(cuts, s.b, t.b, used);
  if (t_start_to_s_end < 0) return contact;
  const int s_start_to_t_end = OrderOfCuts(cuts, s.c, t.c, used);
  if (s_start_to_t_end < 0) return contact;
  const EdgeCrossing s_start{s.a, cuts.s_sides.a, s.c, cuts.s_sides.c, t};
  const EdgeCrossing s_end{s.a, cuts.s_sides.a, s.b, cuts.s_sides.b, t};
  const EdgeCrossing t_start{t.a, cuts.t_sides.a, t.b, cuts.t_sides.b, s};
  const EdgeCrossing t_end{t.a, cuts.t_sides.a, t.c, cuts.t_sides.c, s};
  // One interval ends where the other starts.
  if (t_start_to_s_end == 0) {
    contact.Add(Better(s_end, t_start).Point(used));
    return contact;
  }
  if (s_start_to_t_end == 0) {
    contact.Add(Better(s_start, t_end).Point(used));
    return contact;
  }
  // One interval is a single point, the first corner of its triangle.
  if (cuts.s_sides.a == 0 || cuts.t_sides.a == 0) {
    contact.Add(cuts.s_sides.a == 0 ? s.a : t.a);
    return contact;
  }
  const int starts = OrderOfCuts(cuts, s.c, t.b, used);
  const int ends = OrderOfCuts(cuts, s.b, t.c, used);
  const EdgeCrossing& start = starts == 0  ? Better(s_start, t_start)
                              : starts > 0 ? t_start
                                           : s_start;
  const EdgeCrossing& end = ends == 0  ? Better(s_end, t_end)
                            : ends > 0 ? s_end
                                       : t_end;
  contact.Add(start.Point(used));
  contact.Add(end.Point(used));
  return contact;
}

// For each edge of t, the side of the edge on which the line through s passes.
struct LineSides {
  int ab;
  int bc;
  int ca;

  bool IsPierced() const {
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
  }
};

// The relation of a segment and a triangle that are not in one plane.
struct SegmentCut {
  bool is_one_plane = false;  // if true, the other members have no meaning
  bool overlaps = false;
  int a_side = 0;
  int b_side = 0;
  LineSides edges{0, 0, 0};
};

SegmentCut CutOf(const Segment& s, const Triangle& t, Arithmetic* used) {
  SegmentCut cut;
  cut.a_side = Orient3d(t.a, t.b, t.c, s.a, used);
  cut.b_side = Orient3d(t.a, t.b, t.c, s.b, used);
  if (cut.a_side * cut.b_side > 0) return cut;
  if (cut.a_side == 0 && cut.b_side == 0) {
    cut.is_one_plane = true;
    return cut;
  }
  cut.edges = {Orient3d(s.a, s.b, t.a, t.b, used),
               Orient3d(s.a, s.b, t.b, t.c, used),
               Orient3d(s.a, s.b, t.c, t.a, used)};
  cut.overlaps = cut.edges.IsPierced();
  return cut;
}

// Requires a point in the plane of the triangle. Projects along an axis on
// which the triangle has an area.
bool ContainsInPlane(const Triangle& t, const Vec3& p, Arithmetic* used) {
  for (size_t u = 0; u < 3; ++u) {
    const size_t v = u == 2 ? 0 : u + 1;
    const int turn = Orient2d(t.a, t.b, t.c, u, v, used);
    if (turn == 0) continue;
    return Orient2d(t.a, t.b, p, u, v, used) != -turn &&
           Orient2d(t.b, t.c, p, u, v, used) != -turn &&
           Orient2d(t.c, t.a, p, u, v, used) != -turn;
  }
  return exact::Contains(Sorted(t), p, used);
}

Aabb BoundsOf(const Segment& s) { return {Min(s.a, s.b), Max(s.a, s.b)}; }

Vec3 PointOf(const SegmentCut& cut, const Segment& s, const Triangle& t,
             Arithmetic* used) {
  if (cut.a_side == 0) return s.a;
  if (cut.b_side == 0) return s.b;
  if (cut.edges.ca == 0 && cut.edges.ab == 0) return t.a;
  if (cut.edges.ab == 0 && cut.edges.bc == 0) return t.b;
  if (cut.edges.bc == 0 && cut.edges.ca == 0) return t.c;
  return CrossingPoint(s.a, s.b, t, used);
}

}  // namespace

TriangleContact ContactOf(const Triangle& s, const Triangle& t,
                          ArithmeticCounts* counts) {
  if (!Overlaps(BoundsOf(s), BoundsOf(t))) {
    Count(Arithmetic::kDouble, counts);
    return {};
  }
  Triangle first = Sorted(s);
  Triangle second = Sorted(t);
  if (IsBefore(second, first)) std::swap(first, second);
  PlaneCuts cuts;
  Arithmetic used = Arithmetic::kDouble;
  const PlaneRelation relation = RelationOf(first, second, &cuts, &used);
  TriangleContact contact;
  if (relation == PlaneRelation::kCrossing) {
    contact = CommonInterval(cuts, &used);
  } else if (relation == PlaneRelation::kOnePlane) {
    const auto in = ProjectionOf(first, second, &used);
    contact = in.has_value() ? ContactInPlane(first, second, *in, &used)
                             : exact::ContactOf(first, second, &used);
  }
  Count(used, counts);
  return contact;
}

TriangleContact ContactOf(const Segment& s, const Triangle& t,
                          ArithmeticCounts* counts) {
  TriangleContact contact;
  Arithmetic used = Arithmetic::kDouble;
  if (Overlaps(BoundsOf(s), BoundsOf(t))) {
    const Triangle triangle = Sorted(t);
    const Segment segment = IsBefore(s.b, s.a) ? Segment{s.b, s.a} : s;
    const SegmentCut cut = CutOf(segment, triangle, &used);
    if (cut.is_one_plane) {
      contact =
          exact::ContactOf({segment.a, segment.b, segment.b}, triangle, &used);
    } else if (cut.overlaps) {
      contact.Add(PointOf(cut, segment, triangle, &used));
    }
  }
  Count(used, counts);
  return contact;
}

bool Overlaps(const Segment& s, const Triangle& t, ArithmeticCounts* counts) {
  Arithmetic used = Arithmetic::kDouble;
  bool overlaps = false;
  if (Overlaps(BoundsOf(s), BoundsOf(t))) {
    const SegmentCut cut = CutOf(s, t, &used);
    if (cut.is_one_plane) {
      ArithmeticCounts contact;
      overlaps = !ContactOf(s, t, &contact).IsEmpty();
      Raise(&used, contact.Highest());
    } else {
      overlaps = cut.overlaps;
    }
  }
  Count(used, counts);
  return overlaps;
}

bool Contains(const Triangle& t, const Vec3& p, ArithmeticCounts* counts) {
  Arithmetic used = Arithmetic::kDouble;
  bool contains = false;
  if (Overlaps(Aabb{p, p}, BoundsOf(t)) &&
      Orient3d(t.a, t.b, t.c, p, &used) == 0) {
    contains = ContainsInPlane(t, p, &used);
  }
  Count(used, counts);
  return contains;
}

}  // namespace orbox
