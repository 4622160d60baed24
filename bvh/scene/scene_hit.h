// SPDX-License-Identifier: Apache-2.0

// Bodies of a scene, and their triangles, that a ray or a segment hits: any,
// the first, all.
//
//   std::optional<BodyHit> hit = ClosestHit(scene, Ray{eye, direction});
//   bool blocked = AnyHit(scene, Ray{p, q - p, 0, 1});
//   for (const BodyHit& h : AllHits(scene, ray)) use(h.body, h.hit);
//   auto hits = ClosestHit(scene, rays, {}, {.threads = 4});  // a batch
//   if (!hits.ok()) return hits.status();
//
// Results are exact for the moved vertices. ray_hit.h defines the limits of a
// ray, and the rules for rays and batches. Among hits at equal t, the lowest
// body and then its lowest triangle is reported. Each query has a form with run
// options (query_options.h). Single queries run in one thread.
//
// Crossings and normals are those of each body:
//
//   const TreeAtPose body = scene.body(hit->body);
//   const Vec3 normal = TriangleNormal(body, hit->hit.triangle);
//   auto crossings = CrossingsOf(body, ray, AllHits(body, ray));
//
// `skip` of a ray names a triangle of a body: SkipIn(body, triangle).
//
// Bodies are visited in the order in which the ray enters their bounds. Each
// body costs a query of its tree, with and without a pose.
//
// Queries require that the scene is up to date (scene_overlap.h). Thread-safe.
// Allocate the results.
#ifndef ORBOX_BVH_SCENE_SCENE_HIT_H_
#define ORBOX_BVH_SCENE_SCENE_HIT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/scene/body_filter.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct BodyHit {
  BodyId body = 0;
  RayHit hit;
};

// Returns the value of Ray::skip that leaves out one triangle of a body.
constexpr uint64_t SkipIn(BodyId body, uint32_t triangle) {
  return uint64_t{body} << 32 | triangle;
}

// Returns true if the ray hits anything. Stops at the first hit found.
ORBOX_EXPORT bool AnyHit(const Scene& scene, const Ray& ray,
                         const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<bool> AnyHit(const Scene& scene, const Ray& ray,
                                         const BodyFilter& filter,
                                         const RunOptions& options);

// Returns the first hit.
ORBOX_EXPORT std::optional<BodyHit> ClosestHit(const Scene& scene,
                                               const Ray& ray,
                                               const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<std::optional<BodyHit>> ClosestHit(
    const Scene& scene, const Ray& ray, const BodyFilter& filter,
    const RunOptions& options);

// Returns all hits in the order of the exact t, then of bodies and triangles.
ORBOX_EXPORT std::vector<BodyHit> AllHits(const Scene& scene, const Ray& ray,
                                          const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<std::vector<BodyHit>> AllHits(
    const Scene& scene, const Ray& ray, const BodyFilter& filter,
    const RunOptions& options);

// Batches. AnyHit returns 1 for rays that hit anything, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const Scene& scene, std::span<const Ray> rays,
    const BodyFilter& filter = {}, const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<BodyHit>>> ClosestHit(
    const Scene& scene, std::span<const Ray> rays,
    const BodyFilter& filter = {}, const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<BodyHit>> AllHits(
    const Scene& scene, std::span<const Ray> rays,
    const BodyFilter& filter = {}, const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_HIT_H_
