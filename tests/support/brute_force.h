// SPDX-License-Identifier: Apache-2.0

// The results of the queries, by testing every triangle: the oracle of the
// tree.
//
// The tests of single triangles that this relies on have oracles of their own
// in exact rationals (tests/overlap). Nothing here knows of trees.
#ifndef ORBOX_TESTS_SUPPORT_BRUTE_FORCE_H_
#define ORBOX_TESTS_SUPPORT_BRUTE_FORCE_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox::brute_force {

template <typename Shape>
std::vector<uint32_t> InRange(const Mesh& mesh, const Shape& shape) {
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    if (Overlaps(shape, mesh.triangle(i))) ids.push_back(i);
  }
  return ids;
}

// All triangles within `max_distance`, nearest first, then by id.
inline std::vector<SurfacePoint> Nearest(
    const Mesh& mesh, const Vec3& p,
    double max_distance = std::numeric_limits<double>::infinity()) {
  std::vector<SurfacePoint> points;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    if (!WithinDistance(p, mesh.triangle(i), max_distance)) continue;
    const PointTriangleDistance d = Distance(p, mesh.triangle(i));
    points.push_back({i, d.distance, d.closest});
  }
  std::sort(points.begin(), points.end(),
            [](const SurfacePoint& x, const SurfacePoint& y) {
              return x.distance != y.distance ? x.distance < y.distance
                                              : x.triangle < y.triangle;
            });
  return points;
}

inline std::vector<TrianglePair> Overlapping(const Mesh& a, const Mesh& b) {
  std::vector<TrianglePair> pairs;
  for (uint32_t i = 0; i < a.triangle_count(); ++i) {
    for (uint32_t j = 0; j < b.triangle_count(); ++j) {
      if (Overlaps(a.triangle(i), b.triangle(j))) pairs.push_back({i, j});
    }
  }
  return pairs;
}

inline std::vector<PairDistance> Within(const Mesh& a, const Mesh& b,
                                        double distance) {
  std::vector<PairDistance> pairs;
  for (uint32_t i = 0; i < a.triangle_count(); ++i) {
    for (uint32_t j = 0; j < b.triangle_count(); ++j) {
      const Triangle s = a.triangle(i);
      const Triangle t = b.triangle(j);
      if (!WithinDistance(s, t, distance)) continue;
      pairs.push_back({{i, j}, std::min(Distance(s, t).distance, distance)});
    }
  }
  return pairs;
}

// Nothing where no pair is within `max_distance`.
inline std::optional<Witness> ClosestWithin(const Mesh& a, const Mesh& b,
                                            double max_distance) {
  std::optional<Witness> best;
  for (const PairDistance& pair : Within(a, b, max_distance)) {
    if (best && pair.distance >= best->distance) continue;
    const TrianglePair& ids = pair.triangles;
    const TrianglePairDistance d =
        Distance(a.triangle(ids.a), b.triangle(ids.b));
    best = {ids, d.distance, d.on_first, d.on_second};
  }
  return best;
}

inline Witness Closest(const Mesh& a, const Mesh& b) {
  return *ClosestWithin(a, b, std::numeric_limits<double>::infinity());
}

}  // namespace orbox::brute_force

#endif  // ORBOX_TESTS_SUPPORT_BRUTE_FORCE_H_
