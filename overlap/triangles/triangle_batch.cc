// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/triangle_batch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "orbox/overlap/base/require.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/overlap/triangles/triangle_batch.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"
// clang-format on

#ifndef ORBOX_OVERLAP_TRIANGLE_BATCH_TYPES
#define ORBOX_OVERLAP_TRIANGLE_BATCH_TYPES
namespace orbox {
namespace {

// Lanes that the bounds decide.
struct DecidedByBounds {
  uint32_t no = 0;
  uint32_t yes = 0;
};

// Limits that the bounds are compared with, in the block's frame. `error`
// bounds the error of each coordinate of shape and block.
struct Limits {
  float error;
  float above;  // an upper bound of the query's distance
  float below;  // a lower bound of it
};

}  // namespace
}  // namespace orbox
#endif  // ORBOX_OVERLAP_TRIANGLE_BATCH_TYPES

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {
namespace {

using Frame = TriangleBlock::Frame;

HWY_INLINE DecidedByBounds Compare(const DistanceBounds& bounds,
                                   const Limits& limits) {
  return {Bits(bounds.lower > Set8(limits.above)),
          Bits(bounds.upper < Set8(limits.below))};
}

DecidedByBounds BoundPoint(const Frame& block, const float (&p)[3],
                           const Limits& limits) {
  return Compare(
      PointToTriangles(Set8x3(p), LoadTriangles(block.rows), limits.error),
      limits);
}

DecidedByBounds BoundTriangle(const Frame& block, const float (&s)[9],
                              const Limits& limits) {
  const T8 t = LoadTriangles(block.rows);
  const T8 one{Set8x3(s), Set8x3(s + 3), Set8x3(s + 6)};
  TriangleRow s_row;
  TriangleRow t_row;
  s_row.Fill(one);
  t_row.Fill(t);
  const F8 lower = TrianglesLowerBound(s_row, 0, t_row, limits.above);
  // The error of the bound itself is 24 u. kUnit is 2 u, which also covers the
  // rounding of this expression. The factor 1.75 > sqrt(3) turns an error per
  // coordinate into an error of a vector.
  const F8 reach = Max(Max(Max(Reach(one.a), Reach(one.b)), Reach(one.c)),
                       Max(Max(Reach(t.a), Reach(t.b)), Reach(t.c)));
  const F8 slack = Set8(1.75f * limits.error) + reach * Set8(24 * kUnit);
  DecidedByBounds decided{Bits(lower - slack > Set8(limits.above)), 0};
  // A corner that is near enough also decides a lane.
  for (const V8& corner : {one.a, one.b, one.c}) {
    if ((decided.no | decided.yes) == 0xff || limits.below <= 0) break;
    decided.yes |=
        Compare(PointToTriangles(corner, t, limits.error), limits).yes;
  }
  return decided;
}

DecidedByBounds BoundBox(const Frame& block, const float (&center)[3],
                         const float (&half)[3], float error) {
  const BoxMasks masks =
      BoxAgainstTriangles(center, half, LoadTriangles(block.rows), error);
  return {Bits(masks.outside), Bits(masks.inside)};
}

}  // namespace
}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {
namespace {

HWY_EXPORT(BoundPoint);
HWY_EXPORT(BoundTriangle);
HWY_EXPORT(BoundBox);

using Frame = TriangleBlock::Frame;

// Limit of the shape's coordinates: sums of products of four differences of
// coordinates must stay in the range of float.
constexpr double kFarthest = 0x1p25;
// Bound of the underflow of squares and products in float.
constexpr double kUnderflow = 0x1p-50;

// Exact except for one rounding of the difference. The scale is a power of two,
// and scaling loses far less than kUnderflow.
Vec3 ToFrame(const Vec3& p, const Frame& frame) {
  return (p - frame.origin) * frame.scale;
}

// Rounding to float costs 2^-24 of a coordinate, the difference before it
// 2^-53. The block's coordinates are at most 1, the shape's at most `reach`.
// Those of a box are rounded twice, as centre and as half extent. The sum is (1
// + 2 reach) (2^-24 + 2^-52). If squares do not underflow, the bounds state
// their error in units of the largest coordinate. If squares underflow, the
// error of lengths is less than 3/5 of at most 28 u times the largest
// coordinate, with u = 2^-24. 2^-19 covers both, and kUnderflow covers the
// absolute errors.
float ErrorWithin(double reach) {
  return static_cast<float>((1 + reach) * 0x1p-19 + kUnderflow);
}

// Rounding to float and in scaling is within 2^-22. The limit is clamped so
// that it stays in range. The clamp is above any distance that the bounds can
// have.
Limits LimitsOf(double distance, const Frame& frame, double reach) {
  const double scaled = distance * frame.scale;
  return {
      ErrorWithin(reach),
      static_cast<float>(std::min(scaled * (1 + 0x1p-22) + 0x1p-100, 0x1p100)),
      static_cast<float>(std::min(scaled * (1 - 0x1p-22), 0x1p100))};
}

double ReachOf(const Vec3& p) { return MaxCoordinate(Abs(p)); }

// Returns true if a shape with these bounds, in the frame, is certainly farther
// than `distance` from the cube around the block. Returns false if anything
// overflows.
bool IsBeyond(const Aabb& bounds, const Frame& frame, double distance) {
  const Vec3 one{1, 1, 1};
  const double gap =
      std::max(MaxCoordinate(bounds.lo - one), MaxCoordinate(-one - bounds.hi));
  const double reach = std::max(ReachOf(bounds.lo), ReachOf(bounds.hi));
  return gap >
         distance * frame.scale * (1 + 0x1p-22) + reach * 0x1p-40 + kUnderflow;
}

uint32_t Everything(const TriangleBlock& block) {
  return (1u << block.size()) - 1;
}

DecidedByBounds BoundAll(const Vec3& p, const TriangleBlock& block,
                         double distance) {
  const Frame& frame = block.frame();
  const Vec3 q = ToFrame(p, frame);
  if (IsBeyond({q, q}, frame, distance)) return {.no = Everything(block)};
  const double reach = ReachOf(q);
  if (!(reach <= kFarthest)) return {};
  const float values[3] = {static_cast<float>(q.x), static_cast<float>(q.y),
                           static_cast<float>(q.z)};
  return ORBOX_DYNAMIC_DISPATCH(BoundPoint)(frame, values,
                                            LimitsOf(distance, frame, reach));
}

DecidedByBounds BoundAll(const Triangle& s, const TriangleBlock& block,
                         double distance) {
  const Frame& frame = block.frame();
  const Triangle r{ToFrame(s.a, frame), ToFrame(s.b, frame),
                   ToFrame(s.c, frame)};
  const Aabb bounds = BoundsOf(r);
  if (IsBeyond(bounds, frame, distance)) return {.no = Everything(block)};
  const double reach = std::max(ReachOf(bounds.lo), ReachOf(bounds.hi));
  if (!(reach <= kFarthest)) return {};
  float values[9];
  for (size_t i = 0; i < 9; ++i) {
    values[i] = static_cast<float>(r[i / 3][i % 3]);
  }
  return ORBOX_DYNAMIC_DISPATCH(BoundTriangle)(
      frame, values, LimitsOf(distance, frame, reach));
}

// The box is clipped to a cube that contains the block with a margin. This
// changes no result.
DecidedByBounds BoundAll(const Aabb& box, const TriangleBlock& block) {
  constexpr double kCube = 4;
  const Frame& frame = block.frame();
  const Vec3 lo = ToFrame(box.lo, frame);
  const Vec3 hi = ToFrame(box.hi, frame);
  float center[3];
  float half[3];
  for (size_t k = 0; k < 3; ++k) {
    const double from = std::clamp(lo[k], -kCube, kCube);
    const double to = std::clamp(hi[k], -kCube, kCube);
    center[k] = static_cast<float>(0.5 * (from + to));
    half[k] = static_cast<float>(0.5 * (to - from));
  }
  return ORBOX_DYNAMIC_DISPATCH(BoundBox)(frame, center, half,
                                          ErrorWithin(kCube));
}

// Calls `accepts` for the lanes that are still undecided.
template <typename Accepts>
uint32_t Decide(const DecidedByBounds& decided, const TriangleBlock& block,
                Accepts accepts) {
  uint32_t answer = decided.yes & Everything(block);
  for (uint32_t rest = Everything(block) & ~(decided.no | decided.yes);
       rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(rest));
    if (accepts(block[i])) answer |= 1u << i;
  }
  return answer;
}

// Returns true if triangle t is within `limit` of the shape. Requires the
// rounded distance. Rounding never swaps two numbers, but it may make them
// equal. Only then the exact test is needed.
bool IsWithin(const Vec3& p, const Triangle& t, double rounded, double limit) {
  return rounded < limit ||
         (rounded == limit &&
          (std::isinf(limit) || Overlaps(Sphere{p, limit}, t)));
}
bool IsWithin(const Triangle& s, const Triangle& t, double rounded,
              double limit) {
  return rounded < limit || (rounded == limit && WithinDistance(s, t, limit));
}

template <typename Shape>
uint32_t Measure(const Shape& shape, const TriangleBlock& block, double limit,
                 std::span<double, TriangleBlock::kCapacity> distances) {
  std::fill(distances.begin(), distances.end(),
            std::numeric_limits<double>::infinity());
  uint32_t within = 0;
  for (uint32_t rest = Everything(block) & ~BoundAll(shape, block, limit).no;
       rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(rest));
    const double distance = Distance(shape, block[i]).distance;
    if (!IsWithin(shape, block[i], distance, limit)) continue;
    distances[i] = distance;
    within |= 1u << i;
  }
  return within;
}

}  // namespace

TriangleBlock::TriangleBlock(std::span<const Triangle> triangles)
    : size_(triangles.size()) {
  RequireThat(size_ <= kCapacity, "TriangleBlock",
              "there are too many triangles", "pass at most kCapacity");
  if (size_ == 0) return;
  Aabb bounds = BoundsOf(triangles[0]);
  for (const Triangle& t : triangles) bounds = Union(bounds, BoundsOf(t));
  frame_.origin = bounds.Center();
  const double reach = std::max(ReachOf(bounds.lo - frame_.origin),
                                ReachOf(bounds.hi - frame_.origin));
  // The inverse of a denormal is out of range; 2^1000 is in range.
  int exponent = 0;
  std::frexp(reach, &exponent);
  if (reach > 0) frame_.scale = std::ldexp(1.0, std::min(-exponent, 1000));
  for (size_t i = 0; i < kCapacity; ++i) {
    // Lanes without a triangle contain a copy of the last triangle.
    triangles_[i] = triangles[std::min(i, size_ - 1)];
    for (size_t c = 0; c < 3; ++c) {
      const Vec3 p = ToFrame(triangles_[i][c], frame_);
      for (size_t k = 0; k < 3; ++k) {
        frame_.rows[3 * c + k][i] = static_cast<float>(p[k]);
      }
    }
  }
}

uint32_t TestBlock(const Triangle& s, const TriangleBlock& block) {
  return Decide(BoundAll(s, block, 0), block,
                [&](const Triangle& t) { return Overlaps(s, t); });
}

uint32_t TestBlock(const Sphere& ball, const TriangleBlock& block) {
  return Decide(BoundAll(ball.center, block, ball.radius), block,
                [&](const Triangle& t) { return Overlaps(ball, t); });
}

uint32_t TestBlock(const Aabb& box, const TriangleBlock& block) {
  return Decide(BoundAll(box, block), block,
                [&](const Triangle& t) { return Overlaps(box, t); });
}

uint32_t TestBlockWithin(const Vec3& p, const TriangleBlock& block,
                         double distance) {
  if (std::isinf(distance)) return Everything(block);
  return TestBlock(Sphere{p, distance}, block);
}

uint32_t TestBlockWithin(const Triangle& s, const TriangleBlock& block,
                         double distance) {
  if (std::isinf(distance)) return Everything(block);
  return Decide(BoundAll(s, block, distance), block, [&](const Triangle& t) {
    return WithinDistance(s, t, distance);
  });
}

uint32_t DistancesToBlock(
    const Vec3& p, const TriangleBlock& block, double limit,
    std::span<double, TriangleBlock::kCapacity> distances) {
  return Measure(p, block, limit, distances);
}

uint32_t DistancesToBlock(
    const Triangle& s, const TriangleBlock& block, double limit,
    std::span<double, TriangleBlock::kCapacity> distances) {
  return Measure(s, block, limit, distances);
}

}  // namespace orbox
#endif  // HWY_ONCE
