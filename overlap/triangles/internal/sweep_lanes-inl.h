// SPDX-License-Identifier: Apache-2.0

// A ball that moves along a ray against eight triangles at once, in float:
// which it certainly misses, and how soon it may touch the others. Boxes say
// less of triangles that are long and thin.
//
//   BallSpan span = SpanOfBall(view, radius, leaf.rows);
//   uint32_t touched = ~Bits(span.misses) & Bits(span.near <= span.far);
//
// Private; compiled once per instruction set. Errors are in units of u = 2^-24;
// the view and its errors are those of ray_lanes-inl.h.
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
  M8 misses;  // certainly, the whole line
  // The ball touches the triangle's plane from no sooner to no later.
  F8 near;
  F8 far;
};

// `radius` may be too large, but not too small.
BallSpan SpanOfBall(const RayView& ray, float radius,
                    const float (*HWY_RESTRICT rows)[8]);

// Implementation.

// A triangle as the ray sees it: x and y sheared, s along the ray; `cross` is
// twice the area, three times the weights' sum.
struct SeenTriangles {
  F8 x[3];
  F8 y[3];
  F8 s[3];
  F8 weight[3];  // of the corners, as RayAgainstTriangles has them
  F8 whole;      // their sum
  F8 error;      // of a weight
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

// Whether the line passes an edge, or the corner across from it, by more than
// the radius: seen along the ray, the ball reaches r |(n, n . shear)| along n.
// With e = xy_error, the edge is off by 2 e in each coordinate and the last
// one by 4 e, their length by 4.9 e; the weight by `error`, the sum of three
// with its roundings by 5.5 of them, and the difference by 1.6.
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

// The length of the normal, and no less. A corner is off by e / 2 at most, an
// edge by e and u of itself; with m for the largest coordinate of two edges,
// each of the normal's by 4 e m, 2 e^2 and 6 u m^2, its length by sqrt(3) times
// that.
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

// The plane is met at s[0] + q, where q is the sum of weight[i] (s[i] - s[0])
// over `whole`, and touched from radius |n| / (n . direction) before. With g =
// s_slack / 2 for what s is off by: the numerator is off by 2 errors times the
// range of s, and by 2 g + 5 u of the range times the weights; q by that, and
// by 5.5 errors times q, over the true sum.
HWY_INLINE BallSpan SpanOfBall(const RayView& ray, float radius,
                               const float (*HWY_RESTRICT rows)[8]) {
  const SeenTriangles t = SeeTriangles(ray, rows);
  const F8 p = t.s[1] - t.s[0];
  const F8 q = t.s[2] - t.s[0];
  const F8 range = Max(Abs(p), Abs(q));
  const F8 doubt = t.error * Set8(5.6f);
  const F8 size = Abs(t.whole);
  M8 is_known = size > doubt + doubt;
  const F8 inverse =
      Set8(1 + 0x1p-20f) / Select(is_known, size - doubt, Set8(1.0f));
  const F8 way = (t.weight[1] * p + t.weight[2] * q) /
                 Select(is_known, t.whole, Set8(1.0f));
  const F8 weights = Abs(t.weight[1]) + Abs(t.weight[2]);
  const F8 off =
      Set8(2.2f) * range * t.error +
      weights * (range * Set8(6 * 0x1p-24f) + Set8(1.1f * ray.s_slack)) +
      Abs(way) * doubt;
  const F8 reach = NormalOf(ray, rows) *
                   Set8(radius * std::abs(ray.inverse_z) * (1 + 0x1p-20f));
  const F8 half = (off + reach) * inverse * Set8(1 + 0x1p-20f) +
                  Abs(way) * Set8(0x1p-20f) + Set8(ray.s_slack);
  const F8 at = t.s[0] + way;
  // Neither are sums beyond all measure.
  is_known = is_known & (Abs(way) < Set8(0x1p60f)) & (half < Set8(0x1p60f));
  const F8 none = Set8(std::numeric_limits<float>::infinity());
  return {PassesBeside(ray, radius, t), Select(is_known, at - half, -none),
          Select(is_known, at + half, none)};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_LANES_INL_H_
