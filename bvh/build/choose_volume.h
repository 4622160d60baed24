// Which kind of volume should a node's block hold? The one that a cost model
// expects to be cheapest, or the one that the caller insists on.
//
//   ChooseVolumes(children, moments, Volumes::kMixed, &node);
//
// The model: a query is a ball of some radius r, uniform over space; the chance
// that it meets a convex volume K is the volume of K dilated by r, by Steiner's
// formula V + S r + M r^2 + 4/3 pi r^3 (with M the integral of mean curvature).
// A node costs the test of its block, which differs by kind, and for each child
// the chance that it is opened. The surface area heuristic is the limit of r
// far below the volumes' size. Private.
#ifndef ORBOX_BVH_BUILD_CHOOSE_VOLUME_H_
#define ORBOX_BVH_BUILD_CHOOSE_VOLUME_H_

#include <span>

#include "orbox/bvh/build/fit.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/vec3.h"

namespace orbox {

// The volume of K dilated by a ball of radius r, for a box with these edges and
// for a ball.
double DilatedBoxVolume(const Vec3& edges, double r);
double DilatedSphereVolume(double radius, double r);

// One to eight children, each the corners of its triangles in tree space.
// Writes the node's kind, frame and rows, unused lanes included.
void ChooseVolumes(std::span<const std::span<const Vec3>> children,
                   const SurfaceMoments& moments, Volumes allowed, Node* node);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_CHOOSE_VOLUME_H_
