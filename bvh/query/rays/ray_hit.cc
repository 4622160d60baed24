// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/rays/ray_hit.h"

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/rays/internal/hit_order.h"
#include "orbox/bvh/query/rays/internal/ray_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

using RaySearch = HitSearch<Ray>;

// Batches of rays are not sorted. Neighbouring rays along a curve diverge, so
// sorting costs more than it saves in cache misses. This also holds for trees
// of hundreds of megabytes and for rays from one origin (bench/peers).
constexpr std::nullopt_t kAsGiven = std::nullopt;

}  // namespace

bool AnyHit(TreeAtPose tree, const Ray& ray) {
  Require(CheckQuery(ray));
  return RaySearch(Watch()).Any(tree, ray);
}

size_t CountHits(TreeAtPose tree, const Ray& ray) {
  Require(CheckQuery(ray));
  return RaySearch(Watch()).Count(tree, ray);
}

std::optional<RayHit> ClosestHit(TreeAtPose tree, const Ray& ray) {
  Require(CheckQuery(ray));
  return FirstHit(tree, ray, ray.max_t, Watch());
}

std::vector<RayHit> AllHits(TreeAtPose tree, const Ray& ray) {
  Require(CheckQuery(ray));
  return RaySearch(Watch()).All(tree, ray);
}

void VisitHits(TreeAtPose tree, const Ray& ray, RayHitVisitor visitor) {
  Require(CheckQuery(ray));
  FeedHits(tree, ray, kInfinity, visitor, Watch());
}

absl::StatusOr<bool> AnyHit(TreeAtPose tree, const Ray& ray,
                            const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(ray), [&](const Execution& run) {
    return RaySearch(run).Any(tree, ray);
  });
}

absl::StatusOr<size_t> CountHits(TreeAtPose tree, const Ray& ray,
                                 const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(ray), [&](const Execution& run) {
    return RaySearch(run).Count(tree, ray);
  });
}

absl::StatusOr<std::optional<RayHit>> ClosestHit(TreeAtPose tree,
                                                 const Ray& ray,
                                                 const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(ray), [&](const Execution& run) {
    return RaySearch(run).First(tree, ray);
  });
}

absl::StatusOr<std::vector<RayHit>> AllHits(TreeAtPose tree, const Ray& ray,
                                            const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(ray), [&](const Execution& run) {
    return RaySearch(run).All(tree, ray);
  });
}

absl::Status VisitHits(TreeAtPose tree, const Ray& ray, RayHitVisitor visitor,
                       const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(ray), [&](const Execution& run) {
    FeedHits(tree, ray, kInfinity, visitor, run);
  });
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(TreeAtPose tree,
                                            std::span<const Ray> rays,
                                            const RunOptions& options) {
  return RunEachOf<uint8_t>(
      tree, rays, kAsGiven, options,
      [](TreeAtPose posed, const Ray& ray, const Execution& run) {
        return RaySearch(run).Any(posed, ray);
      });
}

absl::StatusOr<std::vector<size_t>> CountHits(TreeAtPose tree,
                                              std::span<const Ray> rays,
                                              const RunOptions& options) {
  return RunEachOf<size_t>(
      tree, rays, kAsGiven, options,
      [](TreeAtPose posed, const Ray& ray, const Execution& run) {
        return RaySearch(run).Count(posed, ray);
      });
}

absl::StatusOr<std::vector<std::optional<RayHit>>> ClosestHit(
    TreeAtPose tree, std::span<const Ray> rays, const RunOptions& options) {
  std::vector<std::optional<RayHit>> results;
  if (absl::Status s = CheckQueries(rays); !s.ok()) return s;
  BatchRun run(SpaceOf(tree), rays.size(), Execution(options),
               BatchRun::LeastTogether(options.threads));
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(rays.size());
    return run.ForEachTask(kAsGiven, [&](const BatchRun::Task& task) {
      if (task.watch.statistics == nullptr) {
        FirstHits(tree, {.rays = rays, .order = task.queries}, results,
                  task.watch);
        return;
      }
      for (const uint32_t i : task.queries) {
        results[i] = RaySearch(task.watch).First(tree, rays[i]);
      }
    });
  });
  if (!status.ok()) return status;
  return results;
}

absl::StatusOr<Lists<RayHit>> AllHits(TreeAtPose tree,
                                      std::span<const Ray> rays,
                                      const RunOptions& options) {
  return CollectEachOf<RayHit>(
      tree, rays, kAsGiven, options,
      [](TreeAtPose posed, const Ray& ray, const Execution& run) {
        return RaySearch(run).All(posed, ray);
      });
}

void SortHits(TreeAtPose tree, const Ray& ray, std::vector<RayHit>* hits) {
  HitOrder(ray, [&](const RayHit& hit) {
    return tree.triangle(hit.triangle);
  }).Sort(hits);
}

}  // namespace orbox
