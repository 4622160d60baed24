// SPDX-License-Identifier: Apache-2.0

// A ray against eight boxes, spheres or triangles at once: what ray casts prune
// and filter with.
//
//   RaySpan span = SpanInBoxes(slabs, node.rows);
//   uint32_t hit = Bits(span.near <= span.far);
//
// Private; compiled once per instruction set (lanes-inl.h). Boxes are rows lo
// x, y, z, hi x, y, z; spheres rows center x, y, z, radius; triangles rows a.x,
// a.y, a.z, b.x, ..., c.z. The ray is origin + s * direction, s >= 0, in the
// rows' frame and in float; where its true course is, is for the caller to
// bound: `error` is how far each coordinate of the one may be from that of the
// other while they are among the rows. Errors are in units of u = 2^-24.
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
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Where the ray is inside of each volume, outward: from no later than it enters
// to no sooner than it leaves, and near > far only where it certainly misses.
struct RaySpan {
  F8 near;
  F8 far;
};

// The ray as planes at right angles to the axes meet it.
struct RaySlabs {
  // Where the row of the planes met first begins, axis by axis, in floats: lo's
  // or hi's; and the other one.
  uint32_t near_at[3];
  uint32_t far_at[3];
  // The origin moved by the error, back for the first plane, and on for the
  // second, which is as if the boxes were larger.
  float near_origin[3];
  float far_origin[3];
  float near_inverse[3];
  float far_inverse[3];

  // Requires |direction| >= kLeastDirection in each coordinate, and error > 0.
  void Set(const float origin[3], const float direction[3], float error);
};

// Directions this short make no difference to what a ray of a length below 2^14
// meets, if the error allows for 2^-26.
inline constexpr float kLeastDirection = 0x1p-40f;

// The span of the true course, for s >= 0 only.
RaySpan SpanInBoxes(const RaySlabs& ray, const float (*HWY_RESTRICT rows)[8]);

// The ray as spheres meet it.
struct RayAxis {
  float origin[3];
  float unit[3];      // the direction
  float inverse = 1;  // 1 / its length
  float slack = 0;    // what makes up for all errors, in coordinates
  float s_slack = 0;  // and in s

  // Requires a direction whose largest coordinate is in [1, 2), and centres
  // within `reach` of the origin in each coordinate.
  void Set(const float from[3], const float direction[3], float error,
           float reach);
};

RaySpan SpanInSpheres(const RayAxis& ray, const float (*HWY_RESTRICT rows)[8]);

// The ray as triangles meet it: seen along the direction, in which z is the
// axis of its largest coordinate (Woop, Benthin, Wald, "Watertight ray/triangle
// intersection", JCGT 2(1), 2013).
struct RayView {
  size_t axis[3];  // x, y, z
  float origin[3];
  float shear[2];
  float inverse_z = 1;  // 1 / direction z
  float xy_error = 0;   // of a sheared coordinate
  float z_error = 0;    // of s at a vertex

  // `error` is that of the origin and of a vertex together; `reach` as above.
  void Set(const float from[3], const double direction[3], float error,
           float reach);
};

struct RayHits8 {
  uint32_t sure;   // lines through these, away from their edges
  uint32_t maybe;  // none of them, but perhaps hit
  // Bounds of s at the hit, of both.
  F8 low;
  F8 high;
  // For sure ones: about s, and about the weights of b and c.
  F8 s;
  F8 v;
  F8 w;
  // The sure ones whose normal points along the ray's largest axis.
  uint32_t along = 0;
};

// Hits of `lanes` at any s, also before the origin.
RayHits8 RayAgainstTriangles(const RayView& ray,
                             const float (*HWY_RESTRICT rows)[8],
                             uint32_t lanes);

// Implementation.

HWY_INLINE void RaySlabs::Set(const float origin[3], const float direction[3],
                              float error) {
  // Without branches: signs are as good as random.
  for (int k = 0; k < 3; ++k) {
    const float forward = std::copysign(error, direction[k]);
    // The rows of lo are 0 to 2, those of hi 3 to 5.
    const int row = direction[k] < 0 ? k + 3 : k;
    near_at[k] = static_cast<uint32_t>(8 * row);
    far_at[k] = static_cast<uint32_t>(8 * (2 * k + 3 - row));
    near_origin[k] = origin[k] + forward;
    far_origin[k] = origin[k] - forward;
    near_inverse[k] = 1.0f / direction[k];
    // Both ends of a span are off by 3 u of themselves: the difference, the
    // quotient and the product. So entering is never found after leaving.
    far_inverse[k] = near_inverse[k] * (1 + 0x1p-20f);
  }
}

HWY_INLINE RaySpan SpanInBoxes(const RaySlabs& ray,
                               const float (*HWY_RESTRICT rows)[8]) {
  // The rows follow each other.
  const float* HWY_RESTRICT const first = *rows;
  const auto near = [&](int k) HWY_ATTR {
    return (Load8(first + ray.near_at[k]) - Set8(ray.near_origin[k])) *
           Set8(ray.near_inverse[k]);
  };
  const auto far = [&](int k) HWY_ATTR {
    return (Load8(first + ray.far_at[k]) - Set8(ray.far_origin[k])) *
           Set8(ray.far_inverse[k]);
  };
  return {Max(Max(near(0), near(1)), near(2)),
          Min(Min(far(0), far(1)), far(2))};
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
  // With L = reach: the offset of a centre is off by u L in each coordinate,
  // its product with the unit vector by 8 u L, the part across by 11 u L in
  // each coordinate, hence by 20 u L.
  slack = 1.75f * error + 24 * 0x1p-24f * reach;
  // The ends of a span, up to 4 L away, by 8 u L and by 2 u of themselves.
  s_slack = 24 * 0x1p-24f * reach;
}

HWY_INLINE RaySpan SpanInSpheres(const RayAxis& ray,
                                 const float (*HWY_RESTRICT rows)[8]) {
  const V8 unit = Set8x3(ray.unit);
  const V8 v = Load8x3(rows) - Set8x3(ray.origin);
  const F8 along = Dot(v, unit);
  const V8 across = v - unit * along;
  const F8 radius = Load8(rows[3]) + Set8(ray.slack);
  // Squares and their difference are off by 5 u of the radius's square.
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
  // Without branches: the outcome would be a guess each.
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
  // With L = reach: differences are off by `error` and u L; the shear, at most
  // 1, by u / 2, its product with z by u L, and the result, at most 2 L, by 2 u
  // L: 2 error + 5.5 u L. Along z: the difference, u / 2 for the inverse, which
  // is at most 1, and u L for the product.
  xy_error = 2 * error + 6 * 0x1p-24f * reach;
  z_error = error + 3 * 0x1p-24f * reach;
}

HWY_INLINE RayHits8 RayAgainstTriangles(const RayView& ray,
                                        const float (*HWY_RESTRICT rows)[8],
                                        uint32_t lanes) {
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
  // Twice the areas of the triangles that the ray, now the origin, makes with
  // the edges: the weights of the vertices.
  const F8 u = x[2] * y[1] - y[2] * x[1];
  const F8 v = x[0] * y[2] - y[0] * x[2];
  const F8 w = x[1] * y[0] - y[1] * x[0];
  const F8 size = Max(Max(Max(Abs(x[0]), Abs(y[0])), Max(Abs(x[1]), Abs(y[1]))),
                      Max(Abs(x[2]), Abs(y[2])));
  // With m = size and e = xy_error, the four factors of a weight make it off by
  // 4 e m + 2 e^2, and its own rounding by 4 u m^2.
  const F8 e = Set8(ray.xy_error);
  const F8 error =
      (size * Set8(4.25f) + e + e + e) * e + size * size * Set8(5 * 0x1p-24f);
  const F8 lowest = Min(Min(u, v), w);
  const F8 highest = Max(Max(u, v), w);
  const F8 zero = Zero8();
  const M8 misses = (lowest < zero - error) & (highest > error);
  lanes &= ~Bits(misses);
  if (lanes == 0) return {0, 0, zero, zero, zero, zero, zero};

  const M8 is_sure = (lowest > error) | (highest < zero - error);
  const uint32_t sure = lanes & Bits(is_sure);
  uint32_t maybe = lanes & ~sure;
  if (maybe != 0) {
    // Edge-on, or no area: all the same, it is not where its box is not.
    const auto beyond = [&](const F8(&c)[3]) HWY_ATTR {
      return (Min(Min(c[0], c[1]), c[2]) > e) |
             (Max(Max(c[0], c[1]), c[2]) < zero - e);
    };
    maybe &= ~Bits(beyond(x) | beyond(y));
  }
  for (F8& c : z) c = c * Set8(ray.inverse_z);
  F8 low = Min(Min(z[0], z[1]), z[2]);
  F8 high = Max(Max(z[0], z[1]), z[2]);
  const F8 slack = Set8(2 * ray.z_error + ray.xy_error);
  if (sure == 0) {
    return {sure, maybe, low - slack, high + slack, zero, zero, zero};
  }
  // s is the mean of z by weights that are off by `error` each: by at most 6
  // errors over the sum of the true ones, which is at least half the sum of the
  // computed ones where that is 6 errors, in relation to half the range of z;
  // and by no more than that range. The sums here are off by at most 10 u of
  // the largest |z|; that is within twice z_error and xy_error.
  const F8 inverse = Set8(1.0f) / Select(is_sure, u + v + w, Set8(1.0f));
  const F8 range = high - low;
  const F8 doubt = Min(error * range * Set8(6.25f) * Abs(inverse), range);
  const F8 s = (u * z[0] + v * z[1] + w * z[2]) * inverse;
  return {sure,
          maybe,
          Select(is_sure, s - doubt, low) - slack,
          Select(is_sure, s + doubt, high) + slack,
          s,
          v * inverse,
          w * inverse,
          sure & Bits(highest < zero)};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_LANES_INL_H_
