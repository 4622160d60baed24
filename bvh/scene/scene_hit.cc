// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_hit.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/bvh/query/rays/internal/ray_search.h"
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
void VisitBodies(const Scene& scene, const Ray& ray, const BodyFilter& filter,
                 const Execution& run, VisitBody visit) {
  double limit = ray.max_t;
  scene.broad_phase().VisitAlong(ray, limit, [&](BodyId id, double) {
    run.CheckCancelled();
    if (limit >= 0 && id != filter.except) limit = visit(id);
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

bool FindAnyHit(const Scene& scene, const Ray& ray, const BodyFilter& filter,
                const Execution& run) {
  bool is_any = false;
  VisitBodies(scene, ray, filter, run, [&](BodyId id) {
    AnySink<uint32_t> sink;
    FeedHits(scene.body(id), InBody(ray, id), ray.max_t, sink, run);
    is_any = sink.is_any();
    return is_any ? -1 : ray.max_t;
  });
  return is_any;
}

std::optional<BodyHit> FindClosestHit(const Scene& scene, const Ray& ray,
                                      const BodyFilter& filter,
                                      const Execution& run) {
  std::optional<BodyHit> best;
  double limit = ray.max_t;
  VisitBodies(scene, ray, filter, run, [&](BodyId id) {
    if (const auto hit =
            FirstHit(scene.body(id), InBody(ray, id), limit, run)) {
      const BodyHit found{id, *hit};
      if (!best || IsBefore(scene, ray, found, *best)) best = found;
    }
    // The exact t of an earlier hit may be slightly above this t and round to
    // it.
    if (best) {
      limit = std::min(ray.max_t, std::nextafter(best->hit.t, kInfinity));
    }
    return limit;
  });
  return best;
}

std::vector<BodyHit> FindHits(const Scene& scene, const Ray& ray,
                              const BodyFilter& filter, const Execution& run) {
  std::vector<BodyHit> hits;
  VisitBodies(scene, ray, filter, run, [&](BodyId id) {
    const auto add = [&](const RayHit& hit) {
      hits.push_back({id, hit});
      return Visit::kContinue;
    };
    FeedHits(scene.body(id), InBody(ray, id), ray.max_t, add, run);
    return ray.max_t;
  });
  std::sort(hits.begin(), hits.end(), [&](const BodyHit& x, const BodyHit& y) {
    return IsBefore(scene, ray, x, y);
  });
  return hits;
}

// Returns the positions of the rays, for the order of batches.
auto PositionsOf(std::span<const Ray> rays) {
  return [rays](size_t i) { return rays[i].origin; };
}

}  // namespace

bool AnyHit(const Scene& scene, const Ray& ray, const BodyFilter& filter) {
  return ValueOrEnd(AnyHit(scene, ray, filter, RunOptions()));
}

absl::StatusOr<bool> AnyHit(const Scene& scene, const Ray& ray,
                            const BodyFilter& filter,
                            const RunOptions& options) {
  return RunWith(options, scene, CheckQuery(ray), [&](const Execution& run) {
    return FindAnyHit(scene, ray, filter, run);
  });
}

std::optional<BodyHit> ClosestHit(const Scene& scene, const Ray& ray,
                                  const BodyFilter& filter) {
  return ValueOrEnd(ClosestHit(scene, ray, filter, RunOptions()));
}

absl::StatusOr<std::optional<BodyHit>> ClosestHit(const Scene& scene,
                                                  const Ray& ray,
                                                  const BodyFilter& filter,
                                                  const RunOptions& options) {
  return RunWith(options, scene, CheckQuery(ray), [&](const Execution& run) {
    return FindClosestHit(scene, ray, filter, run);
  });
}

std::vector<BodyHit> AllHits(const Scene& scene, const Ray& ray,
                             const BodyFilter& filter) {
  return ValueOrEnd(AllHits(scene, ray, filter, RunOptions()));
}

absl::StatusOr<std::vector<BodyHit>> AllHits(const Scene& scene, const Ray& ray,
                                             const BodyFilter& filter,
                                             const RunOptions& options) {
  return RunWith(options, scene, CheckQuery(ray), [&](const Execution& run) {
    return FindHits(scene, ray, filter, run);
  });
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(const Scene& scene,
                                            std::span<const Ray> rays,
                                            const BodyFilter& filter,
                                            const RunOptions& options) {
  return SceneBatch(scene, rays, options)
      .RunEach<uint8_t>(PositionsOf(rays),
                        [&](const Ray& ray, const Execution& run) {
                          return FindAnyHit(scene, ray, filter, run);
                        });
}

absl::StatusOr<std::vector<std::optional<BodyHit>>> ClosestHit(
    const Scene& scene, std::span<const Ray> rays, const BodyFilter& filter,
    const RunOptions& options) {
  return SceneBatch(scene, rays, options)
      .RunEach<std::optional<BodyHit>>(
          PositionsOf(rays), [&](const Ray& ray, const Execution& run) {
            return FindClosestHit(scene, ray, filter, run);
          });
}

absl::StatusOr<Lists<BodyHit>> AllHits(const Scene& scene,
                                       std::span<const Ray> rays,
                                       const BodyFilter& filter,
                                       const RunOptions& options) {
  return SceneBatch(scene, rays, options)
      .CollectEach<BodyHit>(PositionsOf(rays),
                            [&](const Ray& ray, const Execution& run) {
                              return FindHits(scene, ray, filter, run);
                            });
}

}  // namespace orbox
