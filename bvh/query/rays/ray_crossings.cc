// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/rays/ray_crossings.h"

#include "orbox/bvh/posed/internal/mirrors.h"
#include "orbox/overlap/triangles/ray_triangle.h"

namespace orbox {

std::vector<RayCrossing> CrossingsOf(TreeAtPose tree, const Ray& ray,
                                     std::span<const RayHit> hits) {
  const int front = Mirrors(tree) ? -1 : 1;
  std::vector<RayCrossing> crossings;
  Triangle last;
  for (size_t i = 0; i < hits.size(); ++i) {
    const Triangle triangle = tree.triangle(hits[i].triangle);
    if (crossings.empty() || crossings.back().t != hits[i].t ||
        CompareHits(ray, last, triangle) != 0) {
      crossings.push_back({.t = hits[i].t, .point = hits[i].point, .first = i});
    }
    RayCrossing& crossing = crossings.back();
    ++crossing.count;
    crossing.winding -= front * CrossingSign(ray, triangle);
    last = triangle;
  }
  for (RayCrossing& c : crossings) {
    if (c.winding != 0) {
      c.kind = c.winding > 0 ? CrossingKind::kEntering : CrossingKind::kLeaving;
    }
  }
  return crossings;
}

}  // namespace orbox
