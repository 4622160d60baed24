// SPDX-License-Identifier: Apache-2.0

// Counts the signed crossings of triangles by the segments ("ways") from one
// point to others, in float with an error bound.
//
//   TriangleSides sides;
//   SetSides(LoadTriangles(leaf.rows) - from, reach, error, &sides);
//   WaysAcross ways(points - from);
//   ways.Cross(sides, lane);               // for each triangle
//   F8 sum = ways.sum();
//   uint32_t undecided = ways.undecided();
//
// Private; compiled once per instruction set (lanes-inl.h). The start is the
// origin here. A segment crosses a triangle if its end is on the right side of
// four planes: the plane of the triangle, and the planes through the origin and
// each edge.
#if defined(ORBOX_BVH_QUERY_INSIDE_INTERNAL_WAYS_ACROSS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_INSIDE_INTERNAL_WAYS_ACROSS_INL_H_
#undef ORBOX_BVH_QUERY_INSIDE_INTERNAL_WAYS_ACROSS_INL_H_
#else
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_WAYS_ACROSS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Eight triangles, seen from the origin.
struct TriangleSides {
  // Normals of the planes through the origin and an edge. They point to the
  // side of the triangle. A point is beyond the triangle's plane if the sum of
  // the normals, times the point, is at least `beyond`.
  alignas(32) float normals[9][kLanes];
  alignas(32) float beyond[kLanes];
  // 1 if segments from the origin leave the solid through the triangle's front,
  // -1 if they enter it.
  alignas(32) float sign[kLanes];
  // Error bounds of the volumes. `beyond_error` is infinite if the origin may
  // be in the triangle's plane.
  alignas(32) float volume_error[kLanes];
  alignas(32) float beyond_error[kLanes];
};

// Precomputes the planes of triangles, whose corners are relative to the start.
// `error` bounds the error of each coordinate of a vertex and of the start
// together, without the rounding of their difference. `reach` is an upper bound
// of the coordinates of the points, relative to the start. Points and the start
// are floats, each with an error of at most about 2^-25; a hundredth of it
// covers other roundings.
HWY_INLINE void SetSides(const T8& t, float reach, float error,
                         TriangleSides* sides);

// Eight segments from the origin to points, which are rounded differences of
// floats.
class WaysAcross {
 public:
  HWY_INLINE explicit WaysAcross(const V8& to) : to_(to) {}

  HWY_INLINE void Cross(const TriangleSides& sides, uint32_t lane);

  // Sum of the signs of the crossings of each segment, valid unless float
  // leaves the segment undecided. The end of a decided segment is not on a
  // triangle.
  const F8& sum() const { return sum_; }
  uint32_t undecided() const { return Bits(undecided_); }

 private:
  const V8 to_;
  F8 sum_ = Zero8();
  M8 undecided_ = Zero8() > Zero8();
};

// Implementation.

// With A the largest coordinate of a triangle's corners, D that of the points,
// u = 2^-24 and e = error + u A, the error of a corner's coordinate is e. The
// error of a product of two coordinates is 2 A e + e^2. So the error of a
// normal's coordinate, which is at most 2 A^2, is 4 A e + 2 e^2 and 4 u A^2 of
// rounding. The error of a point's coordinate is h = u (1.01 + D). So the error
// of a volume, the sum of three products, is
//   3 (D + h) (4 A e + 2 e^2 + 4 u A^2) + 6 h A^2 + 18 u D A^2,
// and the error of the volume of the origin and the triangle, with A for D and
// e for h, is
//   3 (A + e) (4 A e + 2 e^2 + 4 u A^2) + 6 e A^2 + 18 u A^3.
// Sums of these add roundings of 54 u D A^2 + 6 u A^3. The factors below are
// slightly larger, to cover terms in u^2 and about twelve roundings.
HWY_INLINE void SetSides(const T8& t, float reach, float error,
                         TriangleSides* sides) {
  const F8 zero = Zero8();
  const F8 size = Max(Max(Reach(t.a), Reach(t.b)), Reach(t.c));
  const F8 e = Set8(error) + size * Set8(kFloatRoundoff * 1.01f);
  const F8 area = size * size;
  const F8 normal_error = size * e * Set8(12.1f) + e * e * Set8(6.1f) +
                          area * Set8(12.1f * kFloatRoundoff);
  const F8 volume_error = Set8(reach + 0x1p-22f) * normal_error +
                          area * Set8(kFloatRoundoff * (6.2f + reach * 24.5f));
  const F8 own_error = (size + e) * normal_error + area * e * Set8(6.2f) +
                       area * size * Set8(18.5f * kFloatRoundoff);
  const F8 beyond_error = volume_error * Set8(3.01f) + own_error * Set8(1.01f) +
                          area * (Set8(55 * kFloatRoundoff * reach) +
                                  size * Set8(6.2f * kFloatRoundoff));
  const V8 ab = Cross(t.a, t.b);
  const V8 bc = Cross(t.b, t.c);
  const V8 ca = Cross(t.c, t.a);
  const F8 volume = Dot(t.a, bc);
  const F8 sign = Select(volume < zero, Set8(-1.0f), Set8(1.0f));
  const F8 beyond = volume * sign;
  const V8 normals[3] = {ab * sign, bc * sign, ca * sign};
  for (size_t i = 0; i < 3; ++i) {
    Store8(normals[i].x, sides->normals[3 * i]);
    Store8(normals[i].y, sides->normals[3 * i + 1]);
    Store8(normals[i].z, sides->normals[3 * i + 2]);
  }
  Store8(beyond, sides->beyond);
  Store8(sign, sides->sign);
  Store8(volume_error, sides->volume_error);
  Store8(Select(beyond > own_error, beyond_error,
                Set8(std::numeric_limits<float>::infinity())),
         sides->beyond_error);
}

HWY_INLINE void WaysAcross::Cross(const TriangleSides& sides, uint32_t lane) {
  const auto volume = [&](size_t edge) HWY_ATTR {
    return to_.x * Set8(sides.normals[3 * edge][lane]) +
           to_.y * Set8(sides.normals[3 * edge + 1][lane]) +
           to_.z * Set8(sides.normals[3 * edge + 2][lane]);
  };
  const F8 u = volume(0);
  const F8 v = volume(1);
  const F8 w = volume(2);
  const F8 beyond = (u + v + w) - Set8(sides.beyond[lane]);
  const F8 lowest = Min(Min(u, v), w);
  const F8 highest = Max(Max(u, v), w);
  const F8 error = Set8(sides.volume_error[lane]);
  const F8 beyond_error = Set8(sides.beyond_error[lane]);
  const F8 zero = Zero8();
  // If volumes have different signs, the line misses the triangle.
  const M8 misses = (beyond < zero - beyond_error) |
                    ((lowest < zero - error) & (highest > error));
  const M8 crosses = (beyond > beyond_error) & (lowest > error);
  sum_ = sum_ + Select(crosses, Set8(sides.sign[lane]), zero);
  undecided_ = undecided_ | !(misses | crosses);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_WAYS_ACROSS_INL_H_
