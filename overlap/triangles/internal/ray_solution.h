// Where does a line cross the plane of a triangle, and is that in the triangle?
// A guess, certified by its residual. Private: the stage of ray_triangle.h
// before exact arithmetic.
//
//   RaySolution x = SolveRay(ray, triangle);
//   if (x.verdict == RayVerdict::kHit) use(x.t);       // correctly rounded
//
// The idea: o + t d = a + v (b - a) + w (c - a) is to be solved. For any t, v
// and w, the residual
//   r = (a - o) + v (b - a) + w (c - a) - t d
// can be evaluated nearly without error; and where they are nearly right, it is
// so small that its own solution, in double, adds as many digits to them as
// double has.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_SOLUTION_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_SOLUTION_H_

#include <algorithm>
#include <cmath>

#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/ray_triangle.h"

namespace orbox {

enum class RayVerdict {
  kMiss,  // certainly no point of the ray, however long, is in the triangle
  kHit,   // certainly one is, inside of the triangle
  kOpen,  // on an edge, nearly in the plane, ...: nothing else is set
};

struct RaySolution {
  RayVerdict verdict = RayVerdict::kOpen;
  // The rest is of hits only. Correctly rounded; the exact value lies in
  // t + rest +- slack.
  double t = 0;
  double rest = 0;
  double slack = 0;
  // The weights of b and c, as RoundedWeight has them.
  double v = 0;
  double w = 0;
};

RaySolution SolveRay(const Ray& ray, const Triangle& triangle);

// Weights are rounded to multiples of 2^-52, so that those of the three corners
// add up to 1. Requires 0 <= w <= 1.
inline double RoundedWeight(double w) { return (w + 1) - 1; }

// What is reported of a hit; v and w are rounded weights.
RayTriangleHit HitAt(const Triangle& triangle, double t, double v, double w);

// Any three numbers: the closer to the truth, the better.
struct RayGuess {
  double t;
  double v;
  double w;
};

// What double makes of the triangle: e and f are its edges from a, the products
// are those that Cramer's rule needs.
struct RayFrame {
  Vec3 e;
  Vec3 f;
  Vec3 n;   // e x f
  Vec3 fd;  // f x d
  Vec3 de;  // d x e
  double determinant;
  double inverse;  // 1 / determinant

  RayFrame(const Ray& ray, const Triangle& triangle);
};

// The residual of the guess: each coordinate is off by at most 128 u^2 of the
// sum of the magnitudes of its four terms, plus u of itself (u = 2^-53).
Vec3 ResidualOf(const Ray& ray, const Triangle& triangle,
                const RayGuess& guess);

// What the residual of a guess says of the solution.
RaySolution CertifyRay(const Ray& ray, const Triangle& triangle,
                       const RayFrame& frame, const RayGuess& guess,
                       const Vec3& residual);

// Implementation.

inline RayTriangleHit HitAt(const Triangle& triangle, double t, double v,
                            double w) {
  // Both may have been rounded up.
  w = std::min(w, 1 - v);
  const double u = (1 - v) - w;
  return {t, {u, v, w}, triangle.a * u + triangle.b * v + triangle.c * w};
}

inline RayFrame::RayFrame(const Ray& ray, const Triangle& triangle)
    : e(triangle.b - triangle.a),
      f(triangle.c - triangle.a),
      n(Cross(e, f)),
      fd(Cross(f, ray.direction)),
      de(Cross(ray.direction, e)),
      determinant(Dot(n, ray.direction)),
      inverse(1 / determinant) {}

namespace ray_internal {

inline constexpr double kU = 0x1p-53;  // relative error of a rounding

// Between these, products of four lengths stay finite, and what underflow loses
// is below the errors that are allowed for or below kTiny.
inline constexpr double kLargest = 0x1p200;
inline constexpr double kLargestUnknown = 0x1p500;
inline constexpr double kLeastDeterminant = 0x1p-800;
inline constexpr double kTiny = 0x1p-1060;

// Weights known less well than this are left to exact arithmetic.
inline constexpr double kWeightError = 0x1p-54;

inline double Largest(const Vec3& v) { return MaxCoordinate(Abs(v)); }

}  // namespace ray_internal

inline RaySolution CertifyRay(const Ray& ray, const Triangle& triangle,
                              const RayFrame& frame, const RayGuess& guess,
                              const Vec3& residual) {
  using namespace ray_internal;  // NOLINT: constants of this function
  RaySolution solution;
  const auto [t, v, w] = guess;
  // Each component of n is off by at most 5 u times 2 |e| |f| in maximum norms:
  // both factors, the product and the difference rounded; the determinant by
  // 8 u times 6 |e| |f| |d|.
  const double e_size = Largest(frame.e);
  const double f_size = Largest(frame.f);
  const double d_size = Largest(ray.direction);
  const double determinant_error = 48 * kU * (e_size * f_size * d_size);
  const double magnitude = Largest(triangle.a - ray.origin) +
                           std::abs(v) * e_size + std::abs(w) * f_size +
                           std::abs(t) * d_size;
  const double unknowns = std::abs(t) + std::abs(v) + std::abs(w);
  const double size = std::abs(frame.determinant);
  const bool in_range =
      size >= kLeastDeterminant && determinant_error <= 0x1p-10 * size &&
      e_size <= kLargest && f_size <= kLargest && d_size <= kLargest &&
      magnitude <= kLargest && unknowns <= kLargestUnknown;
  if (!in_range) return solution;

  // Cramer's rule. Each numerator is a sum of three products with a cross
  // product's component as above: off by 10 u times 6 |e| |f| |residual|, and
  // by 6 |e| |f| times the error of the residual's components; each quotient by
  // the relative error of the determinant, too.
  const double residual_size = Largest(residual);
  const double residual_error =
      128 * kU * kU * magnitude + kU * residual_size + kTiny;
  const double numerator_error = 64 * kU * residual_size + 7 * residual_error;
  const double dt = Dot(frame.n, residual) * frame.inverse;
  const double dv = -Dot(frame.fd, residual) * frame.inverse;
  const double dw = -Dot(frame.de, residual) * frame.inverse;
  const auto error_of = [&](double correction, double product) {
    return 1.05 * std::abs(frame.inverse) *
               (product * numerator_error +
                std::abs(correction) * determinant_error + kTiny) +
           4 * kU * std::abs(correction) + kTiny;
  };
  const double dt_error = error_of(dt, e_size * f_size);
  const double dv_error = error_of(dv, f_size * d_size);
  const double dw_error = error_of(dw, d_size * e_size);

  // Rounding is monotonic: a sum that is rounded to something positive is
  // positive.
  const double v_low = v + (dv - dv_error);
  const double w_low = w + (dw - dw_error);
  const double v_high = v + (dv + dv_error);
  const double w_high = w + (dw + dw_error);
  const double t_low = t + (dt - dt_error);
  const double t_high = t + (dt + dt_error);
  const DoubleDouble sum = TwoSum(v, w);
  const double sum_rest = sum.lo + (dv + dw);
  const double sum_error =
      1.05 * (dv_error + dw_error) + 4 * kU * std::abs(sum_rest);
  const double above_one = sum.hi - 1;
  if (v_high < 0 || w_high < 0 || t_high < 0 ||
      above_one + (sum_rest - sum_error) > 0) {
    solution.verdict = RayVerdict::kMiss;
    return solution;
  }
  const bool is_inside = v_low > 0 && w_low > 0 && t_low > 0 &&
                         above_one + (sum_rest + sum_error) < 0;
  const DoubleDouble rounded = TwoSum(t, dt);
  solution.v = RoundedWeight(v_low);
  solution.w = RoundedWeight(w_low);
  const bool is_known = t_low == t_high && rounded.hi == t_low &&
                        dv_error <= kWeightError && dw_error <= kWeightError &&
                        solution.v == RoundedWeight(v_high) &&
                        solution.w == RoundedWeight(w_high);
  if (!is_inside || !is_known) return solution;
  solution.verdict = RayVerdict::kHit;
  solution.t = rounded.hi;
  solution.rest = rounded.lo;
  solution.slack = dt_error;
  return solution;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_SOLUTION_H_
