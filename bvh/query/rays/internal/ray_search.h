// SPDX-License-Identifier: Apache-2.0

// Loops of ray_hit.h and sweep_hit.h. Private. Require valid rays and swept
// spheres, and limits of t that are not negative.
#ifndef ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_SEARCH_H_
#define ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_SEARCH_H_

#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/traverse/internal/sink.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

// Passes the triangles that the ray hits to a sink, in no particular order.
void FeedHits(TreeAtPose tree, const Ray& ray, double max_t, IdSink& sink,
              const Watch& watch);

// Measures each hit and passes it to a visitor, until the visitor stops the
// search.
Step FeedHits(TreeAtPose tree, const Ray& ray, double max_t,
              RayHitVisitor visitor, const Watch& watch);

ORBOX_EXPORT std::optional<RayHit> FirstHit(TreeAtPose tree, const Ray& ray,
                                            double max_t, const Watch& watch);

// Returns true if the triangles are equal to the last bit, including signs of
// zeros. A ray hits both at the same point.
inline bool AreCopies(const Triangle& s, const Triangle& t) {
  return s.a.x == t.a.x && std::memcmp(&s, &t, sizeof(Triangle)) == 0;
}

struct FirstHitsBatch {
  std::span<const Ray> rays;
  std::span<const uint32_t> order;  // indices of the rays to query
  double max_t = std::numeric_limits<double>::infinity();
  // Empty, or a limit of t for each ray of `order`, used instead of max_t.
  std::span<const double> bounds;
};

// Sets the results of the rays in `order`, several of them interleaved.
ORBOX_EXPORT void FirstHits(TreeAtPose tree, const FirstHitsBatch& query,
                            std::span<std::optional<RayHit>> results,
                            const Watch& watch);

// Like FeedHits of a ray, for a moving ball. Requires `max_t` <= 1 and a path
// whose ends differ.
void FeedHits(TreeAtPose tree, const SweptSphere& ball, double max_t,
              IdSink& sink, const Watch& watch);

ORBOX_EXPORT std::optional<SweepHit> FirstHit(TreeAtPose tree,
                                              const SweptSphere& ball,
                                              double max_t, const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_SEARCH_H_
