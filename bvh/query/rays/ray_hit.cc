// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/rays/ray_hit.h"

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/bvh/query/rays/internal/hit_order.h"
#include "orbox/bvh/query/rays/internal/ray_search.h"
#include "orbox/bvh/query/rays/internal/visited.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

void RequireValid(const Ray& ray, const Execution& run) {
  run.RequireValid();
  Require(CheckQuery(ray));
}

void Feed(TreeAtPose tree, const Ray& ray, IdSink& sink,
          const QueryOptions& options) {
  const Execution run(options);
  RequireValid(ray, run);
  FeedHits(tree, ray, run.max_distance(), sink, run);
}

// Batches of rays are not sorted. Neighbouring rays along a curve diverge, so
// sorting costs more than it saves in cache misses. This also holds for trees
// of hundreds of megabytes and for rays from one origin (bench/peers).
constexpr std::nullopt_t kAsGiven = std::nullopt;

}  // namespace

bool AnyHit(TreeAtPose tree, const Ray& ray, const QueryOptions& options) {
  AnySink<uint32_t> sink;
  Feed(tree, ray, sink, options);
  return sink.is_any();
}

size_t CountHits(TreeAtPose tree, const Ray& ray, const QueryOptions& options) {
  CountingSink<uint32_t> sink;
  Feed(tree, ray, sink, options);
  return sink.count();
}

std::optional<RayHit> ClosestHit(TreeAtPose tree, const Ray& ray,
                                 const QueryOptions& options) {
  const Execution run(options);
  RequireValid(ray, run);
  return FirstHit(tree, ray, run.max_distance(), run);
}

void VisitHits(TreeAtPose tree, const Ray& ray, RayHitVisitor visitor,
               const QueryOptions& options) {
  const Execution run(options);
  RequireValid(ray, run);
  FeedHits(tree, ray, run.max_distance(), visitor, run);
}

std::vector<RayHit> AllHits(TreeAtPose tree, const Ray& ray,
                            const QueryOptions& options) {
  auto hits = AllVisited<RayHit>(
      [&](auto visitor) { VisitHits(tree, ray, visitor, options); });
  HitOrder(ray, [&](const RayHit& hit) {
    return tree.triangle(hit.triangle);
  }).Sort(&hits);
  return hits;
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(TreeAtPose tree,
                                            std::span<const Ray> rays,
                                            const QueryOptions& options) {
  return RunEachOf<uint8_t>(
      tree, rays, kAsGiven, options,
      [](const auto&... args) { return AnyHit(args...); });
}

absl::StatusOr<std::vector<size_t>> CountHits(TreeAtPose tree,
                                              std::span<const Ray> rays,
                                              const QueryOptions& options) {
  return RunEachOf<size_t>(
      tree, rays, kAsGiven, options,
      [](const auto&... args) { return CountHits(args...); });
}

absl::StatusOr<std::vector<std::optional<RayHit>>> ClosestHit(
    TreeAtPose tree, std::span<const Ray> rays, const QueryOptions& options) {
  std::vector<std::optional<RayHit>> results;
  if (absl::Status s = CheckQueries(rays); !s.ok()) return s;
  BatchRun run(SpaceOf(tree), rays.size(), Execution(options),
               BatchRun::LeastTogether(options.threads));
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(rays.size());
    return run.ForEachTask(kAsGiven, [&](const BatchRun::Task& task) {
      if (task.watch.statistics == nullptr) {
        FirstHits(tree,
                  {.rays = rays,
                   .order = task.queries,
                   .max_t = options.max_distance},
                  results, task.watch);
        return;
      }
      const QueryOptions alone = task.watch.Alone(options.max_distance);
      for (const uint32_t i : task.queries) {
        results[i] = ClosestHit(tree, rays[i], alone);
      }
    });
  });
  if (!status.ok()) return status;
  return results;
}

absl::StatusOr<Lists<RayHit>> AllHits(TreeAtPose tree,
                                      std::span<const Ray> rays,
                                      const QueryOptions& options) {
  return CollectEachOf<RayHit>(
      tree, rays, kAsGiven, options,
      [](const auto&... args) { return AllHits(args...); });
}

}  // namespace orbox
