// Many queries of one tree at once, on all cores: closest points, also signed,
// k nearest, ranges, winding numbers, rays.
//
//   auto near = ClosestPoints(tree, points, {.threads = 4});
//   if (!near.ok()) return near.status();   // cancelled, or bad options
//
//   auto ids = CollectInRanges(tree, std::span<const Sphere>(balls));
//   for (uint32_t id : (*ids)[7]) use(id);  // of the eighth ball
//
// Each query has the answer that it has alone (closest_point.h, k_nearest.h,
// range.h, signed_distance.h, winding_number.h, ray_cast.h), at its own place;
// the bytes do not depend on the number of threads, nor on the order in which
// the queries are taken. That order is one in which neighbours follow each
// other, so that the memory one of them has fetched serves the next: a batch
// pays on one core too, whatever order the queries come in. Costs the results,
// 16 bytes a query to sort them, and for lists as much again as they hold.
// Thread-safe.
#ifndef ORBOX_BVH_QUERY_BATCH_H_
#define ORBOX_BVH_QUERY_BATCH_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/ray_cast.h"
#include "orbox/bvh/query/signed_distance.h"
#include "orbox/bvh/query/winding_number.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/half_spaces.h"

namespace orbox {

// Errors of all batches: kInvalidArgument for options that are out of range or
// more than 2^32 - 1 queries, kCancelled, and kResourceExhausted where memory
// runs out.
struct BatchOptions {
  // 0: as many as the machine runs at a time. Not negative.
  int threads = 0;

  // Called now and then with the share of the queries that is answered, in
  // 0 .. 1 and never falling; from any of the threads, one at a time.
  std::function<void(double)> progress;

  // The batch ends soon, with kCancelled, once this is true.
  const std::atomic<bool>* cancelled = nullptr;
};

// A list for each query, one after another: list i is [offsets[i],
// offsets[i + 1]) of the values.
template <typename Value>
struct Lists {
  std::vector<size_t> offsets{0};
  std::vector<Value> values;

  size_t size() const { return offsets.size() - 1; }
  // Requires i < size().
  std::span<const Value> operator[](size_t i) const {
    return std::span(values).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

// As ClosestPoint(tree, points[i], max_distance).
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<SurfacePoint>>>
ClosestPoints(const Tree& tree, std::span<const Vec3> points,
              const BatchOptions& options = {},
              double max_distance = std::numeric_limits<double>::infinity(),
              TraversalStatistics* statistics = nullptr);

// As field.ClosestPoint(points[i], max_distance): distances are negative
// inside.
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<SurfacePoint>>>
ClosestPoints(const SignedDistanceField& field, std::span<const Vec3> points,
              const BatchOptions& options = {},
              double max_distance = std::numeric_limits<double>::infinity(),
              TraversalStatistics* statistics = nullptr);

// As field.At(points[i], max_error).
ORBOX_EXPORT absl::StatusOr<std::vector<double>> WindingNumbers(
    const WindingNumberField& field, std::span<const Vec3> points,
    const BatchOptions& options = {}, double max_error = 1e-3,
    TraversalStatistics* statistics = nullptr);

// As ClosestHit(tree, rays[i], max_t).
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<RayHit>>> ClosestHits(
    const Tree& tree, std::span<const Ray> rays,
    const BatchOptions& options = {},
    double max_t = std::numeric_limits<double>::infinity(),
    TraversalStatistics* statistics = nullptr);

// As AllHits(tree, rays[i], max_t).
ORBOX_EXPORT absl::StatusOr<Lists<RayHit>> AllHits(
    const Tree& tree, std::span<const Ray> rays,
    const BatchOptions& options = {},
    double max_t = std::numeric_limits<double>::infinity(),
    TraversalStatistics* statistics = nullptr);

// As KNearest(tree, points[i], k, max_distance).
ORBOX_EXPORT absl::StatusOr<Lists<SurfacePoint>> NearestTriangles(
    const Tree& tree, std::span<const Vec3> points, size_t k,
    const BatchOptions& options = {},
    double max_distance = std::numeric_limits<double>::infinity(),
    TraversalStatistics* statistics = nullptr);

// As CollectInRange(tree, shapes[i]).
ORBOX_EXPORT absl::StatusOr<Lists<uint32_t>> CollectInRanges(
    const Tree& tree, std::span<const Sphere> balls,
    const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT absl::StatusOr<Lists<uint32_t>> CollectInRanges(
    const Tree& tree, std::span<const Aabb> boxes,
    const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT absl::StatusOr<Lists<uint32_t>> CollectInRanges(
    const Tree& tree, std::span<const Obb> boxes,
    const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT absl::StatusOr<Lists<uint32_t>> CollectInRanges(
    const Tree& tree, std::span<const HalfSpaces> sets,
    const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_BATCH_H_
