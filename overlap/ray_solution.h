// Where does a line cross the plane of a triangle, and is that in the triangle?
// A guess in double, certified by its residual. Private: the stage of
// ray_triangle.h before exact arithmetic.
//
//   RaySolution x = SolveRay(ray, triangle);
//   if (x.verdict == RayVerdict::kHit) use(x.t);       // correctly rounded
//
// The idea: o + t d = a + v (b - a) + w (c - a) is solved in double. For the t,
// v and w found, whatever they are, the residual
//   r = (a - o) + v (b - a) + w (c - a) - t d
// is evaluated nearly without error, and since t, v and w are nearly right, it
// is so small that its own solution, again in double, corrects them to twice
// the precision of double.
#ifndef ORBOX_OVERLAP_RAY_SOLUTION_H_
#define ORBOX_OVERLAP_RAY_SOLUTION_H_

#include "orbox/overlap/shapes.h"

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
  // The weights of b and c, within 2^-52; that of a is what is left.
  double v = 0;
  double w = 0;
};

RaySolution SolveRay(const Ray& ray, const Triangle& triangle);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_RAY_SOLUTION_H_
