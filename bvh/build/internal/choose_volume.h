// SPDX-License-Identifier: Apache-2.0

// Chooses the kind of volume of a node: the cheapest one by a cost model, or
// the kind that the caller prescribes. Estimates the cost of a whole tree by
// the same model.
//
//   double visits = DilatedVolumes(tree, r) / DilatedBoxVolume(edges, r);
//
// The model: a query is a ball of some radius r, uniform over space. The
// probability that it overlaps a convex volume K is the volume of K dilated by
// r, by Steiner's formula V + S r + M r^2 + 4/3 pi r^3 (with M the integral of
// mean curvature). The cost of a node is that of testing its block, which
// depends on the kind, plus the probability that each child is expanded. For r
// much smaller than the volumes, the model becomes the surface area heuristic.
// Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_CHOOSE_VOLUME_H_
#define ORBOX_BVH_BUILD_INTERNAL_CHOOSE_VOLUME_H_

#include <numbers>

#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Radius of the model's query, in half diagonals of the node. The balls of
// queries from far away are much larger than the nodes that they visit; those
// of queries near the surface are smaller. A tenth suits both.
inline constexpr double kRadiusShare = 0.1;

// Cost of testing an oriented block, in units of the cost of expanding a child.
// The test rotates the query once, and then costs as much as that of an aligned
// block. With 0.1, queries from far away expand 3 % more leaves, and other
// queries the same number.
inline constexpr double kObbTestCost = 0.05;

// Weights for boxes. The cost is V + half S * of_half_surface + sum of edges *
// of_edges + constant.
struct SteinerWeights {
  explicit SteinerWeights(double r)
      : of_half_surface(2 * r),
        of_edges(std::numbers::pi * r * r),
        constant(4.0 / 3 * std::numbers::pi * r * r * r) {}

  double of_half_surface;
  double of_edges;
  double constant;
};

// Return the volume of K dilated by a ball of radius r: for a box with these
// edges, and for a ball.
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

// Returns the sum of the dilated volumes over all children of all nodes. The
// sum and `r` are in units of tree space. O(nodes).
double DilatedVolumes(const Tree& tree, double r);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_CHOOSE_VOLUME_H_
