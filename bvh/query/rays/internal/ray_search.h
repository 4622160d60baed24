// SPDX-License-Identifier: Apache-2.0

// Searches of ray_hit.h and sweep_hit.h. Private. Require valid rays and swept
// spheres, and limits of t that are not negative. max_t is a limit in addition
// to that of the ray or of the path.
//
//   return HitSearch<Ray>(watch).Count(tree, ray);
#ifndef ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_SEARCH_H_
#define ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/sink.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

// Passes the triangles that the ray hits to a sink, in no particular order.
ORBOX_EXPORT void FeedHits(TreeAtPose tree, const Ray& ray, double max_t,
                           IdSink& sink, const Watch& watch);

// Measures each hit and passes it to a visitor, until the visitor stops the
// search.
ORBOX_EXPORT Step FeedHits(TreeAtPose tree, const Ray& ray, double max_t,
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
  // Empty, or a further limit of t for each ray of `order`.
  std::span<const double> bounds;
};

// Sets the results of the rays in `order`, several of them interleaved.
ORBOX_EXPORT void FirstHits(TreeAtPose tree, const FirstHitsBatch& query,
                            std::span<std::optional<RayHit>> results,
                            const Watch& watch);

// The functions of a ray, for a moving ball.
ORBOX_EXPORT void FeedHits(TreeAtPose tree, const SweptSphere& ball,
                           double max_t, IdSink& sink, const Watch& watch);
ORBOX_EXPORT Step FeedHits(TreeAtPose tree, const SweptSphere& ball,
                           double max_t, SweepHitVisitor visitor,
                           const Watch& watch);
ORBOX_EXPORT std::optional<SweepHit> FirstHit(TreeAtPose tree,
                                              const SweptSphere& ball,
                                              double max_t, const Watch& watch);

// Their loops for a ball that moves. Require `max_t` <= 1, a path whose ends
// differ, and a tree without stretch (in_model.h).
void FeedMovingHits(TreeAtPose tree, const SweptSphere& ball, double max_t,
                    IdSink& sink, const Watch& watch);
std::optional<SweepHit> FirstMovingHit(TreeAtPose tree, const SweptSphere& ball,
                                       double max_t, const Watch& watch);

// Sorts hits in the order of AllHits.
ORBOX_EXPORT void SortHits(TreeAtPose tree, const Ray& ray,
                           std::vector<RayHit>* hits);
ORBOX_EXPORT void SortHits(TreeAtPose tree, const SweptSphere& ball,
                           std::vector<SweepHit>* hits);

// The forms of a query of one ray or one moving ball, on one tree.
template <typename Query>
class HitSearch {
 public:
  using Hit = std::conditional_t<std::is_same_v<Query, Ray>, RayHit, SweepHit>;

  explicit HitSearch(const Watch& watch,
                     double max_t = std::numeric_limits<double>::infinity())
      : watch_(watch), max_t_(max_t) {}

  bool Any(TreeAtPose tree, const Query& query) const {
    AnySink<uint32_t> sink;
    FeedHits(tree, query, max_t_, sink, watch_);
    return sink.is_any();
  }
  size_t Count(TreeAtPose tree, const Query& query) const {
    CountingSink<uint32_t> sink;
    FeedHits(tree, query, max_t_, sink, watch_);
    return sink.count();
  }
  std::optional<Hit> First(TreeAtPose tree, const Query& query) const {
    return FirstHit(tree, query, max_t_, watch_);
  }
  std::vector<Hit> All(TreeAtPose tree, const Query& query) const {
    std::vector<Hit> hits;
    FeedHits(
        tree, query, max_t_,
        [&](const Hit& hit) {
          hits.push_back(hit);
          return Visit::kContinue;
        },
        watch_);
    SortHits(tree, query, &hits);
    return hits;
  }

 private:
  const Watch watch_;
  const double max_t_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_SEARCH_H_
