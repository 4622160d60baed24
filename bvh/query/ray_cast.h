// What does a ray, or a segment, hit: anything, what first, or what all?
//
//   std::optional<RayHit> hit = ClosestHit(tree, Ray{eye, direction});
//   bool blocked = AnyHit(tree, Ray{p, q - p}, /*max_t=*/1);
//   for (const RayHit& hit : AllHits(tree, ray)) ...   // as the ray goes
//   VisitHits(tree, ray, [&](const RayHit& h) { return Visit::kContinue; });
//
// A ray is the points origin + t * direction with 0 <= t <= max_t; the
// direction need not have unit length, and t is in its units. Exact: the
// triangles hit, and which of them first, are those that exact arithmetic on
// the given coordinates finds, touching included, so no ray slips through an
// edge or a vertex. A triangle is hit once, at the first point that it has in
// common with the ray, also where the ray lies in its plane. Ties, as on a
// common edge, go to the lowest id.
//
// A ray whose direction is zero, or whose numbers are not finite, hits nothing,
// nor does one with a max_t that is negative or NaN. Near O(log n + hits).
// Thread-safe; nothing is allocated but the result.
#ifndef ORBOX_BVH_QUERY_RAY_CAST_H_
#define ORBOX_BVH_QUERY_RAY_CAST_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/statistics.h"
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

// What the ray hits first.
ORBOX_EXPORT std::optional<RayHit> ClosestHit(
    const Tree& tree, const Ray& ray,
    double max_t = std::numeric_limits<double>::infinity(),
    TraversalStatistics* statistics = nullptr);

// Stops at whatever hit is found first.
ORBOX_EXPORT bool AnyHit(const Tree& tree, const Ray& ray,
                         double max_t = std::numeric_limits<double>::infinity(),
                         TraversalStatistics* statistics = nullptr);

// In the order of the exact t, then of ids.
ORBOX_EXPORT std::vector<RayHit> AllHits(
    const Tree& tree, const Ray& ray,
    double max_t = std::numeric_limits<double>::infinity(),
    TraversalStatistics* statistics = nullptr);

// Calls `visitor` with each hit, in no particular order, until it answers
// kStop.
using RayHitVisitor = absl::FunctionRef<Visit(const RayHit& hit)>;
ORBOX_EXPORT void VisitHits(
    const Tree& tree, const Ray& ray, RayHitVisitor visitor,
    double max_t = std::numeric_limits<double>::infinity(),
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RAY_CAST_H_
