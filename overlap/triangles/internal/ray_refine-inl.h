// SPDX-License-Identifier: Apache-2.0

// The crossing of the line of a ray and the plane of a triangle, by the method
// of ray_solution.h. Lanes contain first the three coordinates of a vector,
// then the three unknowns.
//
//   RayEquations equations(ray, triangle);
//   RayCorrection c = equations.Correct(guess);   // the error of the guess
//   RayTriangleHit hit;
//   if (RefineHit(ray, triangle, {t, v, w}, &hit)) ...   // near t, v, w
//
// Private; compiled once per instruction set (arithmetic-inl.h).
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_REFINE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_REFINE_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_REFINE_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_REFINE_INL_H_
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/internal/lanes/point_lanes-inl.h"
#include "orbox/overlap/internal/numbers/error_free-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"
#include "orbox/overlap/triangles/ray_triangle.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The unknowns in lanes t, v, w. The solution is within about + correction +-
// error.
struct RayCorrection {
  D4 about;
  D4 correction;
  D4 error;
  bool is_certified;  // if false, the other members have no meaning

  HWY_INLINE D4 Low() const { return about + (correction - error); }
  HWY_INLINE D4 High() const { return about + (correction + error); }
};

// The equations o + t d = a + v e + w f.
class RayEquations {
 public:
  HWY_INLINE RayEquations(const Ray& ray, const Triangle& triangle);

  // Returns the solution in double.
  HWY_INLINE RayGuess Guess() const;

  // Returns the correction of a guess, computed from its residual.
  HWY_INLINE RayCorrection Correct(const RayGuess& guess) const;

  // Returns the correction of *guess. If its error is too large, for example
  // because the origin is far away, first corrects *guess, and returns the
  // correction of the new guess.
  HWY_INLINE RayCorrection CorrectWell(RayGuess* guess) const;

 private:
  // Returns r + v e + w f - t d. The error of each coordinate is at most 128
  // u^2 of the sum of the magnitudes of its four terms, plus u of the
  // coordinate (u = 2^-53).
  HWY_INLINE D4 Residual(const RayGuess& guess) const;

  // Returns the solution t, v, w for the right-hand side -r, by Cramer's rule.
  HWY_INLINE D4 Solve(const D4& r) const;

  // Lanes x, y, z.
  D4 d_;
  LongOf<D4> r_;  // from the origin of the ray to corner a
  LongOf<D4> e_;
  LongOf<D4> f_;
  // sizes_: the largest coordinates of e, f, d, r, one per lane. crosses_: the
  // columns of e x f, f x d, d x e.
  D4 sizes_;
  Vec3Of<D4> crosses_;
  double determinant_;
  double inverse_;  // 1 / determinant
};

// Writes the solution, correctly rounded. Weights are rounded by RoundedWeight.
// Returns false if it is undecided.
bool RoundSolution(const RayCorrection& solution, double (&rounded)[4]);

// Sets *hit to the correctly rounded hit. Requires that the ray certainly hits
// the inside of the triangle, at t > 0. Returns false if double does not decide
// the last bit.
bool RefineHit(const Ray& ray, const Triangle& triangle, const RayGuess& guess,
               RayTriangleHit* hit);

// Implementation.

inline constexpr uint32_t kThreeLanes = 7;

// Limits within which products of four lengths stay finite, and underflow is
// below the allowed errors or below kTiny.
inline constexpr double kLargestLength = 0x1p200;
inline constexpr double kLargestUnknown = 0x1p500;
inline constexpr double kLeastDeterminant = 0x1p-800;
inline constexpr double kTiny = 0x1p-1060;

// Weights with larger errors are computed in exact arithmetic.
inline constexpr double kWeightError = 0x1p-54;

// Rotated returns lanes 1, 2, 0, 3. ColumnsOf returns the columns x, y, z of
// four rows.
#if HWY_TARGET == HWY_SCALAR

HWY_INLINE D4 Rotated(const D4& v) {
  D4 r;
  for (size_t i = 0; i < 4; ++i) r.part[i] = v.part[i == 3 ? 3 : (i + 1) % 3];
  return r;
}
HWY_INLINE Vec3Of<D4> ColumnsOf(const D4 (&rows)[4]) {
  Vec3Of<D4> r;
  for (size_t i = 0; i < 4; ++i) {
    r.x.part[i] = rows[i].part[0];
    r.y.part[i] = rows[i].part[1];
    r.z.part[i] = rows[i].part[2];
  }
  return r;
}

#else

HWY_INLINE D4 Rotated(const D4& v) {
  const D4::Tag d;
  D4 r;
  if constexpr (D4::kParts == 1) {
    alignas(32) constexpr int64_t kIndices[4] = {1, 2, 0, 3};
    r.part[0] =
        hn::TableLookupLanes(v.part[0], hn::SetTableIndices(d, kIndices));
  } else {
    r.part[0] = hn::CombineShiftRightBytes<8>(d, v.part[1], v.part[0]);
    r.part[1] = hn::ConcatUpperLower(d, v.part[1], v.part[0]);
  }
  return r;
}
HWY_INLINE Vec3Of<D4> ColumnsOf(const D4 (&rows)[4]) {
  const D4::Tag d;
  Vec3Of<D4> r;
  if constexpr (D4::kParts == 1) {
    const auto xz01 = hn::InterleaveLower(d, rows[0].part[0], rows[1].part[0]);
    const auto xz23 = hn::InterleaveLower(d, rows[2].part[0], rows[3].part[0]);
    const auto y01 = hn::InterleaveUpper(d, rows[0].part[0], rows[1].part[0]);
    const auto y23 = hn::InterleaveUpper(d, rows[2].part[0], rows[3].part[0]);
    r.x.part[0] = hn::ConcatLowerLower(d, xz23, xz01);
    r.y.part[0] = hn::ConcatLowerLower(d, y23, y01);
    r.z.part[0] = hn::ConcatUpperUpper(d, xz23, xz01);
  } else {
    for (size_t i = 0; i < 2; ++i) {
      const D4& a = rows[2 * i];
      const D4& b = rows[2 * i + 1];
      r.x.part[i] = hn::InterleaveLower(d, a.part[0], b.part[0]);
      r.y.part[i] = hn::InterleaveUpper(d, a.part[0], b.part[0]);
      r.z.part[i] = hn::InterleaveLower(d, a.part[1], b.part[1]);
    }
  }
  return r;
}

#endif

HWY_INLINE RayEquations::RayEquations(const Ray& ray,
                                      const Triangle& triangle) {
  const D4 a = LoadPoint(triangle.a);
  d_ = LoadPoint(ray.direction);
  r_ = TwoDifference(a, LoadPoint(ray.origin));
  e_ = TwoDifference(LoadPoint(triangle.b), a);
  f_ = TwoDifference(LoadPoint(triangle.c), a);
  const Vec3Of<D4> p = ColumnsOf({e_.hi, f_.hi, d_, r_.hi});
  sizes_ = Largest(Abs(p.x), Abs(p.y), Abs(p.z));
  crosses_ = Cross(p, {Rotated(p.x), Rotated(p.y), Rotated(p.z)});
  const auto& [x, y, z] = ray.direction;
  determinant_ = FirstLane(Dot(crosses_, {x, y, z}));
  inverse_ = 1 / determinant_;
}

HWY_INLINE D4 RayEquations::Solve(const D4& r) const {
  alignas(32) double values[4];
  r.Store(values);
  // The cross products f x d and d x e have a minus sign.
  alignas(32) constexpr double kSigns[4] = {1, -1, -1, 0};
  return Dot(crosses_, {values[0], values[1], values[2]}) * D4::Load(kSigns) *
         inverse_;
}

HWY_INLINE RayGuess RayEquations::Guess() const {
  alignas(32) double unknowns[4];
  Solve(r_.hi).Store(unknowns);
  return {unknowns[0], unknowns[1], unknowns[2]};
}

// Let M be the sum of the magnitudes of the four products. None of the nine
// terms of `rest` and z.lo exceeds u M. All their roundings except for the last
// one add less than 96 u^2 M.
HWY_INLINE D4 RayEquations::Residual(const RayGuess& guess) const {
  const D4 v = guess.v;
  const D4 w = guess.w;
  const LongOf<D4> ve = TwoProduct(v, e_.hi);
  const LongOf<D4> wf = TwoProduct(w, f_.hi);
  const LongOf<D4> td = TwoProduct(D4(-guess.t), d_);
  const LongOf<D4> x = TwoSum(ve.hi, wf.hi);
  const LongOf<D4> y = TwoSum(r_.hi, td.hi);
  const LongOf<D4> z = TwoSum(x.hi, y.hi);
  const D4 rest = ((r_.lo + td.lo) + (x.lo + y.lo)) +
                  ((ve.lo + v * e_.lo) + (wf.lo + w * f_.lo));
  return z.hi + (z.lo + rest);
}

HWY_INLINE RayCorrection RayEquations::Correct(const RayGuess& guess) const {
  const D4 residual = Residual(guess);
  RayCorrection solution;
  solution.about = ThreeLanes(guess.t, guess.v, guess.w);
  solution.correction = Solve(residual);

  // The error of each component of n is at most 5 u times 2 |e| |f| in maximum
  // norms, because both factors, the product and the difference are rounded.
  // The error of the determinant is 8 u times 6 |e| |f| |d|.
  alignas(32) double size[4];
  sizes_.Store(size);
  const double determinant_error =
      48 * kRoundoff * (size[0] * size[1] * size[2]);
  const double magnitude = size[3] + std::abs(guess.v) * size[0] +
                           std::abs(guess.w) * size[1] +
                           std::abs(guess.t) * size[2];
  const double sum_of_unknowns =
      std::abs(guess.t) + std::abs(guess.v) + std::abs(guess.w);
  const double determinant_size = std::abs(determinant_);
  solution.is_certified =
      determinant_size >= kLeastDeterminant &&
      determinant_error <= 0x1p-10 * determinant_size &&
      size[0] <= kLargestLength && size[1] <= kLargestLength &&
      size[2] <= kLargestLength && magnitude <= kLargestLength &&
      sum_of_unknowns <= kLargestUnknown;

  // Cramer's rule. Each numerator is a sum of three products with a component
  // of a cross product, with the errors given above. Its error is 10 u times 6
  // |e| |f| |residual|, plus 6 |e| |f| times the error of the residual's
  // components. Each quotient also has the relative error of the determinant.
  alignas(32) double coordinates[4];
  Abs(residual).Store(coordinates);
  const double residual_size =
      Largest(coordinates[0], coordinates[1], coordinates[2]);
  const double residual_error = 128 * kRoundoff * kRoundoff * magnitude +
                                kRoundoff * residual_size + kTiny;
  const double numerator_error =
      64 * kRoundoff * residual_size + 7 * residual_error;
  const D4 amount = Abs(solution.correction);
  const D4 products = sizes_ * Rotated(sizes_);
  solution.error =
      1.05 * std::abs(inverse_) *
          (products * numerator_error + amount * determinant_error + kTiny) +
      (amount * (4 * kRoundoff) + kTiny);
  return solution;
}

HWY_INLINE RayCorrection RayEquations::CorrectWell(RayGuess* guess) const {
  const RayCorrection once = Correct(*guess);
  alignas(32) constexpr double kLargestErrors[4] = {HUGE_VAL, kWeightError,
                                                    kWeightError, HUGE_VAL};
  if (HWY_LIKELY(!once.is_certified ||
                 AllTrue(once.error <= D4::Load(kLargestErrors)))) {
    return once;
  }
  alignas(32) double better[4];
  (once.about + once.correction).Store(better);
  *guess = {better[0], better[1], better[2]};
  return Correct(*guess);
}

HWY_INLINE bool RoundSolution(const RayCorrection& solution,
                              double (&rounded)[4]) {
  // The ones that RoundedWeight adds to weights and then subtracts.
  alignas(32) constexpr double kOnes[4] = {0, 1, 1, 0};
  const D4 one = D4::Load(kOnes);
  const D4 low = (solution.Low() + one) - one;
  const D4 high = (solution.High() + one) - one;
  alignas(32) constexpr double kLargestErrors[4] = {HUGE_VAL, kWeightError,
                                                    kWeightError, HUGE_VAL};
  low.StoreU(rounded);
  const uint32_t known =
      Bits((low == high) & (solution.error <= D4::Load(kLargestErrors)));
  return (known & kThreeLanes) == kThreeLanes;
}

HWY_INLINE bool RefineHit(const Ray& ray, const Triangle& triangle,
                          const RayGuess& guess, RayTriangleHit* hit) {
  RayGuess about = guess;
  const RayCorrection solution =
      RayEquations(ray, triangle).CorrectWell(&about);
  double rounded[4];
  if (!solution.is_certified || !RoundSolution(solution, rounded)) return false;
  *hit = HitAt(triangle, rounded[0], rounded[1], rounded[2]);
  return true;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_REFINE_INL_H_
