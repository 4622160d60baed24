// SPDX-License-Identifier: Apache-2.0

// The crossing of the line of a ray and a triangle, computed from volumes in
// the number types of bounded.h, four volumes at a time. The result is that of
// the first stage of the ladder (exact_ray.h), in a sixth of the time. Serves
// rays that graze a triangle, pass through its edge or are nearly in its plane.
//
//   RaySolution x = SolveByVolumes(ray, triangle);
//   if (x.verdict == RayVerdict::kMiss) ...
//
// Let p, q, r be the corners relative to the origin, and d the direction. [x y
// z] is the determinant of three vectors. The weights of the corners are [d q
// r], [d r p] and [d p q], divided by their sum, and t is [p q r], divided by
// this sum. A corner can be replaced by an edge, [d q r - q], without changing
// the value. The result is more accurate if the origin is far away. Private;
// compiled once per instruction set.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_VOLUMES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_VOLUMES_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_VOLUMES_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_VOLUMES_INL_H_
#endif

#include <cmath>
#include <cstddef>
#include <optional>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/internal/numbers/long_bounded-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/ray_refine-inl.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Lanes: the numerators of the weights of the three corners, and the numerator
// of t. Their common denominator is the rise.
struct RayVolumes {
  LongBounded of[4];
  LongBounded rise;  // the sum of the first three
};

// Returns false if products may underflow or overflow.
bool GetVolumes(const Ray& ray, const Triangle& triangle, RayVolumes* volumes);

// Solves a ray and a triangle. Also decides hits on the triangle's edges and
// corners. Undecided for a ray in the plane of the triangle.
RaySolution SolveByVolumes(const Ray& ray, const Triangle& triangle);

// Implementation.

using LongD4 = LongBoundedOf<D4>;

// One row of coordinates in lanes.
struct LongRow {
  alignas(32) double hi[4];
  alignas(32) double lo[4];

  HWY_INLINE LongD4 Load() const { return {D4::Load(hi), D4::Load(lo), 0, 0}; }
};

HWY_INLINE LongD4 Times(const LongD4& a, const LongD4& b) {
  return BoundedProduct<D4>(a, b, 0);
}
HWY_INLINE LongD4 Minus(const LongD4& a, const LongD4& b) {
  return BoundedSum<D4>(a, -b);
}

// Returns the determinants of three rows of vectors.
HWY_INLINE LongD4 Determinant(const LongRow (&p)[3], const LongRow (&q)[3],
                              const LongRow (&r)[3]) {
  LongD4 sum{};
  for (size_t k = 0; k < 3; ++k) {
    const size_t u = (k + 1) % 3;
    const size_t v = (k + 2) % 3;
    const LongD4 area =
        Minus(Times(q[u].Load(), r[v].Load()), Times(q[v].Load(), r[u].Load()));
    const LongD4 part = Times(p[k].Load(), area);
    sum = k == 0 ? part : BoundedSum<D4>(sum, part);
  }
  return sum;
}

// Returns true if no part of a product of three such numbers leaves the range
// in which products are exact.
HWY_INLINE bool AreInRange(const D4& x) {
  const D4 size = Abs(x);
  return AllTrue((x == 0) | ((size >= 0x1p-240) & (size <= 0x1p240)));
}

HWY_INLINE bool GetVolumes(const Ray& ray, const Triangle& triangle,
                           RayVolumes* volumes) {
  const D4 o = LoadPoint(ray.origin);
  const D4 d = LoadPoint(ray.direction);
  bool is_in_range = AreInRange(d);
  alignas(32) double hi[3][4];
  alignas(32) double lo[3][4];
  alignas(32) double edge_hi[3][4];
  alignas(32) double edge_lo[3][4];
  for (size_t i = 0; i < 3; ++i) {
    const LongOf<D4> corner = TwoDifference(LoadPoint(triangle[i]), o);
    is_in_range = is_in_range && AreInRange(corner.hi) && AreInRange(corner.lo);
    corner.hi.Store(hi[i]);
    corner.lo.Store(lo[i]);
    // Edges ab, bc, ca.
    const LongOf<D4> edge = TwoDifference(
        LoadPoint(triangle[i == 2 ? 0 : i + 1]), LoadPoint(triangle[i]));
    is_in_range = is_in_range && AreInRange(edge.hi) && AreInRange(edge.lo);
    edge.hi.Store(edge_hi[i]);
    edge.lo.Store(edge_lo[i]);
  }
  if (!is_in_range) return false;
  LongRow first[3];
  LongRow second[3];
  LongRow third[3];
  for (size_t k = 0; k < 3; ++k) {
    const double along = ray.direction[k];
    first[k] = {{along, along, along, hi[0][k]}, {0, 0, 0, lo[0][k]}};
    second[k] = {{hi[1][k], hi[2][k], hi[0][k], edge_hi[0][k]},
                 {lo[1][k], lo[2][k], lo[0][k], edge_lo[0][k]}};
    // [p q r] is [p q - p p - r], except for the sign.
    third[k] = {{edge_hi[1][k], edge_hi[2][k], edge_hi[0][k], -edge_hi[2][k]},
                {edge_lo[1][k], edge_lo[2][k], edge_lo[0][k], -edge_lo[2][k]}};
  }
  const LongD4 found = Determinant(first, second, third);
  alignas(32) double parts[4][4];
  found.hi.Store(parts[0]);
  found.lo.Store(parts[1]);
  found.rest.Store(parts[2]);
  found.error.Store(parts[3]);
  for (size_t i = 0; i < 4; ++i) {
    volumes->of[i] = {parts[0][i], parts[1][i], parts[2][i], parts[3][i]};
  }
  volumes->rise = volumes->of[0] + volumes->of[1] + volumes->of[2];
  return true;
}

// Returns the rise, computed from the edges only. If the origin is far away,
// this is more accurate than the sum of the weights.
HWY_NOINLINE inline LongBounded RiseOf(const Ray& ray,
                                       const Triangle& triangle) {
  LongBounded d[3];
  LongBounded e[3];
  LongBounded f[3];
  for (size_t k = 0; k < 3; ++k) {
    const auto edge = [&](const Vec3& to) {
      const DoubleDouble way = orbox::TwoDifference(to[k], triangle.a[k]);
      return LongBounded{way.hi, way.lo, 0, 0};
    };
    d[k] = {ray.direction[k], 0, 0, 0};
    e[k] = edge(triangle.b);
    f[k] = edge(triangle.c);
  }
  const auto part = [&](size_t k) {
    const size_t u = (k + 1) % 3;
    const size_t v = (k + 2) % 3;
    return d[k] * (e[u] * f[v] - e[v] * f[u]);
  };
  return part(0) + part(1) + part(2);
}

// Returns true if the line certainly hits the triangle, false if it certainly
// does not, and nullopt if undecided.
HWY_INLINE std::optional<bool> IsHitByLine(const RayVolumes& volumes) {
  bool is_known = true;
  int seen = 0;
  bool misses = false;
  for (size_t i = 0; i < 3; ++i) {
    const std::optional<int> sign = volumes.of[i].CertainSign();
    is_known = is_known && sign.has_value();
    misses = misses || sign.value_or(0) * seen < 0;
    if (sign.value_or(0) != 0) seen = *sign;
  }
  if (misses) return false;
  // A sign is unknown, or all are zero: the line is in the plane.
  if (!is_known || seen == 0) return std::nullopt;
  return true;
}

// Returns the quotients in lanes t, v, w, with the error bound of ladder.h.
HWY_INLINE RayCorrection QuotientsOf(const RayVolumes& volumes) {
  using ladder_internal::IsWellKnown;
  const LongBounded n[4] = {volumes.of[3], volumes.of[1], volumes.of[2], {}};
  bool is_known = IsWellKnown(volumes.rise);
  LongRow leading;
  LongRow others;
  for (size_t i = 0; i < 4; ++i) {
    leading.hi[i] = n[i].hi;
    leading.lo[i] = n[i].lo;
    others.hi[i] = n[i].rest;
    others.lo[i] = n[i].error;
    is_known =
        is_known && (IsWellKnown(n[i]) || n[i].CertainSign().value_or(1) == 0);
  }
  const LongD4 top{D4::Load(leading.hi), D4::Load(leading.lo),
                   D4::Load(others.hi), D4::Load(others.lo)};
  const LongBounded& rise = volumes.rise;
  const LongD4 bottom{rise.hi, rise.lo, rise.rest, rise.error};
  RayCorrection quotients;
  quotients.is_certified = is_known;
  quotients.about = top.hi / bottom.hi;
  const LongD4 rest = Minus(top, Times(bottom, {quotients.about, 0, 0, 0}));
  quotients.correction = rest.hi / bottom.hi;
  // The error bound of AroundQuotient (ladder.h).
  quotients.error =
      kAboveBounds *
      ((Abs(rest.lo) + Abs(rest.rest) + rest.error) / Abs(bottom.hi) +
       0x1p-49 * Abs(quotients.correction));
  return quotients;
}

HWY_INLINE RaySolution SolveByVolumes(const Ray& ray,
                                      const Triangle& triangle) {
  RaySolution solution;
  RayVolumes volumes;
  if (!GetVolumes(ray, triangle, &volumes)) return solution;
  const std::optional<bool> is_hit = IsHitByLine(volumes);
  if (!is_hit) return solution;
  const std::optional<int> way = volumes.of[3].CertainSign();
  const std::optional<int> rise = volumes.rise.CertainSign();
  if (!*is_hit || way.value_or(0) * rise.value_or(0) < 0) {
    solution.verdict = RayVerdict::kMiss;
    return solution;
  }
  if (!way || rise.value_or(0) == 0) return solution;
  double rounded[4];
  RayCorrection found = QuotientsOf(volumes);
  if (!found.is_certified || !RoundSolution(found, rounded)) {
    volumes.rise = RiseOf(ray, triangle);
    found = QuotientsOf(volumes);
    if (!found.is_certified || !RoundSolution(found, rounded)) return solution;
  }
  const double t = rounded[0];
  if (t != 0 && !(std::abs(t) >= 0x1p-900)) return solution;
  const DoubleDouble all =
      orbox::TwoSum(FirstLane(found.about), FirstLane(found.correction));
  return {.verdict = RayVerdict::kHit,
          .t = t,
          .rest = (all.hi - t) + all.lo,
          .slack = FirstLane(found.error),
          .v = rounded[1],
          .w = rounded[2]};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_VOLUMES_INL_H_
