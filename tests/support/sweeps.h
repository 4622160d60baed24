// SPDX-License-Identifier: Apache-2.0

// Time within which two contacts of a moving ball count as one: the rule of
// orbox/bvh/query/rays/sweep_hit.h, for tests.
#ifndef ORBOX_TESTS_SUPPORT_SWEEPS_H_
#define ORBOX_TESTS_SUPPORT_SWEEPS_H_

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox::oracle {

// 2^-42 S / |to - from|, and a bit more; infinity if that is larger than any
// double. Requires that the ball moves.
inline double Together(const Mesh& mesh, const SweptSphere& ball) {
  double largest =
      std::max(MaxCoordinate(Abs(ball.from)), MaxCoordinate(Abs(ball.to)));
  for (const Vec3& v : mesh.vertices()) {
    largest = std::max(largest, MaxCoordinate(Abs(v)));
  }
  // In a unit in which nothing under- or overflows.
  const int exponent = -std::ilogb(largest);
  const auto in_units = [exponent](const Vec3& v) {
    return Vec3{std::ldexp(v.x, exponent), std::ldexp(v.y, exponent),
                std::ldexp(v.z, exponent)};
  };
  const Vec3 start = in_units(ball.from);
  const Vec3 way = in_units(ball.to) - start;
  double size = MaxCoordinate(Abs(way));
  for (const Vec3& v : mesh.vertices()) {
    size = std::max(size, MaxCoordinate(Abs(in_units(v) - start)));
  }
  const double length = SafeNorm(way);
  if (!(length > 0)) return std::numeric_limits<double>::infinity();
  return 0x1.0001p-42 * size / length;
}

}  // namespace orbox::oracle

#endif  // ORBOX_TESTS_SUPPORT_SWEEPS_H_
