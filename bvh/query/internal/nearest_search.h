// SPDX-License-Identifier: Apache-2.0

// The search for the triangles nearest to a point: the one loop behind closest
// points, k nearest and signed distances, for one point or for many. Private.
//
//   class ClosestSink : public NearestSink { ... };
//   SearchNearest(tree, {.points = points, .order = order}, sink, watch);
//
// Many points are searched for sixteen at a time (nearest_cursor-inl.h), unless
// statistics are asked for. The sink is told of every triangle that may be
// among the nearest, with its exact distance, in no particular order: also of
// others at the same distance, so that it can break ties, unless enough of them
// have lower ids.
#ifndef ORBOX_BVH_QUERY_INTERNAL_NEAREST_SEARCH_H_
#define ORBOX_BVH_QUERY_INTERNAL_NEAREST_SEARCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct NearestQuestion {
  std::span<const Vec3> points;
  // Which of the points to search for; points that are not finite are skipped.
  std::span<const uint32_t> order;
  // Not negative. Triangles beyond it are left out, exactly.
  double max_distance = std::numeric_limits<double>::infinity();
  // Empty, or for each of `order` a distance beyond which nothing is of use,
  // since something nearer is known. The sink may be told of it all the same.
  std::span<const double> bounds;
  // How many triangles are sought of each point, at least 1.
  size_t wanted = 1;
  // At the least distance, but with different closest points: of so many the
  // sink is told at least, if there are as many.
  size_t ties = 1;
  // Whether the sink is told of distances that are a little too large
  // (NearDistances in point_distances-inl.h), which cost less. The nearest are
  // those of the least of these; nothing may be left out by a largest distance.
  bool is_rough = false;

  // The bound of the n-th of `order`.
  double BoundOf(size_t n) const {
    return bounds.empty() ? max_distance : std::min(max_distance, bounds[n]);
  }
};

class NearestSink {
 public:
  virtual ~NearestSink() = default;

  // A triangle that is near to a point of the question. Returns a distance
  // beyond which no more triangles are wanted for this point; it never rises.
  virtual double Take(uint32_t query, const SurfacePoint& near) = 0;

  // No more is told of this point. Not called for points that are not finite.
  virtual void Finish(uint32_t query) { (void)query; }
};

void SearchNearest(const Tree& tree, const NearestQuestion& question,
                   NearestSink& sink, const Watch& watch);

// Appends the `wanted` triangles nearest to each point of the question to
// *found, nearest first and at equal distance the lowest id first; counts[n],
// which have to be 0, become the numbers of those of the n-th of `order`. With
// bounds, some may be left out that are beyond them, or not.
void AppendNearest(const Tree& tree, const NearestQuestion& question,
                   std::vector<SurfacePoint>* found, std::span<size_t> counts,
                   const Watch& watch);

// Up to so many are sought for many points at a time.
inline constexpr size_t kMostWantedTogether = 16;

// SearchNearest for many points at a time, without statistics. Called by
// SearchNearest alone.
void SearchInterleaved(const Tree& tree, const NearestQuestion& question,
                       NearestSink& sink, const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_NEAREST_SEARCH_H_
