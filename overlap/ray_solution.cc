#include "orbox/overlap/ray_solution.h"

#include <cmath>

#include "orbox/overlap/error_free.h"

namespace orbox {
namespace {

constexpr double kU = 0x1p-53;  // relative error of one rounding to nearest

// Between these, products of four lengths stay finite, and what underflow loses
// is below the errors that are allowed for or below kTiny.
constexpr double kLargest = 0x1p200;
constexpr double kLargestUnknown = 0x1p500;
constexpr double kLeastDeterminant = 0x1p-800;
constexpr double kTiny = 0x1p-1060;

double Largest(const Vec3& v) { return MaxCoordinate(Abs(v)); }

// One coordinate of the residual: r + v e + w f - t d, where r, e and f are
// given as sums of two doubles. Of the eight terms of `rest`, none exceeds u M,
// where M is the sum of the magnitudes of the four products; its roundings,
// with the last one left out, lose less than 96 u^2 M.
inline double Residual(const DoubleDouble& r, double v, const DoubleDouble& e,
                       double w, const DoubleDouble& f, double t, double d) {
  const DoubleDouble ve = TwoProduct(v, e.hi);
  const DoubleDouble wf = TwoProduct(w, f.hi);
  const DoubleDouble td = TwoProduct(-t, d);
  const DoubleDouble x = TwoSum(ve.hi, wf.hi);
  const DoubleDouble y = TwoSum(r.hi, td.hi);
  const DoubleDouble z = TwoSum(x.hi, y.hi);
  const double rest = ((r.lo + td.lo) + (x.lo + y.lo)) +
                      ((ve.lo + v * e.lo) + (wf.lo + w * f.lo));
  return z.hi + (z.lo + rest);
}

}  // namespace

RaySolution SolveRay(const Ray& ray, const Triangle& triangle) {
  RaySolution solution;
  const Vec3& o = ray.origin;
  const Vec3& d = ray.direction;
  const Vec3& a = triangle.a;
  const Vec3 e = triangle.b - a;
  const Vec3 f = triangle.c - a;
  const Vec3 r = a - o;
  const Vec3 n = Cross(e, f);
  const Vec3 fd = Cross(f, d);
  const Vec3 de = Cross(d, e);
  const double determinant = Dot(n, d);
  const double inverse = 1 / determinant;
  const double t = Dot(n, r) * inverse;
  const double v = -Dot(fd, r) * inverse;
  const double w = -Dot(de, r) * inverse;

  // Each component of n is off by at most 5 u times 2 |e| |f| in maximum norms:
  // both factors, the product and the difference rounded; the determinant by
  // 8 u times 6 |e| |f| |d|.
  const double e_size = Largest(e);
  const double f_size = Largest(f);
  const double d_size = Largest(d);
  const double volume = e_size * f_size * d_size;
  const double determinant_error = 48 * kU * volume;
  const double magnitude = Largest(r) + std::abs(v) * e_size +
                           std::abs(w) * f_size + std::abs(t) * d_size;
  const double unknowns = std::abs(t) + std::abs(v) + std::abs(w);
  const bool in_range = std::abs(determinant) >= kLeastDeterminant &&
                        determinant_error <= 0x1p-10 * std::abs(determinant) &&
                        e_size <= kLargest && f_size <= kLargest &&
                        d_size <= kLargest && magnitude <= kLargest &&
                        unknowns <= kLargestUnknown;
  if (!in_range) return solution;

  const Vec3 residual{
      Residual(TwoDifference(a.x, o.x), v, TwoDifference(triangle.b.x, a.x), w,
               TwoDifference(triangle.c.x, a.x), t, d.x),
      Residual(TwoDifference(a.y, o.y), v, TwoDifference(triangle.b.y, a.y), w,
               TwoDifference(triangle.c.y, a.y), t, d.y),
      Residual(TwoDifference(a.z, o.z), v, TwoDifference(triangle.b.z, a.z), w,
               TwoDifference(triangle.c.z, a.z), t, d.z)};
  // Cramer's rule once more. Each numerator is a sum of three products with a
  // cross product's component as above: off by 10 u times 6 |e| |f| |residual|,
  // and by 6 |e| |f| times the error of the residual's components; each
  // quotient by the relative error of the determinant, too.
  const double residual_size = Largest(residual);
  const double residual_error =
      128 * kU * kU * magnitude + kU * residual_size + kTiny;
  const double numerator_error = 64 * kU * residual_size + 7 * residual_error;
  const double size = std::abs(inverse);
  const double dt = Dot(n, residual) * inverse;
  const double dv = -Dot(fd, residual) * inverse;
  const double dw = -Dot(de, residual) * inverse;
  const auto error_of = [&](double correction, double product) {
    return 1.05 * size *
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
  if (v_high < 0 || w_high < 0 || t_high < 0) {
    solution.verdict = RayVerdict::kMiss;
    return solution;
  }
  const DoubleDouble sum = TwoSum(v, w);
  const double sum_rest = sum.lo + (dv + dw);
  const double sum_error =
      1.05 * (dv_error + dw_error) + 4 * kU * std::abs(sum_rest);
  if ((sum.hi - 1) + (sum_rest - sum_error) > 0) {
    solution.verdict = RayVerdict::kMiss;
    return solution;
  }
  const bool is_inside = v_low > 0 && w_low > 0 && t_low > 0 &&
                         (sum.hi - 1) + (sum_rest + sum_error) < 0;
  constexpr double kWeightError = 0x1p-53;
  if (!is_inside || t_low != t_high || dv_error > kWeightError ||
      dw_error > kWeightError) {
    return solution;
  }
  const DoubleDouble rounded = TwoSum(t, dt);
  if (rounded.hi != t_low) return solution;
  solution.verdict = RayVerdict::kHit;
  solution.t = rounded.hi;
  solution.rest = rounded.lo;
  solution.slack = dt_error;
  solution.v = v + dv;
  solution.w = w + dw;
  return solution;
}

}  // namespace orbox
