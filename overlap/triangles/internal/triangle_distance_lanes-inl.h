// SPDX-License-Identifier: Apache-2.0

// Certified bounds, in float, of the distance from one triangle to each of
// eight. Lower and upper bound mostly differ only by rounding errors.
//
//   TriangleDistanceBounds d = DistanceOfTriangles(s_row, lane, t_row, error);
//   uint32_t maybe = Bits(d.lower <= Set8(limit));
//
// The closest points are searched among all pairs of edges and all corners over
// faces. All points found there are on the triangles, so they give an upper
// bound. The gap between the triangles' projections on the direction between
// the two points gives a lower bound. `closest` is the code of the features
// that contain the points (closest_feature.h). `error` bounds the sum of the
// errors of a coordinate in both triangles. The bounds hold for the exact
// triangles. A lower bound may be negative. Private; compiled once per
// instruction set (lanes-inl.h).
#if defined(                                                            \
    ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_DISTANCE_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_DISTANCE_LANES_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_DISTANCE_LANES_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_DISTANCE_LANES_INL_H_
#endif

#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/closest_feature.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

struct TriangleDistanceBounds {
  F8 lower;
  F8 upper;
  F8 closest;
};

TriangleDistanceBounds DistanceOfTriangles(const TriangleRow& s, int lane,
                                           const TriangleRow& t, float error);

// Implementation.

// Returns 1 / a. Returns 0 if a is so small that squares have lost their
// digits.
HWY_INLINE F8 InverseOrZero(const F8& a) {
  const M8 usable = a >= Set8(kShortestSquared);
  return Select(usable, Set8(1.0f) / Select(usable, a, Set8(1.0f)), Zero8());
}

HWY_INLINE F8 Clamp01(const F8& a) { return Min(Max(a, Zero8()), Set8(1.0f)); }

// The shortest vector found so far from a point of s to a point of t.
struct ShortestWay {
  V8 way;
  F8 squared;
  F8 feature = Zero8();  // the code of its pair of features

  HWY_INLINE void Offer(const V8& other, ClosestFeature as) {
    const F8 length = Dot(other, other);
    const M8 shorter = length < squared;
    way = Select(shorter, other, way);
    feature = Select(shorter, Set8(static_cast<float>(as.code)), feature);
    squared = Min(squared, length);
  }
  HWY_INLINE void OfferWhere(const M8& valid, const V8& other,
                             ClosestFeature as) {
    const F8 length = Select(valid, Dot(other, other), squared);
    const M8 shorter = length < squared;
    way = Select(shorter, other, way);
    feature = Select(shorter, Set8(static_cast<float>(as.code)), feature);
    squared = Min(squared, length);
  }
};

// A triangle's edges, from each corner to the next.
struct EdgeLanes {
  V8 start[3];
  V8 edge[3];
  F8 squared[3];
  F8 inverse[3];  // of the squared length; 0 if it is too small

  HWY_INLINE explicit EdgeLanes(const T8& t)
      : start{t.a, t.b, t.c}, edge{t.b - t.a, t.c - t.b, t.a - t.c} {
    for (int i = 0; i < 3; ++i) {
      squared[i] = Dot(edge[i], edge[i]);
      inverse[i] = InverseOrZero(squared[i]);
    }
  }
};

// Returns the vector from the closest point of edge i of s to that of edge j of
// t. Ericson, "Real-Time Collision Detection", 5.1.9, with clamps instead of
// branches.
HWY_INLINE V8 WayBetweenEdges(const EdgeLanes& s, int i, const EdgeLanes& t,
                              int j) {
  const V8& d = s.edge[i];
  const V8& e = t.edge[j];
  const V8 w = t.start[j] - s.start[i];
  const F8 de = Dot(d, e);
  const F8 dw = Dot(d, w);
  const F8 ew = Dot(e, w);
  const F8 area = s.squared[i] * t.squared[j] - de * de;
  const F8 on_line =
      Clamp01((dw * t.squared[j] - de * ew) * InverseOrZero(area));
  const F8 v = Clamp01((on_line * de - ew) * t.inverse[j]);
  const F8 u = Clamp01((dw + v * de) * s.inverse[i]);
  return w + e * v - d * u;
}

// The face of one triangle. Finds the closest point of the face to corners of
// the other triangle that are over it.
struct FaceLanes {
  V8 base;
  V8 ab;
  V8 ac;
  V8 to_v;  // products with a point give its coefficients
  V8 to_w;

  HWY_INLINE explicit FaceLanes(const T8& t)
      : base(t.a), ab(t.b - t.a), ac(t.c - t.a) {
    const V8 n = Cross(ab, ac);
    const F8 inverse = InverseOrZero(Dot(n, n));
    to_v = Cross(ac, n) * inverse;
    to_w = Cross(n, ab) * inverse;
  }

  // Returns the vector from the face to the point. Sets *is_over to true if the
  // point is over the face. The vector is valid only there.
  HWY_INLINE V8 WayTo(const V8& p, M8* is_over) const {
    const V8 r = p - base;
    const F8 v = Dot(r, to_v);
    const F8 w = Dot(r, to_w);
    *is_over = (v >= Zero8()) & (w >= Zero8()) & (v + w <= Set8(1.0f));
    return r - ab * v - ac * w;
  }
};

HWY_INLINE TriangleDistanceBounds DistanceOfTriangles(const TriangleRow& s,
                                                      int lane,
                                                      const TriangleRow& t,
                                                      float error) {
  // All points are relative to the first corner of s.
  const auto s_corner = [&](int row) HWY_ATTR {
    return V8{Set8(s.corners[row][lane]), Set8(s.corners[row + 1][lane]),
              Set8(s.corners[row + 2][lane])};
  };
  const V8 zero = {Zero8(), Zero8(), Zero8()};
  const V8 origin = s_corner(0);
  const T8 e = {zero, s_corner(3) - origin, s_corner(6) - origin};
  const T8 f = {Load8x3(t.corners) - origin, Load8x3(t.corners + 3) - origin,
                Load8x3(t.corners + 6) - origin};

  const EdgeLanes e_edges(e);
  const EdgeLanes f_edges(f);
  ShortestWay shortest{zero, Set8(std::numeric_limits<float>::infinity()),
                       Zero8()};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      shortest.Offer(WayBetweenEdges(e_edges, i, f_edges, j),
                     ClosestFeature::Edges(i, j));
    }
  }
  const FaceLanes e_face(e);
  const FaceLanes f_face(f);
  M8 is_over;
  int corner = 0;
  for (const V8& p : {f.a, f.b, f.c}) {
    const V8 way = e_face.WayTo(p, &is_over);
    shortest.OfferWhere(is_over, way, ClosestFeature::OverFirst(corner++));
  }
  corner = 0;
  for (const V8& p : {e.a, e.b, e.c}) {
    const V8 way = f_face.WayTo(p, &is_over);
    shortest.OfferWhere(is_over, zero - way,
                        ClosestFeature::OverSecond(corner++));
  }

  // Differences are of coordinates up to `reach`, and up to twice that, and
  // each is rounded up to three times. For given coefficients on edges or
  // faces, the error of a vector between two points is less than 32 u of that
  // in each coordinate. Dot products with a direction have an error of 7 u of
  // that times the length of the direction. Quotients and roots have 12 u. With
  // the rounding of coefficients whose sum is about 1, 64 u covers either
  // bound.
  const F8 reach = Max(Max(Reach(e.b), Reach(e.c)),
                       Max(Max(Reach(f.a), Reach(f.b)), Reach(f.c)));
  const F8 slack = Set8(1.75f * error) + reach * Set8(32 * kUnit);
  const V8& r = shortest.way;
  const M8 usable = shortest.squared >= Set8(kShortestSquared);
  const F8 length = Sqrt(shortest.squared);
  const F8 near_end = Min(Min(Dot(r, f.a), Dot(r, f.b)), Dot(r, f.c));
  const F8 far_end = Max(Max(Dot(r, e.b), Dot(r, e.c)), Zero8());
  const F8 lower =
      (near_end - far_end) / Select(usable, length, Set8(1.0f)) - slack;
  // If squares underflow, the vector is shorter than the root of the limit.
  return {Select(usable, lower, Zero8()),
          Max(length, Set8(0x1.01p-60f)) + slack, shortest.feature};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_DISTANCE_LANES_INL_H_
