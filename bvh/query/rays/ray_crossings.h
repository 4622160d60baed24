// SPDX-License-Identifier: Apache-2.0

// Crossings of a ray and a surface: the hits at one point merged into one, with
// the direction in which the ray passes the surface there.
//
//   const std::vector<RayHit> hits = AllHits(tree, ray);
//   for (const RayCrossing& c : CrossingsOf(tree, ray, hits)) {
//     if (c.kind == CrossingKind::kEntering) use(c.t, hits[c.first].triangle);
//   }
//
// A ray through an edge or a vertex hits several triangles at one point. They
// are one crossing. Hits are at one point if their exact t are equal. Both the
// points and the directions are exact, for the vertices of a posed tree, moved
// and rounded once.
//
// A ray enters through the front of a triangle, the side from which its corners
// in the mesh are counterclockwise. A pose that mirrors keeps the front. At an
// edge or a vertex, the direction is that of the ray moved aside by infinitely
// little, so that it touches neither (CrossingSign in
// overlap/triangles/ray_triangle.h). So a ray that only touches the surface
// grazes it. A ray along a face is moved to one side of it, by one rule for all
// faces. There, it crosses at the ends of the face, or grazes it. In a closed
// mesh, the sum of `winding` from outside up to a crossing is the winding
// number (query/inside/inside.h) about the points after it. At a pose that
// mirrors, that number has the opposite sign. Hits that `min_t` or `skip`
// leaves out are missing in the sum.
#ifndef ORBOX_BVH_QUERY_RAYS_RAY_CROSSINGS_H_
#define ORBOX_BVH_QUERY_RAYS_RAY_CROSSINGS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

enum class CrossingKind { kEntering, kLeaving, kGrazing };

struct RayCrossing {
  CrossingKind kind = CrossingKind::kGrazing;
  // Change of the winding number: 1 where a ray enters a solid, -1 where it
  // leaves, and more where surfaces coincide. 0 if the ray grazes.
  int winding = 0;
  // t and point of the first hit.
  double t = 0;
  Vec3 point;
  // The hits at this point: hits[first], ..., hits[first + count - 1].
  size_t first = 0;
  size_t count = 0;
};

// Returns the crossings in the order of the ray. Requires the result of AllHits
// for this tree and ray. A triangle that the ray skips is missing in the sums.
// Takes about a microsecond per hit.
ORBOX_EXPORT std::vector<RayCrossing> CrossingsOf(TreeAtPose tree,
                                                  const Ray& ray,
                                                  std::span<const RayHit> hits);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RAYS_RAY_CROSSINGS_H_
