// SPDX-License-Identifier: Apache-2.0

// The crossing of a line with the plane of a triangle, and a test if the
// crossing is in the triangle. A guess is certified by its residual. Private:
// the stage of ray_triangle.h before exact arithmetic.
//
//   RaySolution x = SolveRay(ray, triangle);
//   if (x.verdict == RayVerdict::kHit) use(x.t);       // correctly rounded
//
// The equation to solve is o + t d = a + v (b - a) + w (c - a). For any t, v
// and w, the residual
//   r = (a - o) + v (b - a) + w (c - a) - t d
// can be evaluated nearly without error. If t, v and w are nearly correct, r is
// very small. Solving the equation for r, in double, then adds as many digits
// to t, v and w as a double has.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_SOLUTION_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_SOLUTION_H_

#include <algorithm>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/ray_triangle.h"

namespace orbox {

enum class RayVerdict {
  kMiss,  // certainly no point of the ray, of any length, is in the triangle
  kHit,   // certainly one point is
  kUndecided,  // on an edge, nearly in the plane, ...; no other member is set
};

struct RaySolution {
  RayVerdict verdict = RayVerdict::kUndecided;
  // The other members are set for hits only. t is correctly rounded; the exact
  // value is within t + rest +- slack.
  double t = 0;
  double rest = 0;
  double slack = 0;
  // The weights of b and c, rounded by RoundedWeight.
  double v = 0;
  double w = 0;
};

// Reports only hits inside the triangle.
RaySolution SolveRay(const Ray& ray, const Triangle& triangle);

// SolveRay with the number types of bounded.h. These also decide edges, corners
// and lines that graze the plane (ray_volumes-inl.h).
RaySolution SolveRayClosely(const Ray& ray, const Triangle& triangle);

// Returns the weight, rounded to a multiple of 2^-52, so that the weights of
// the three corners add up to exactly 1. Requires 0 <= w <= 1.
inline double RoundedWeight(double w) { return (w + 1) - 1; }

// Returns the hit to report. v and w are rounded weights.
RayTriangleHit HitAt(const Triangle& triangle, double t, double v, double w);

// An approximate solution. Any three numbers are legal. The result is better if
// they are close to the solution.
struct RayGuess {
  double t;
  double v;
  double w;
};

// Implementation.

inline RayTriangleHit HitAt(const Triangle& triangle, double t, double v,
                            double w) {
  // Both weights may have been rounded up.
  w = std::min(w, 1 - v);
  const double u = (1 - v) - w;
  return {t, {u, v, w}, triangle.a * u + triangle.b * v + triangle.c * w};
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_SOLUTION_H_
