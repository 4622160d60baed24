// SPDX-License-Identifier: Apache-2.0

// A ray against eight boxes, spheres or triangles at once, for pruning and
// filtering in ray casts.
//
//   RaySpanLanes span = SpanInBoxes(slabs, node.rows);
//   uint32_t hit = Bits(span.near <= span.far);
//
// Private; compiled once per instruction set (lanes-inl.h). Boxes are rows lo
// x, y, z, hi x, y, z. Spheres are rows center x, y, z, radius. Triangles are
// rows a.x, a.y, a.z, b.x, ..., c.z. The ray is origin + s * direction, s >= 0,
// in the rows' frame and in float. The caller bounds its distance to the exact
// ray: `error` bounds the difference in each coordinate, for all points of the
// two rays near the volumes of the rows. Errors are in units of u = 2^-24.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_LANES_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_LANES_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_LANES_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/internal/lanes/point_lanes-inl.h"
#include "orbox/overlap/shapes/matrix3.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// An enclosure of the ray's span in each volume. `near` is a lower bound of the
// parameter at which the ray enters, `far` an upper bound of the one at which
// it leaves. near > far only if the ray certainly misses.
struct RaySpanLanes {
  F8 near;
  F8 far;
};

// The ray prepared for planes at right angles to the axes.
struct RaySlabs {
  // Offset, in floats, of the row (lo or hi) of the planes that are hit first
  // on each axis. From the fifth entry on, the offset of the other row.
  alignas(32) uint32_t at[8];
  // The origin, moved by the error: backward for the first plane, and forward
  // for the second. The effect is that of larger boxes.
  alignas(16) float near_origin[4];
  alignas(16) float far_origin[4];
  alignas(16) float near_inverse[4];
  alignas(16) float far_inverse[4];

  // Requires |direction| >= kLeastDirection in each coordinate, and error > 0.
  void Set(const F4& origin, const F4& direction, float error);
};

// Shorter direction coordinates are replaced by this one. For a ray of length
// below 2^14, this changes no hit if the error includes 2^-26.
inline constexpr float kLeastDirection = 0x1p-40f;

// Returns the span of the exact ray, only for s >= 0.
RaySpanLanes SpanInBoxes(const RaySlabs& ray,
                         const float (*HWY_RESTRICT rows)[8]);

// SpanInBoxes for boxes that are given in a rotated frame. The origin and
// direction of the ray are given outside of that frame. `error` > 0 bounds the
// error of the rotated ray.
RaySpanLanes SpanInTurnedBoxes(const Matrix3<float>& frame,
                               const float origin[3], const float direction[3],
                               float error,
                               const float (*HWY_RESTRICT rows)[8]);

// The ray prepared for spheres.
struct RayAxis {
  float origin[3];
  float unit[3];      // the direction
  float inverse = 1;  // 1 / length of the direction
  float slack = 0;    // covers all errors in coordinates
  float s_slack = 0;  // covers all errors in s

  // Requires a direction whose largest coordinate is in [1, 2). `reach` must
  // bound the coordinates of centres relative to the origin.
  void Set(const float from[3], const float direction[3], float error,
           float reach);
};

RaySpanLanes SpanInSpheres(const RayAxis& ray,
                           const float (*HWY_RESTRICT rows)[8]);

// The ray prepared for triangles. They are projected along the direction; z is
// the axis of its largest coordinate (Woop, Benthin, Wald, "Watertight
// ray/triangle intersection", JCGT 2(1), 2013).
struct RayView {
  size_t axis[3];  // x, y, z
  float origin[3];
  float shear[2];
  float inverse_z = 1;  // 1 / direction z
  float xy_error = 0;   // of a sheared coordinate
  float s_slack = 0;    // twice the error of s at a vertex
  // Error bound of a weight: weight_slope times the size of the coordinates,
  // plus weight_error.
  float weight_slope = 0;
  float weight_error = 0;

  // `error` bounds the sum of the errors of the origin and of a vertex. `reach`
  // bounds the coordinates of vertices relative to the origin.
  void Set(const float from[3], const double direction[3], float error,
           float reach);
};

struct RayHits8 {
  uint32_t sure;   // certainly hit by the line, not on an edge
  uint32_t maybe;  // possibly hit, not certain
  // Bounds of s at the hit, for `sure` and `maybe`.
  F8 low;
  F8 high;
  // For `sure` only: approximate s, and approximate weights of b and c.
  F8 s;
  F8 v;
  F8 w;
  // Lanes of `sure` whose normal points along the ray's largest axis.
  uint32_t along = 0;
  // Lanes of `maybe` in which the line certainly crosses the plane.
  uint32_t crossed = 0;
};

// Returns hits at any s, also behind the origin. `used()` returns the mask of
// the lanes to test. It is called only if some lane may be hit.
template <typename Used>
RayHits8 RayAgainstTriangles(const RayView& ray,
                             const float (*HWY_RESTRICT rows)[8], Used used);

// Implementation.

// Both ends of a span have a relative error of 3 u: the difference, the
// quotient and the product. kLater widens the far end, so that rounding never
// puts it before the near end.
inline constexpr float kLater = 1 + 0x1p-20f;

// Offsets of the rows of the planes that are hit first. The index consists of
// the signs of the direction, one bit each. The rows of lo are 0 to 2, those of
// hi 3 to 5.
struct RowsMet {
  constexpr RowsMet() {
    for (uint32_t signs = 0; signs < 8; ++signs) {
      for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t first = k + (signs >> k & 1) * 3;
        at[signs][k] = 8 * first;
        at[signs][k + 4] = 8 * (2 * k + 3 - first);
      }
    }
  }

  alignas(32) uint32_t at[8][8] = {};
};
inline constexpr RowsMet kRowsMet;

HWY_INLINE void RaySlabs::Set(const F4& origin, const F4& direction,
                              float error) {
  // Has no branches, because signs are unpredictable.
  const auto is_back = direction < F4(0.0f);
  const F4 forward = Select(is_back, F4(-error), F4(error));
  const F4 inverse = F4(1.0f) / direction;
  Load8(kRowsMet.at[Bits(is_back) & 7]).Store(at);
  (origin + forward).Store(near_origin);
  (origin - forward).Store(far_origin);
  inverse.Store(near_inverse);
  (inverse * F4(kLater)).Store(far_inverse);
}

HWY_INLINE RaySpanLanes SpanInBoxes(const RaySlabs& ray,
                                    const float (*HWY_RESTRICT rows)[8]) {
  // The rows are contiguous.
  const float* HWY_RESTRICT const first = *rows;
  const auto near = [&](int k) HWY_ATTR {
    return (Load8(first + ray.at[k]) - Set8(ray.near_origin[k])) *
           Set8(ray.near_inverse[k]);
  };
  const auto far = [&](int k) HWY_ATTR {
    return (Load8(first + ray.at[k + 4]) - Set8(ray.far_origin[k])) *
           Set8(ray.far_inverse[k]);
  };
  return {Max(Max(near(0), near(1)), near(2)),
          Min(Min(far(0), far(1)), far(2))};
}

// The sign of the rotated direction does not change the order of the planes.
HWY_INLINE RaySpanLanes SpanInTurnedBoxes(const Matrix3<float>& frame,
                                          const float origin[3],
                                          const float direction[3], float error,
                                          const float (*HWY_RESTRICT rows)[8]) {
  const Vec3Of<F4> columns = ColumnsOf(frame);
  const auto turned = [&](const float v[3]) HWY_ATTR {
    return columns.x * F4(v[0]) + columns.y * F4(v[1]) + columns.z * F4(v[2]);
  };
  const F4 o = turned(origin);
  const F4 d = turned(direction);
  const F4 least = kLeastDirection;
  const F4 inverse = F4(1.0f) / Select(Abs(d) >= least, d, least);
  // The effect is that of larger boxes.
  const F4 lo_origin = o + F4(error);
  const F4 hi_origin = o - F4(error);
  const auto planes = [&]<size_t k>() HWY_ATTR {
    const F8 along = Splat<k>(inverse);
    const F8 lo = (Load8(rows[k]) - Splat<k>(lo_origin)) * along;
    const F8 hi = (Load8(rows[k + 3]) - Splat<k>(hi_origin)) * along;
    return RaySpanLanes{Min(lo, hi), Max(lo, hi)};
  };
  const RaySpanLanes x = planes.template operator()<0>();
  const RaySpanLanes y = planes.template operator()<1>();
  const RaySpanLanes z = planes.template operator()<2>();
  return {Max(Max(x.near, y.near), z.near),
          Min(Min(x.far, y.far), z.far) * Set8(kLater)};
}

HWY_INLINE void RayAxis::Set(const float from[3], const float direction[3],
                             float error, float reach) {
  const double length =
      std::sqrt(static_cast<double>(direction[0]) * direction[0] +
                static_cast<double>(direction[1]) * direction[1] +
                static_cast<double>(direction[2]) * direction[2]);
  for (int k = 0; k < 3; ++k) {
    origin[k] = from[k];
    unit[k] = static_cast<float>(direction[k] / length);
  }
  inverse = static_cast<float>(1 / length);
  // Let L = reach. The offset of a centre has an error of u L in each
  // coordinate. Its product with the unit vector has an error of 8 u L. The
  // orthogonal part has an error of 11 u L in each coordinate, which is less
  // than 20 u L as a vector.
  slack = 1.75f * error + 24 * 0x1p-24f * reach;
  // The ends of a span are at most 4 L away. They have absolute errors of 8 u L
  // and relative errors of 2 u.
  s_slack = 24 * 0x1p-24f * reach;
}

HWY_INLINE RaySpanLanes SpanInSpheres(const RayAxis& ray,
                                      const float (*HWY_RESTRICT rows)[8]) {
  const V8 unit = Set8x3(ray.unit);
  const V8 v = Load8x3(rows) - Set8x3(ray.origin);
  const F8 along = Dot(v, unit);
  const V8 across = v - unit * along;
  const F8 radius = Load8(rows[3]) + Set8(ray.slack);
  // Squares and their difference have errors of 5 u times the squared radius.
  const F8 squared = radius * radius * Set8(1 + 0x1p-20f) - Dot(across, across);
  const M8 meets = squared >= Zero8();
  const F8 half = Sqrt(Select(meets, squared, Zero8()));
  const F8 inverse = Set8(ray.inverse);
  const F8 slack = Set8(ray.s_slack);
  const F8 near = (along - half) * inverse - slack;
  const F8 far = (along + half) * inverse + slack;
  return {near, Select(meets, far, near - Set8(1.0f))};
}

HWY_INLINE void RayView::Set(const float from[3], const double direction[3],
                             float error, float reach) {
  const double x_size = std::abs(direction[0]);
  const double y_size = std::abs(direction[1]);
  const double z_size = std::abs(direction[2]);
  // Has no branches, because their outcomes are unpredictable.
  const size_t y_is_larger = y_size > x_size;
  const size_t z_is_largest = z_size > std::max(x_size, y_size);
  const size_t z = y_is_larger + z_is_largest * (2 - y_is_larger);
  constexpr size_t kNext[3] = {1, 2, 0};
  axis[0] = kNext[z];
  axis[1] = kNext[kNext[z]];
  axis[2] = z;
  const double inverse = 1 / direction[z];
  for (size_t k = 0; k < 3; ++k) origin[k] = from[axis[k]];
  for (size_t k = 0; k < 2; ++k) {
    shear[k] = static_cast<float>(direction[axis[k]] * inverse);
  }
  inverse_z = static_cast<float>(inverse);
  // Let L = reach. Differences have an error of `error` and u L. The shear is
  // at most 1 and has an error of u / 2. Its product with z has an error of u
  // L, and the result, which is at most 2 L, one of 2 u L. The sum is 2 error +
  // 5.5 u L. Along z, errors are those of the difference, u / 2 for the
  // inverse, which is at most 1, and u L for the product.
  xy_error = 2 * error + 6 * 0x1p-24f * reach;
  const float z_error = error + 3 * 0x1p-24f * reach;
  s_slack = 2 * z_error + xy_error;
  // Let m be the size and e = xy_error. The errors of the four factors of a
  // weight contribute 4 e m + 2 e^2, and its own rounding 4 u m^2.
  weight_slope = 4.25f * xy_error;
  weight_error = 3 * xy_error * xy_error;
}

template <typename Used>
HWY_INLINE RayHits8 RayAgainstTriangles(const RayView& ray,
                                        const float (*HWY_RESTRICT rows)[8],
                                        Used used) {
  const F8 shear_x = Set8(ray.shear[0]);
  const F8 shear_y = Set8(ray.shear[1]);
  F8 x[3];
  F8 y[3];
  F8 z[3];
  for (size_t i = 0; i < 3; ++i) {
    z[i] = Load8(rows[3 * i + ray.axis[2]]) - Set8(ray.origin[2]);
    x[i] = (Load8(rows[3 * i + ray.axis[0]]) - Set8(ray.origin[0])) -
           shear_x * z[i];
    y[i] = (Load8(rows[3 * i + ray.axis[1]]) - Set8(ray.origin[1])) -
           shear_y * z[i];
  }
  // The weights of the vertices: twice the areas of the triangles between each
  // edge and the ray, which is the origin in this projection.
  const F8 u = x[2] * y[1] - y[2] * x[1];
  const F8 v = x[0] * y[2] - y[0] * x[2];
  const F8 w = x[1] * y[0] - y[1] * x[0];
  const F8 size = Max(Max(Max(Abs(x[0]), Abs(y[0])), Max(Abs(x[1]), Abs(y[1]))),
                      Max(Abs(x[2]), Abs(y[2])));
  const F8 error = size * (size * Set8(5 * 0x1p-24f) + Set8(ray.weight_slope)) +
                   Set8(ray.weight_error);
  const F8 lowest = Min(Min(u, v), w);
  const F8 highest = Max(Max(u, v), w);
  // The error is available last, so it is compared last.
  const M8 misses = Min(highest, -lowest) > error;
  const F8 zero = Zero8();
  uint32_t lanes = ~Bits(misses) & 0xff;
  if (lanes == 0) return {0, 0, zero, zero, zero, zero, zero};
  lanes &= used();
  if (lanes == 0) return {0, 0, zero, zero, zero, zero, zero};

  const M8 is_sure = Max(lowest, -highest) > error;
  const uint32_t sure = lanes & Bits(is_sure);
  uint32_t maybe = lanes & ~sure;
  uint32_t crossed = 0;
  if (maybe != 0) {
    // The triangle is seen edge-on, or has no area. Its bounding box is still
    // tested.
    const F8 e = Set8(ray.xy_error);
    const auto beyond = [&](const F8(&c)[3]) HWY_ATTR {
      return (Min(Min(c[0], c[1]), c[2]) > e) |
             (Max(Max(c[0], c[1]), c[2]) < zero - e);
    };
    maybe &= ~Bits(beyond(x) | beyond(y));
    // The error of the sum of three weights, including its roundings, is 5.5
    // times `error`.
    crossed = maybe & Bits(Abs(u + v + w) > error * Set8(6.0f));
  }
  for (F8& c : z) c = c * Set8(ray.inverse_z);
  F8 low = Min(Min(z[0], z[1]), z[2]);
  F8 high = Max(Max(z[0], z[1]), z[2]);
  const F8 slack = Set8(ray.s_slack);
  if (sure == 0) {
    return {sure, maybe, low - slack, high + slack, zero,
            zero, zero,  0,           crossed};
  }
  // s is the mean of z, with weights that have errors of `error` each. Let S be
  // the sum of the exact weights. The error of s is at most 6 errors / S times
  // half the range of z, and at most the range. S is at least half the sum of
  // the computed weights, if that sum is at least 6 errors. The error of the
  // sums here is at most 10 u of the largest |z|, which is less than twice
  // z_error and xy_error.
  const F8 inverse = Set8(1.0f) / Select(is_sure, u + v + w, Set8(1.0f));
  const F8 range = high - low;
  const F8 error_bound = Min(error * range * Set8(6.25f) * Abs(inverse), range);
  const F8 s = (u * z[0] + v * z[1] + w * z[2]) * inverse;
  return {sure,
          maybe,
          Select(is_sure, s - error_bound, low) - slack,
          Select(is_sure, s + error_bound, high) + slack,
          s,
          v * inverse,
          w * inverse,
          sure & Bits(highest < zero),
          crossed};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_LANES_INL_H_
