// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_hit.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "orbox/bvh/query/rays/internal/ray_search.h"
#include "orbox/bvh/query/rays/internal/visited.h"
#include "orbox/bvh/scene/internal/scene_batch.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/ray_triangle.h"

namespace orbox {
namespace {

// Calls visit(body) for the bodies whose bounds the ray hits, in the order of
// entry. `visit` returns the largest t that is still relevant. A negative t
// ends the search.
template <typename VisitBody>
void VisitBodies(const Scene& scene, const Ray& ray,
                 const SceneOptions& options, VisitBody visit) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  Require(CheckQuery(ray));
  double limit = std::min(run.max_distance(), ray.max_t);
  scene.broad_phase().VisitAlong(ray, limit, [&](BodyId id, double) {
    run.CheckCancelled();
    if (limit >= 0 && id != options.except) limit = visit(id);
    return limit;
  });
}

// Returns the ray for one body: with the triangle that it skips there.
Ray InBody(const Ray& ray, BodyId body) {
  if (ray.skip == Ray::kSkipNothing) return ray;
  Ray alone = ray;
  alone.skip =
      ray.skip >> 32 == body ? ray.skip & 0xffffffff : Ray::kSkipNothing;
  return alone;
}

// Returns true if hit x comes before hit y.
bool IsBefore(const Scene& scene, const Ray& ray, const BodyHit& x,
              const BodyHit& y) {
  if (x.hit.t != y.hit.t) return x.hit.t < y.hit.t;
  const int order =
      CompareHits(ray, scene.body(x.body).triangle(x.hit.triangle),
                  scene.body(y.body).triangle(y.hit.triangle));
  if (order != 0) return order < 0;
  return std::tie(x.body, x.hit.triangle) < std::tie(y.body, y.hit.triangle);
}

// Returns the positions of the rays, for the order of batches.
auto PositionsOf(std::span<const Ray> rays) {
  return [rays](size_t i) { return rays[i].origin; };
}

}  // namespace

bool AnyHit(const Scene& scene, const Ray& ray, const SceneOptions& options) {
  return AnyVisited(
      [&](auto visitor) { VisitHits(scene, ray, visitor, options); });
}

size_t CountHits(const Scene& scene, const Ray& ray,
                 const SceneOptions& options) {
  return CountVisited(
      [&](auto visitor) { VisitHits(scene, ray, visitor, options); });
}

std::optional<BodyHit> ClosestHit(const Scene& scene, const Ray& ray,
                                  const SceneOptions& options) {
  const Execution run(options);
  std::optional<BodyHit> best;
  double limit = options.max_distance;
  VisitBodies(scene, ray, options, [&](BodyId id) {
    if (const auto hit =
            FirstHit(scene.body(id), InBody(ray, id), limit, run)) {
      const BodyHit found{id, *hit};
      if (!best || IsBefore(scene, ray, found, *best)) best = found;
    }
    // The exact t of an earlier hit may be slightly above this t and round to
    // it.
    if (best) {
      limit = std::min(options.max_distance,
                       std::nextafter(best->hit.t, kInfinity));
    }
    return limit;
  });
  return best;
}

std::vector<BodyHit> AllHits(const Scene& scene, const Ray& ray,
                             const SceneOptions& options) {
  auto hits = AllVisited<BodyHit>(
      [&](auto visitor) { VisitHits(scene, ray, visitor, options); });
  std::sort(hits.begin(), hits.end(), [&](const BodyHit& x, const BodyHit& y) {
    return IsBefore(scene, ray, x, y);
  });
  return hits;
}

void VisitHits(const Scene& scene, const Ray& ray, BodyHitVisitor visitor,
               const SceneOptions& options) {
  const Execution run(options);
  VisitBodies(scene, ray, options, [&](BodyId id) {
    Visit next = Visit::kContinue;
    FeedHits(
        scene.body(id), InBody(ray, id), options.max_distance,
        [&](const RayHit& hit) {
          next = visitor({id, hit});
          return next;
        },
        run);
    return next == Visit::kStop ? -1 : options.max_distance;
  });
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(const Scene& scene,
                                            std::span<const Ray> rays,
                                            const SceneOptions& options) {
  return SceneBatch(scene, rays, options)
      .RunEach<uint8_t>(PositionsOf(rays),
                        [](const auto&... args) { return AnyHit(args...); });
}

absl::StatusOr<std::vector<size_t>> CountHits(const Scene& scene,
                                              std::span<const Ray> rays,
                                              const SceneOptions& options) {
  return SceneBatch(scene, rays, options)
      .RunEach<size_t>(PositionsOf(rays),
                       [](const auto&... args) { return CountHits(args...); });
}

absl::StatusOr<std::vector<std::optional<BodyHit>>> ClosestHit(
    const Scene& scene, std::span<const Ray> rays,
    const SceneOptions& options) {
  return SceneBatch(scene, rays, options)
      .RunEach<std::optional<BodyHit>>(
          PositionsOf(rays),
          [](const auto&... args) { return ClosestHit(args...); });
}

absl::StatusOr<Lists<BodyHit>> AllHits(const Scene& scene,
                                       std::span<const Ray> rays,
                                       const SceneOptions& options) {
  return SceneBatch(scene, rays, options)
      .CollectEach<BodyHit>(PositionsOf(rays), [](const auto&... args) {
        return AllHits(args...);
      });
}

}  // namespace orbox
