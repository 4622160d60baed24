#include "orbox/overlap/triangles/internal/ray_solution.h"

namespace orbox {
namespace {

// One coordinate: r + v e + w f - t d, where r, e and f are given as sums of
// two doubles. Of the nine terms of `rest` and z.lo, none exceeds u M, where M
// is the sum of the magnitudes of the four products; their roundings lose less
// than 96 u^2 M, the last one left out.
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

Vec3 ResidualOf(const Ray& ray, const Triangle& triangle,
                const RayGuess& guess) {
  const auto along = [&](size_t k) {
    const double a = triangle.a[k];
    return Residual(TwoDifference(a, ray.origin[k]), guess.v,
                    TwoDifference(triangle.b[k], a), guess.w,
                    TwoDifference(triangle.c[k], a), guess.t, ray.direction[k]);
  };
  return {along(0), along(1), along(2)};
}

RaySolution SolveRay(const Ray& ray, const Triangle& triangle) {
  const RayFrame frame(ray, triangle);
  const Vec3 r = triangle.a - ray.origin;
  const RayGuess guess{Dot(frame.n, r) * frame.inverse,
                       -Dot(frame.fd, r) * frame.inverse,
                       -Dot(frame.de, r) * frame.inverse};
  return CertifyRay(ray, triangle, frame, guess,
                    ResidualOf(ray, triangle, guess));
}

}  // namespace orbox
