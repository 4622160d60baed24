// SPDX-License-Identifier: Apache-2.0

// Bodies of a scene, and their triangles, that a ray or a segment hits: any,
// their number, the first, all.
//
//   std::optional<BodyHit> hit = ClosestHit(scene, Ray{eye, direction});
//   bool blocked = AnyHit(scene, Ray{p, q - p}, {.max_distance = 1});
//   for (const BodyHit& h : AllHits(scene, ray)) use(h.body, h.hit);
//   auto hits = ClosestHit(scene, rays, {.threads = 4});  // a batch
//   if (!hits.ok()) return hits.status();
//
// Results are exact for the moved vertices. ray_hit.h defines `max_distance`
// and the rules for rays and batches. Among hits at equal t, the lowest body
// and then its lowest triangle is reported. Options are those of
// scene_options.h. Single queries run in one thread; only batches call
// `progress`.
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
// Queries require that the scene is up to date (Scene::Update). Thread-safe.
// Allocate the results.
#ifndef ORBOX_BVH_SCENE_SCENE_HIT_H_
#define ORBOX_BVH_SCENE_SCENE_HIT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_options.h"
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
                         const SceneOptions& options = {});

// Returns the number of triangles that the ray hits.
ORBOX_EXPORT size_t CountHits(const Scene& scene, const Ray& ray,
                              const SceneOptions& options = {});

// Returns the first hit.
ORBOX_EXPORT std::optional<BodyHit> ClosestHit(
    const Scene& scene, const Ray& ray, const SceneOptions& options = {});

// Returns all hits in the order of the exact t, then of bodies and triangles.
ORBOX_EXPORT std::vector<BodyHit> AllHits(const Scene& scene, const Ray& ray,
                                          const SceneOptions& options = {});

// Calls `visitor` with each hit, in no particular order, until it returns
// kStop.
using BodyHitVisitor = absl::FunctionRef<Visit(const BodyHit& hit)>;
ORBOX_EXPORT void VisitHits(const Scene& scene, const Ray& ray,
                            BodyHitVisitor visitor,
                            const SceneOptions& options = {});

// Batches. AnyHit returns 1 for rays that hit anything, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const Scene& scene, std::span<const Ray> rays,
    const SceneOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountHits(
    const Scene& scene, std::span<const Ray> rays,
    const SceneOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<BodyHit>>> ClosestHit(
    const Scene& scene, std::span<const Ray> rays,
    const SceneOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<BodyHit>> AllHits(
    const Scene& scene, std::span<const Ray> rays,
    const SceneOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_HIT_H_
