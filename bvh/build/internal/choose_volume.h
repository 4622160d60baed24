// SPDX-License-Identifier: Apache-2.0

// Chooses the kind of volume of a node's block: the cheapest one by a cost
// model, or the one that the caller forces.
//
// The model: a query is a ball of some radius r, uniform over space. The
// probability that it overlaps a convex volume K is the volume of K dilated by
// r, by Steiner's formula V + S r + M r^2 + 4/3 pi r^3 (with M the integral of
// mean curvature). A node costs the test of its block, which differs by kind,
// and for each child the probability that it is opened. The surface area
// heuristic is the limit for r far below the volumes' size. Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_CHOOSE_VOLUME_H_
#define ORBOX_BVH_BUILD_INTERNAL_CHOOSE_VOLUME_H_

#include <numbers>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The radius of the model's query, in half diagonals of the node. Queries from
// far away end with balls far larger than the nodes that they pass, queries
// near the surface with smaller ones; a tenth suits both.
inline constexpr double kRadiusShare = 0.1;

// The cost of testing a block, in units of opening a child: an oriented block
// turns the query once, and then costs the same as an aligned one. Measured:
// with 0.1, queries from far away open 3 % more leaves, and others as many.
inline constexpr double kObbTestCost = 0.05;

// For boxes: V + half S * of_half_surface + sum of edges * of_edges + constant.
struct SteinerWeights {
  explicit SteinerWeights(double r)
      : of_half_surface(2 * r),
        of_edges(std::numbers::pi * r * r),
        constant(4.0 / 3 * std::numbers::pi * r * r * r) {}

  double of_half_surface;
  double of_edges;
  double constant;
};

// The volume of K dilated by a ball of radius r, for a box with these edges and
// for a ball.
inline double DilatedBoxVolume(const Vec3& e, double r) {
  const SteinerWeights w(r);
  return e.x * e.y * e.z +
         w.of_half_surface * (e.x * e.y + e.y * e.z + e.z * e.x) +
         w.of_edges * (e.x + e.y + e.z) + w.constant;
}
inline double DilatedSphereVolume(double radius, double r) {
  const double sum = radius + r;
  return 4.0 / 3 * std::numbers::pi * sum * sum * sum;
}

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_CHOOSE_VOLUME_H_
