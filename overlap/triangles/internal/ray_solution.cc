// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/ray_solution.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/overlap/triangles/internal/ray_solution.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/triangles/internal/ray_refine-inl.h"
#include "orbox/overlap/triangles/internal/ray_volumes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

void SolveInLanes(const Ray& ray, const Triangle& triangle,
                  RaySolution* solution) {
  const RayEquations equations(ray, triangle);
  RayGuess guess = equations.Guess();
  const RayCorrection found = equations.CorrectWell(&guess);
  if (!found.is_certified) return;

  alignas(32) double correction[4];
  alignas(32) double error[4];
  found.correction.Store(correction);
  found.error.Store(error);
  // Tests the sign of v + w - 1. Rounding is monotonic: a number that rounds to
  // a positive one is positive.
  const DoubleDouble sum = orbox::TwoSum(guess.v, guess.w);
  const double rest = sum.lo + (correction[1] + correction[2]);
  const double slack =
      1.05 * (error[1] + error[2]) + 4 * kRoundoff * std::abs(rest);
  const double above_one = sum.hi - 1;
  if ((Bits(found.High() < 0) & kThreeLanes) != 0 ||
      above_one + (rest - slack) > 0) {
    solution->verdict = RayVerdict::kMiss;
    return;
  }
  const bool is_inside = (Bits(found.Low() > 0) & kThreeLanes) == kThreeLanes &&
                         above_one + (rest + slack) < 0;
  double rounded[4];
  if (!is_inside || !RoundSolution(found, rounded)) return;
  // Both ends of the range of t round to t, and so does t + its correction.
  *solution = {.verdict = RayVerdict::kHit,
               .t = rounded[0],
               .rest = orbox::TwoSum(guess.t, correction[0]).lo,
               .slack = error[0],
               .v = rounded[1],
               .w = rounded[2]};
}

void SolveInLongLanes(const Ray& ray, const Triangle& triangle,
                      RaySolution* solution) {
  *solution = SolveByVolumes(ray, triangle);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(SolveInLanes);
HWY_EXPORT(SolveInLongLanes);

RaySolution SolveRay(const Ray& ray, const Triangle& triangle) {
  RaySolution solution;
  ORBOX_DYNAMIC_DISPATCH(SolveInLanes)(ray, triangle, &solution);
  return solution;
}

RaySolution SolveRayClosely(const Ray& ray, const Triangle& triangle) {
  RaySolution solution;
  ORBOX_DYNAMIC_DISPATCH(SolveInLongLanes)(ray, triangle, &solution);
  return solution;
}

}  // namespace orbox
#endif  // HWY_ONCE
