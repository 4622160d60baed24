// SPDX-License-Identifier: Apache-2.0

// Search for the triangles nearest to a point, or to each of many points.
// Closest points, k nearest and signed distances all use this loop. Private.
//
//   class ClosestSink : public NearestSink { ... };
//   SearchNearest(tree, {.points = points, .order = order}, sink, watch);
//   SearchNearestTo(tree, p, max_distance, k, FarTies::kLowest, sink, watch);
//
// Searches of many points are interleaved, sixteen at a time
// (nearest_cursor-inl.h), unless statistics are requested. The sink gets every
// triangle that may be among the nearest, with its exact distance, in no
// particular order. It also gets triangles at equal distances, so that it can
// break ties.
#ifndef ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_SEARCH_H_
#define ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_SEARCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/internal/in_model.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct NearestBatch {
  std::span<const Vec3> points;
  // Null, or for a tree at a pose its only point. Distances are those in the
  // world.
  const PointInModel* moved = nullptr;
  // Indices of the points to search for; points that are not finite are
  // skipped.
  std::span<const uint32_t> order;
  // Triangles beyond this distance are excluded exactly. Must not be negative.
  double max_distance = std::numeric_limits<double>::infinity();
  // Empty, or an upper bound of the distance for each point of `order`, because
  // a nearer triangle is already known. Triangles beyond it may still be passed
  // to the sink.
  std::span<const double> bounds;
  // Number of triangles to find for each point, at least 1.
  size_t wanted = 1;
  // If true, distances may be slightly too large, but cost less (NearDistances
  // in point_distances-inl.h). The nearest triangles are those with the least
  // of these distances. Requires that max_distance excludes nothing.
  bool is_rough = false;

  // Returns the bound of the n-th of `order`.
  double BoundOf(size_t n) const {
    return bounds.empty() ? max_distance : std::min(max_distance, bounds[n]);
  }
};

// Order of results: by distance, then by id.
template <typename Near>
bool IsNearer(const Near& x, const Near& y) {
  return x.distance != y.distance ? x.distance < y.distance
                                  : x.triangle < y.triangle;
}

class NearestSink {
 public:
  virtual ~NearestSink() = default;

  // Receives a triangle that is near to a point of the batch. Returns the new
  // bound: a distance beyond which no triangle is wanted for this point. It
  // never increases.
  virtual double Offer(uint32_t query, const SurfacePoint& near) = 0;

  // Called after the last triangle of a point. Not called for points that are
  // not finite.
  virtual void Finish(uint32_t query) { (void)query; }
};

ORBOX_EXPORT void SearchNearest(const Tree& tree, const NearestBatch& batch,
                                NearestSink& sink, const Watch& watch);

// The triangles to report if several are equally near a point far away: any of
// them, or those with the lowest ids.
enum class FarTies { kAny, kLowest };

// Searches for the `wanted` triangles nearest to one finite point, at any
// distance and for any pose.
void SearchNearestTo(TreeAtPose given, const Vec3& p, double max_distance,
                     size_t wanted, FarTies ties, NearestSink& sink,
                     const Watch& watch);

// Returns the closest triangle, or the k nearest, within max_distance of a
// point (closest_point.h, k_nearest.h). Requires a finite point.
ORBOX_EXPORT std::optional<SurfacePoint> FindClosest(TreeAtPose tree,
                                                     const Vec3& p,
                                                     double max_distance,
                                                     const Watch& watch);
ORBOX_EXPORT std::vector<SurfacePoint> FindNearest(TreeAtPose tree,
                                                   const Vec3& p, size_t k,
                                                   double max_distance,
                                                   const Watch& watch);

// Appends to *found, for each point of the batch, the `wanted` nearest
// triangles: nearest first, and the lowest id first among ties. Sets counts[n]
// to the number of triangles of the n-th of `order`. Requires that all counts
// are 0. With bounds, triangles beyond them may or may not be included.
ORBOX_EXPORT void AppendNearest(const Tree& tree, const NearestBatch& batch,
                                std::vector<SurfacePoint>* found,
                                std::span<size_t> counts, const Watch& watch);

// Largest `wanted` for which searches are interleaved.
inline constexpr size_t kMostWantedTogether = 16;

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_SEARCH_H_
