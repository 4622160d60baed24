// SPDX-License-Identifier: Apache-2.0

// Sorts hits of a ray in the order of the exact t, then of triangles. Private.
//
//   HitOrder(ray, [&](const RayHit& hit) { return mesh.triangle(hit.triangle);
//   })
//       .Sort(&hits);
//
// A Hit has `t`, correctly rounded, and `triangle`, an id. Few comparisons need
// exact arithmetic. Most hits with the same rounded t are at one point, as in a
// fan of triangles, and each is compared only with the pivot.
#ifndef ORBOX_BVH_QUERY_RAYS_INTERNAL_HIT_ORDER_H_
#define ORBOX_BVH_QUERY_RAYS_INTERNAL_HIT_ORDER_H_

#include <algorithm>
#include <span>
#include <vector>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/ray_corners.h"
#include "orbox/overlap/triangles/ray_triangle.h"

namespace orbox {

template <typename TriangleOf>
class HitOrder {
 public:
  // Refers to the ray.
  HitOrder(const Ray& ray, TriangleOf triangle_of)
      : ray_(ray), triangle_of_(triangle_of) {}

  template <typename Hit>
  void Sort(std::vector<Hit>* hits) const {
    std::sort(hits->begin(), hits->end(), [](const Hit& x, const Hit& y) {
      return x.t != y.t ? x.t < y.t : x.triangle < y.triangle;
    });
    const auto are_alike = [](const Hit& x, const Hit& y) {
      return x.t == y.t;
    };
    auto begin = std::adjacent_find(hits->begin(), hits->end(), are_alike);
    while (begin != hits->end()) {
      const auto end =
          std::find_if(begin, hits->end(),
                       [t = begin->t](const Hit& x) { return x.t != t; });
      RayCorners corners(ray_);
      SortAlike(std::span<Hit>(begin, end), corners);
      begin = std::adjacent_find(end, hits->end(), are_alike);
    }
  }

 private:
  template <typename Hit>
  int Compare(const Hit& x, const Hit& y, const RayCorners& corners) const {
    const Triangle s = triangle_of_(x);
    const Triangle t = triangle_of_(y);
    return corners.AreHitAlike(s, t) ? 0 : CompareHits(ray_, s, t);
  }

  // Sorts hits with equal rounded t. Requires that their triangles ascend.
  template <typename Hit>
  void SortAlike(std::span<Hit> hits, RayCorners& corners) const {
    if (hits.size() < 2) return;
    const Hit pivot = hits[hits.size() / 2];
    // Stores the corner at which the pivot is hit, if there is one.
    corners.Intersect(triangle_of_(pivot), ray_.max_t, nullptr);
    std::vector<Hit> sorted[3];  // sooner, alike, later
    for (const Hit& hit : hits) {
      const int order =
          hit.triangle == pivot.triangle ? 0 : Compare(hit, pivot, corners);
      sorted[1 + (order > 0) - (order < 0)].push_back(hit);
    }
    const bool are_few_alike = sorted[1].size() < hits.size() / 4;
    auto next = hits.begin();
    for (std::vector<Hit>& part : sorted) {
      const auto begin = next;
      next = std::copy(part.begin(), part.end(), next);
      if (&part == &sorted[1]) continue;
      if (are_few_alike) {
        std::stable_sort(begin, next, [&](const Hit& x, const Hit& y) {
          return Compare(x, y, corners) < 0;
        });
      } else {
        SortAlike(std::span<Hit>(begin, next), corners);
      }
    }
  }

  const Ray& ray_;
  const TriangleOf triangle_of_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RAYS_INTERNAL_HIT_ORDER_H_
