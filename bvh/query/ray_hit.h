// SPDX-License-Identifier: Apache-2.0

// What does a ray, or a segment, hit: anything, how much, what first, what all?
//
//   std::optional<RayHit> hit = ClosestHit(tree, Ray{eye, direction});
//   bool blocked = AnyHit(tree, Ray{p, q - p}, {.max_distance = 1});
//   for (const RayHit& h : AllHits(tree, Ray{eye, direction})) use(h);
//   VisitHits(tree, Ray{eye, direction}, [&](const RayHit& h) {
//     return h.t > 2 ? Visit::kStop : Visit::kContinue;
//   });
//   auto hits = ClosestHit(tree, rays, {.threads = 4});  // a batch
//   if (!hits.ok()) return hits.status();
//
// A ray is the points origin + t * direction with 0 <= t <= max_distance:
// `max_distance` limits t, which is in units of the direction's length. The
// direction need not have unit length.
//
// Exact: which triangles are hit, and which of them first, is what exact
// arithmetic on the given coordinates finds. Touching is a hit, so that no ray
// slips through an edge or a vertex. A triangle is hit once, at the first point
// that it has in common with the ray, also where the ray lies in its plane.
// The lowest id comes first where triangles are hit at the same point, as on an
// edge. A ray whose direction is zero, or whose numbers are not finite, is not
// valid.
//
// A batch has the answers of its single questions, each at its own place. Its
// errors are those of query_options.h, and kInvalidArgument for more than
// 2^32 - 1 rays. `progress` is called by batches alone.
//
// Cost: near O(log n + hits). Memory: the results; 4 bytes a ray of a batch,
// and lists twice. Thread-safe.
#ifndef ORBOX_BVH_QUERY_RAY_HIT_H_
#define ORBOX_BVH_QUERY_RAY_HIT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// t, weights and point are those of overlap/triangles/ray_triangle.h: t is
// correctly rounded.
struct RayHit {
  uint32_t triangle = 0;
  double t = 0;
  Vec3 barycentric;
  Vec3 point;
};

// Whether the ray hits anything. Stops at the first hit found.
ORBOX_EXPORT bool AnyHit(const Tree& tree, const Ray& ray,
                         const QueryOptions& options = {});

// How many triangles the ray hits.
ORBOX_EXPORT size_t CountHits(const Tree& tree, const Ray& ray,
                              const QueryOptions& options = {});

// What the ray hits first.
ORBOX_EXPORT std::optional<RayHit> ClosestHit(const Tree& tree, const Ray& ray,
                                              const QueryOptions& options = {});

// All hits in the order of the exact t, then of ids.
ORBOX_EXPORT std::vector<RayHit> AllHits(const Tree& tree, const Ray& ray,
                                         const QueryOptions& options = {});

// Calls `visitor` with each hit, in no particular order, until it returns
// kStop.
using RayHitVisitor = absl::FunctionRef<Visit(const RayHit& hit)>;
ORBOX_EXPORT void VisitHits(const Tree& tree, const Ray& ray,
                            RayHitVisitor visitor,
                            const QueryOptions& options = {});

// Batches. AnyHit gives 1 where the ray hits anything, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const Tree& tree, std::span<const Ray> rays,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountHits(
    const Tree& tree, std::span<const Ray> rays,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<RayHit>>> ClosestHit(
    const Tree& tree, std::span<const Ray> rays,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<RayHit>> AllHits(
    const Tree& tree, std::span<const Ray> rays,
    const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RAY_HIT_H_
