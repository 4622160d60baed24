// SPDX-License-Identifier: Apache-2.0

// Tests of a ball that moves along a ray against eight triangles at once, in
// float. Finds the triangles that the ball certainly misses, and bounds the
// time of contact with the others. Long, thin triangles fill little of their
// boxes, so tests of boxes reject few of them.
//
//   BallSpan span = SpanOfBall(view, radius, leaf.rows);
//   uint32_t touched = ~Bits(span.misses) & Bits(span.near <= span.far);
//
// Private; compiled once per instruction set. Errors are in units of u = 2^-24.
// The view and its errors are those of ray_lanes-inl.h.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_LANES_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_LANES_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_LANES_INL_H_
#endif

#include <cmath>
#include <cstddef>
#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/ray_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

struct BallSpan {
  M8 misses;  // certainly missed, by the whole line
  // Bounds of the interval in which the ball touches the triangle's plane.
  F8 near;
  F8 far;
};

// Requires an upper bound of the radius.
BallSpan SpanOfBall(const RayView& ray, float radius,
                    const float (*HWY_RESTRICT rows)[8]);

// Implementation.

// A triangle in the ray's view: x and y sheared, s along the ray.
struct SeenTriangles {
  F8 x[3];
  F8 y[3];
  F8 s[3];
  F8 weight[3];  // of the corners, as in RayAgainstTriangles
  F8 whole;      // the sum of the three weights
  F8 error;      // error bound of a weight
};

HWY_INLINE SeenTriangles SeeTriangles(const RayView& ray,
                                      const float (*HWY_RESTRICT rows)[8]) {
  SeenTriangles t;
  for (size_t i = 0; i < 3; ++i) {
    const F8 z = Load8(rows[3 * i + ray.axis[2]]) - Set8(ray.origin[2]);
    t.x[i] = (Load8(rows[3 * i + ray.axis[0]]) - Set8(ray.origin[0])) -
             Set8(ray.shear[0]) * z;
    t.y[i] = (Load8(rows[3 * i + ray.axis[1]]) - Set8(ray.origin[1])) -
             Set8(ray.shear[1]) * z;
    t.s[i] = z * Set8(ray.inverse_z);
  }
  F8 size = Zero8();
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    t.weight[i] = t.x[k] * t.y[j] - t.y[k] * t.x[j];
    size = Max(size, Max(Abs(t.x[i]), Abs(t.y[i])));
  }
  t.whole = t.weight[0] + t.weight[1] + t.weight[2];
  t.error = size * (size * Set8(5 * 0x1p-24f) + Set8(ray.weight_slope)) +
            Set8(ray.weight_error);
  return t;
}

// Returns true if the line passes an edge, or the corner opposite to it, at a
// distance above the radius. In the ray's view, the ball extends r |(n, n .
// shear)| along n. Let e = xy_error. The edge has an error of 2 e in each
// coordinate and the last coordinate one of 4 e, so their length has 4.9 e. The
// weight has an error of `error`. The sum of three weights, with its roundings,
// has 5.5 times `error`, and the difference 1.6 times.
HWY_INLINE M8 PassesBeside(const RayView& ray, float radius,
                           const SeenTriangles& t) {
  const F8 allowed = t.error * Set8(8.5f) + Set8(radius * 5.2f * ray.xy_error);
  const F8 enlarged = Set8(radius * (1 + 0x1p-20f));
  const F8 lowest = Min(t.whole, Zero8()) - allowed;
  const F8 highest = Max(t.whole, Zero8()) + allowed;
  const auto passes = [&](size_t i) HWY_ATTR {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    const F8 x = t.x[k] - t.x[j];
    const F8 y = t.y[k] - t.y[j];
    const F8 along = Set8(ray.shear[0]) * y - Set8(ray.shear[1]) * x;
    const F8 margin = enlarged * Sqrt(x * x + y * y + along * along);
    return (t.weight[i] < lowest - margin) | (t.weight[i] > highest + margin);
  };
  return passes(0) | passes(1) | passes(2);
}

// Returns the normal's length as an upper bound. A corner has an error of at
// most e / 2. An edge has an error of e and a relative one of u. Let m be the
// largest coordinate of the two edges. Each coordinate of the normal has errors
// of 4 e m, 2 e^2 and 6 u m^2, and its length sqrt(3) times their sum.
HWY_INLINE F8 NormalOf(const RayView& ray,
                       const float (*HWY_RESTRICT rows)[8]) {
  const V8 a = Load8x3(rows);
  const V8 e = Load8x3(rows + 3) - a;
  const V8 f = Load8x3(rows + 6) - a;
  const F8 size = Max(Max(Max(Abs(e.x), Abs(e.y)), Max(Abs(e.z), Abs(f.x))),
                      Max(Abs(f.y), Abs(f.z)));
  const V8 n = Cross(e, f);
  return Sqrt(Dot(n, n)) * Set8(1 + 0x1p-20f) +
         size * (size * Set8(12 * 0x1p-24f) + Set8(8 * ray.xy_error)) +
         Set8(4 * ray.xy_error * ray.xy_error);
}

// The line crosses the plane at s[0] + q, where q is the sum of weight[i] (s[i]
// - s[0]) divided by `whole`. The ball touches the plane earlier, by radius |n|
// / (n . direction). Let g = s_slack / 2 be the error of s. The numerator has
// an error of 2 errors times the range of s, and one of 2 g + 5 u of the range
// times the weights. q has this error, and 5.5 errors times q, divided by the
// exact sum.
HWY_INLINE BallSpan SpanOfBall(const RayView& ray, float radius,
                               const float (*HWY_RESTRICT rows)[8]) {
  const SeenTriangles t = SeeTriangles(ray, rows);
  const F8 p = t.s[1] - t.s[0];
  const F8 q = t.s[2] - t.s[0];
  const F8 range = Max(Abs(p), Abs(q));
  const F8 error_bound = t.error * Set8(5.6f);
  const F8 size = Abs(t.whole);
  M8 is_known = size > error_bound + error_bound;
  const F8 inverse =
      Set8(1 + 0x1p-20f) / Select(is_known, size - error_bound, Set8(1.0f));
  const F8 way = (t.weight[1] * p + t.weight[2] * q) /
                 Select(is_known, t.whole, Set8(1.0f));
  const F8 weights = Abs(t.weight[1]) + Abs(t.weight[2]);
  const F8 off =
      Set8(2.2f) * range * t.error +
      weights * (range * Set8(6 * 0x1p-24f) + Set8(1.1f * ray.s_slack)) +
      Abs(way) * error_bound;
  const F8 reach = NormalOf(ray, rows) *
                   Set8(radius * std::abs(ray.inverse_z) * (1 + 0x1p-20f));
  const F8 half = (off + reach) * inverse * Set8(1 + 0x1p-20f) +
                  Abs(way) * Set8(0x1p-20f) + Set8(ray.s_slack);
  const F8 at = t.s[0] + way;
  // Sums near the limits of the range are also unknown.
  is_known = is_known & (Abs(way) < Set8(0x1p60f)) & (half < Set8(0x1p60f));
  const F8 none = Set8(std::numeric_limits<float>::infinity());
  return {PassesBeside(ray, radius, t), Select(is_known, at - half, -none),
          Select(is_known, at + half, none)};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_LANES_INL_H_
