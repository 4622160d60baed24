// SPDX-License-Identifier: Apache-2.0

// Triangles that a ray or a segment hits: any, their number, the first, all.
//
//   std::optional<RayHit> hit = ClosestHit(tree, Ray{eye, direction});
//   bool blocked = AnyHit(tree, Ray{p, q - p, 0, /*max_t=*/1});  // a segment
//   hit = ClosestHit(PosedTree::Create(tree, pose).value(), ray);
//   for (const RayHit& h : AllHits(tree, Ray{eye, direction})) use(h);
//   VisitHits(tree, Ray{eye, direction}, [&](const RayHit& h) {
//     return h.t > 2 ? Visit::kStop : Visit::kContinue;
//   });
//   hit = ClosestHit(tree, Ray{p, d, /*min_t=*/1e-6});
//   hit = ClosestHit(tree, Ray{.origin = p, .direction = d, .skip = triangle});
//   auto hits = ClosestHit(tree, rays, {.threads = 4});  // a batch
//   if (!hits.ok()) return hits.status();
//
// A ray is the points origin + t * direction with 0 <= t <= max_t. t is in
// units of the direction's length. The direction need not have unit length.
//
// `min_t` and `skip` leave out the surface from which a ray starts: hits before
// min_t, and the triangle `skip`. A triangle in the plane of the ray has one
// hit, its first. If that is before min_t, the triangle is left out, even if it
// continues beyond min_t.
//
// The triangles that are hit, and the first of them, are exact for the given
// coordinates. For a posed tree, they are exact for its vertices, moved and
// rounded once. Touching is a hit, so no ray passes through an edge or a
// vertex. A triangle is hit once, at its first common point with the ray, even
// if the ray is in its plane. Triangles that are hit at one point, as on an
// edge, are in the order of ids.
//
// A ray is not valid if one of its numbers is not finite, except for max_t,
// which may be infinite, if a limit of t is negative, or if its direction is
// zero or so short that the t of a hit may be above the range of double: if no
// component is at least 2^-800 (1.5e-241) and 2^-1000 of the largest coordinate
// of the origin.
//
// Each query has a form with run options (query_options.h). A batch has the
// results of its single queries, in order. Its errors are those of
// query_options.h, and kInvalidArgument for more than 2^32 - 1 rays.
//
// Cost: near O(log n + hits). A posed tree also moves each triangle that is
// measured. Memory: the results. A batch takes 4 more bytes per ray, and twice
// the memory of lists. Thread-safe.
#ifndef ORBOX_BVH_QUERY_RAYS_RAY_HIT_H_
#define ORBOX_BVH_QUERY_RAYS_RAY_HIT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// A hit. t, weights and point are those of overlap/triangles/ray_triangle.h; t
// is correctly rounded. `Id` is the type of triangles' ids.
template <typename Id>
struct BasicRayHit {
  Id triangle = 0;
  double t = 0;
  Vec3 barycentric;
  Vec3 point;
};
using RayHit = BasicRayHit<uint32_t>;

// Returns true if the ray hits anything. Stops at the first hit found.
ORBOX_EXPORT bool AnyHit(TreeAtPose tree, const Ray& ray);
ORBOX_EXPORT absl::StatusOr<bool> AnyHit(TreeAtPose tree, const Ray& ray,
                                         const RunOptions& options);

// Returns the number of triangles that the ray hits.
ORBOX_EXPORT size_t CountHits(TreeAtPose tree, const Ray& ray);
ORBOX_EXPORT absl::StatusOr<size_t> CountHits(TreeAtPose tree, const Ray& ray,
                                              const RunOptions& options);

// Returns the first hit, or nothing if there is none.
ORBOX_EXPORT std::optional<RayHit> ClosestHit(TreeAtPose tree, const Ray& ray);
ORBOX_EXPORT absl::StatusOr<std::optional<RayHit>> ClosestHit(
    TreeAtPose tree, const Ray& ray, const RunOptions& options);

// Returns all hits in the order of the exact t, then of ids.
ORBOX_EXPORT std::vector<RayHit> AllHits(TreeAtPose tree, const Ray& ray);
ORBOX_EXPORT absl::StatusOr<std::vector<RayHit>> AllHits(
    TreeAtPose tree, const Ray& ray, const RunOptions& options);

// Calls `visitor` with each hit, in no particular order, until it returns
// kStop.
using RayHitVisitor = absl::FunctionRef<Visit(const RayHit& hit)>;
ORBOX_EXPORT void VisitHits(TreeAtPose tree, const Ray& ray,
                            RayHitVisitor visitor);
ORBOX_EXPORT absl::Status VisitHits(TreeAtPose tree, const Ray& ray,
                                    RayHitVisitor visitor,
                                    const RunOptions& options);

// Batches. AnyHit returns 1 for rays that hit anything, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    TreeAtPose tree, std::span<const Ray> rays, const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountHits(
    TreeAtPose tree, std::span<const Ray> rays, const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<RayHit>>> ClosestHit(
    TreeAtPose tree, std::span<const Ray> rays, const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<RayHit>> AllHits(
    TreeAtPose tree, std::span<const Ray> rays, const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RAYS_RAY_HIT_H_
