// From a hit that a float row is sure of to the hit itself: correctly rounded,
// as ray_triangle.h has it, by the method of ray_solution.h, four doubles at a
// time where the instruction set has them.
//
//   RayTriangleHit hit;
//   if (RefineHit(ray, triangle, {t, v, w}, &hit)) ...      // about t, v, w
//
// Private; compiled once per instruction set (lanes-inl.h). Correct rounding
// leaves one answer, so it does not matter how it was reached; here a fused
// multiply-add finds what rounding a product drops, which is what TwoProduct
// finds.
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
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"
#include "orbox/overlap/triangles/ray_triangle.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Requires that the ray certainly hits the inside of the triangle, at t > 0.
// False where double does not settle the last bit.
bool RefineHit(const Ray& ray, const Triangle& triangle, const RayGuess& guess,
               RayTriangleHit* hit);

// Implementation.

#if HWY_CAP_GE256 && HWY_NATIVE_FMA

namespace hn = hwy::HWY_NAMESPACE;

using Double4 = hn::FixedTag<double, 4>;
using D4 = hn::Vec<Double4>;

// hi + lo, as in error_free.h.
struct LongD4 {
  D4 hi;
  D4 lo;
};

// x, y, z, z.
HWY_INLINE D4 LoadPoint(const Vec3& p) {
  const hn::Half<Double4> half;
  return hn::Combine(Double4(), hn::Set(half, p.z), hn::LoadU(half, &p.x));
}
HWY_INLINE LongD4 TwoSum4(D4 a, D4 b) {
  const D4 sum = hn::Add(a, b);
  const D4 b_part = hn::Sub(sum, a);
  return {sum, hn::Add(hn::Sub(a, hn::Sub(sum, b_part)), hn::Sub(b, b_part))};
}
HWY_INLINE LongD4 TwoDifference4(D4 a, D4 b) {
  const D4 difference = hn::Sub(a, b);
  const D4 b_part = hn::Sub(a, difference);
  return {difference,
          hn::Add(hn::Sub(a, hn::Add(difference, b_part)), hn::Sub(b_part, b))};
}
HWY_INLINE LongD4 TwoProduct4(D4 a, D4 b) {
  const D4 product = hn::Mul(a, b);
  return {product, hn::MulSub(a, b, product)};
}

// The columns x, y, z of four rows.
struct Columns {
  D4 x, y, z;

  HWY_INLINE Columns(D4 r0, D4 r1, D4 r2, D4 r3) {
    const Double4 d;
    const D4 xz01 = hn::InterleaveLower(d, r0, r1);
    const D4 xz23 = hn::InterleaveLower(d, r2, r3);
    const D4 y01 = hn::InterleaveUpper(d, r0, r1);
    const D4 y23 = hn::InterleaveUpper(d, r2, r3);
    x = hn::ConcatLowerLower(d, xz23, xz01);
    y = hn::ConcatLowerLower(d, y23, y01);
    z = hn::ConcatUpperUpper(d, xz23, xz01);
  }
};

// Lanes 1, 2, 0, 3.
HWY_INLINE D4 Rotated(D4 v) {
  alignas(32) constexpr int64_t kIndices[4] = {1, 2, 0, 3};
  return hn::TableLookupLanes(v, hn::SetTableIndices(Double4(), kIndices));
}

HWY_INLINE bool RefineHit(const Ray& ray, const Triangle& triangle,
                          const RayGuess& guess, RayTriangleHit* hit) {
  using namespace ray_internal;  // NOLINT: constants of this function
  const Double4 d4;
  const D4 a = LoadPoint(triangle.a);
  const D4 direction = LoadPoint(ray.direction);
  const LongD4 r = TwoDifference4(a, LoadPoint(ray.origin));
  const LongD4 e = TwoDifference4(LoadPoint(triangle.b), a);
  const LongD4 f = TwoDifference4(LoadPoint(triangle.c), a);

  // The residual, operation by operation as in ray_solution.cc.
  const D4 v = hn::Set(d4, guess.v);
  const D4 w = hn::Set(d4, guess.w);
  const LongD4 ve = TwoProduct4(v, e.hi);
  const LongD4 wf = TwoProduct4(w, f.hi);
  const LongD4 td = TwoProduct4(hn::Set(d4, -guess.t), direction);
  const LongD4 x = TwoSum4(ve.hi, wf.hi);
  const LongD4 y = TwoSum4(r.hi, td.hi);
  const LongD4 z = TwoSum4(x.hi, y.hi);
  const D4 rest = hn::Add(hn::Add(hn::Add(r.lo, td.lo), hn::Add(x.lo, y.lo)),
                          hn::Add(hn::Add(ve.lo, hn::Mul(v, e.lo)),
                                  hn::Add(wf.lo, hn::Mul(w, f.lo))));
  alignas(32) double residual[4];
  hn::Store(hn::Add(z.hi, hn::Add(z.lo, rest)), d4, residual);

  // Lanes: of e, f, d and r; then of e x f, f x d, d x e, and nothing.
  const Columns p(e.hi, f.hi, direction, r.hi);
  const D4 qx = Rotated(p.x);
  const D4 qy = Rotated(p.y);
  const D4 qz = Rotated(p.z);
  const D4 nx = hn::Sub(hn::Mul(p.y, qz), hn::Mul(p.z, qy));
  const D4 ny = hn::Sub(hn::Mul(p.z, qx), hn::Mul(p.x, qz));
  const D4 nz = hn::Sub(hn::Mul(p.x, qy), hn::Mul(p.y, qx));
  const auto dot = [&](double bx, double by, double bz) HWY_ATTR {
    return hn::Add(
        hn::Add(hn::Mul(nx, hn::Set(d4, bx)), hn::Mul(ny, hn::Set(d4, by))),
        hn::Mul(nz, hn::Set(d4, bz)));
  };
  const Vec3& dd = ray.direction;
  const double determinant = hn::GetLane(dot(dd.x, dd.y, dd.z));
  const double inverse = 1 / determinant;
  // Rows of f x d and d x e enter Cramer's rule with a minus.
  alignas(32) constexpr double kSigns[4] = {1, -1, -1, 0};
  const D4 correction = hn::Mul(
      hn::Mul(dot(residual[0], residual[1], residual[2]), hn::Load(d4, kSigns)),
      hn::Set(d4, inverse));

  // The bounds of CertifyRay.
  const D4 sizes = hn::Max(hn::Max(hn::Abs(p.x), hn::Abs(p.y)), hn::Abs(p.z));
  alignas(32) double size[4];
  hn::Store(sizes, d4, size);
  const double determinant_error = 48 * kU * (size[0] * size[1] * size[2]);
  const double magnitude = size[3] + std::abs(guess.v) * size[0] +
                           std::abs(guess.w) * size[1] +
                           std::abs(guess.t) * size[2];
  const double unknowns =
      std::abs(guess.t) + std::abs(guess.v) + std::abs(guess.w);
  if (!(std::abs(determinant) >= kLeastDeterminant &&
        determinant_error <= 0x1p-10 * std::abs(determinant) &&
        size[0] <= kLargest && size[1] <= kLargest && size[2] <= kLargest &&
        magnitude <= kLargest && unknowns <= kLargestUnknown)) {
    return false;
  }
  const double residual_size = Largest({residual[0], residual[1], residual[2]});
  const double numerator_error =
      64 * kU * residual_size +
      7 * (128 * kU * kU * magnitude + kU * residual_size + kTiny);
  const D4 tiny = hn::Set(d4, kTiny);
  const D4 amount = hn::Abs(correction);
  const D4 products = hn::Mul(sizes, Rotated(sizes));
  const D4 error = hn::Add(
      hn::Mul(hn::Set(d4, 1.05 * std::abs(inverse)),
              hn::Add(hn::Add(hn::Mul(products, hn::Set(d4, numerator_error)),
                              hn::Mul(amount, hn::Set(d4, determinant_error))),
                      tiny)),
      hn::Add(hn::Mul(amount, hn::Set(d4, 4 * kU)), tiny));

  // Lanes: t, v, w; weights are rounded as RoundedWeight does.
  alignas(32) const double guesses[4] = {guess.t, guess.v, guess.w, 0};
  alignas(32) constexpr double kOnes[4] = {0, 1, 1, 0};
  const D4 about = hn::Load(d4, guesses);
  const D4 one = hn::Load(d4, kOnes);
  const D4 low = hn::Add(about, hn::Sub(correction, error));
  const D4 high = hn::Add(about, hn::Add(correction, error));
  const D4 low_rounded = hn::Sub(hn::Add(low, one), one);
  const D4 high_rounded = hn::Sub(hn::Add(high, one), one);
  alignas(32) constexpr double kLargestErrors[4] = {HUGE_VAL, kWeightError,
                                                    kWeightError, HUGE_VAL};
  uint8_t bits[8] = {0};
  hn::StoreMaskBits(d4,
                    hn::And(hn::Eq(low_rounded, high_rounded),
                            hn::Le(error, hn::Load(d4, kLargestErrors))),
                    bits);
  constexpr uint8_t kThree = 7;
  if ((bits[0] & kThree) != kThree) return false;
  alignas(32) double found[4];
  hn::Store(low_rounded, d4, found);
  *hit = HitAt(triangle, found[0], found[1], found[2]);
  return true;
}

#else

HWY_INLINE bool RefineHit(const Ray& ray, const Triangle& triangle,
                          const RayGuess& guess, RayTriangleHit* hit) {
  const RaySolution x = CertifyRay(ray, triangle, RayFrame(ray, triangle),
                                   guess, ResidualOf(ray, triangle, guess));
  if (x.verdict != RayVerdict::kHit) return false;
  *hit = HitAt(triangle, x.t, x.v, x.w);
  return true;
}

#endif

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_REFINE_INL_H_
