// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/chunked_queries.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/large/internal/chunk_answers.h"
#include "orbox/bvh/large/internal/chunk_edges.h"
#include "orbox/bvh/large/internal/chunk_loop.h"
#include "orbox/bvh/large/internal/chunk_traits.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {
namespace {

// Nearest triangles.

using Closest = ClosestChunkTraits::Answer;
using Near = NearestChunkTraits::Answer;

Answered<Closest> RunClosest(const ChunkedTree& tree,
                             std::span<const Vec3> points,
                             const QueryOptions& options) {
  const ClosestChunkTraits traits{.max_distance = options.max_distance,
                                  .space = SpaceAround(tree.bounds())};
  return RunOnChunks(tree, traits, points, options);
}

// All results are empty for k == 0.
Answered<Near> RunNearest(const ChunkedTree& tree, std::span<const Vec3> points,
                          size_t k, const QueryOptions& options) {
  const NearestChunkTraits traits{
      .k = k, .max_distance = k == 0 ? 0 : options.max_distance};
  if (k != 0) return RunOnChunks(tree, traits, points, options);
  if (absl::Status s = Execution(options).Check(); !s.ok()) return s;
  if (absl::Status s = CheckQueries(points); !s.ok()) return s;
  return GuardMemory(kNoMemoryForAnswers, [&]() -> Answered<Near> {
    ChunkAnswers<Near> none{std::vector<uint32_t>(points.size()),
                            std::vector<Near>(points.size())};
    std::iota(none.order.begin(), none.order.end(), 0u);
    return none;
  });
}

const Closest& AsIs(const Closest& closest) { return closest; }
const Near& ListOf(const Near& near) { return near; }

// Regions.

using OverlapMode = OverlapChunkTraits::Mode;

Answered<OverlapChunkTraits::Answer> RunOverlaps(const ChunkedTree& tree,
                                                 const Regions& regions,
                                                 OverlapMode mode,
                                                 const QueryOptions& options) {
  return RunOnChunks(tree, OverlapChunkTraits{mode}, regions, options);
}

std::span<const Region> Alone(const Region& region) { return {&region, 1}; }

// Rays.

using HitMode = HitChunkTraits::Mode;
using Hits = HitChunkTraits::Answer;
using FirstHit = FirstHitChunkTraits::Answer;

Answered<Hits> RunHits(const ChunkedTree& tree, std::span<const Ray> rays,
                       HitMode mode, const QueryOptions& options) {
  const HitChunkTraits traits{.mode = mode,
                              .max_distance = options.max_distance};
  return RunOnChunks(tree, traits, rays, options);
}

Answered<FirstHit> RunFirstHits(const ChunkedTree& tree,
                                std::span<const Ray> rays,
                                const QueryOptions& options) {
  return RunOnChunks(tree, FirstHitChunkTraits{options.max_distance}, rays,
                     options);
}

std::span<const Ray> Alone(const Ray& ray) { return {&ray, 1}; }

std::optional<GlobalRayHit> FirstOf(const FirstHit& hit) {
  if (!hit) return std::nullopt;
  return *hit;
}

// Inside.

Answered<InsideChunkTraits::Answer> RunInside(const ChunkedTree& tree,
                                              std::span<const Vec3> points,
                                              const QueryOptions& options) {
  return RunOnChunks(tree, InsideChunkTraits{tree.bounds()}, points, options);
}

// Calls DoFacesAgree only if a result depends on it.
template <typename Result, typename Convert>
absl::StatusOr<Result> InsideBy(InsideRule rule, const ChunkedTree& tree,
                                Answered<InsideChunkTraits::Answer> answers,
                                Convert convert) {
  if (!answers.ok()) return answers.status();
  bool counts_windings = false;
  if (rule == InsideRule::kWinding &&
      std::any_of(answers->answers.begin(), answers->answers.end(),
                  [](const InsideChunkTraits::Answer& answer) {
                    return answer.depends_on_faces();
                  })) {
    const absl::StatusOr<bool> agree = DoFacesAgree(tree);
    if (!agree.ok()) return agree.status();
    counts_windings = *agree;
  }
  return convert(std::move(answers),
                 [counts_windings](const InsideChunkTraits::Answer& answer) {
                   return answer.is_inside() ||
                          (counts_windings && answer.depends_on_faces());
                 });
}

}  // namespace

absl::StatusOr<std::optional<GlobalSurfacePoint>> ClosestPoint(
    const ChunkedTree& tree, const Vec3& p, const QueryOptions& options) {
  return OneOf<std::optional<GlobalSurfacePoint>>(
      RunClosest(tree, {&p, 1}, options), AsIs);
}

absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>> ClosestPoint(
    const ChunkedTree& tree, std::span<const Vec3> points,
    const QueryOptions& options) {
  return EachOf<std::optional<GlobalSurfacePoint>>(
      RunClosest(tree, points, options), AsIs);
}

absl::StatusOr<std::vector<GlobalSurfacePoint>> KNearest(
    const ChunkedTree& tree, const Vec3& p, size_t k,
    const QueryOptions& options) {
  return OneOf<Near>(RunNearest(tree, {&p, 1}, k, options), ListOf);
}

absl::StatusOr<Lists<GlobalSurfacePoint>> KNearest(
    const ChunkedTree& tree, std::span<const Vec3> points, size_t k,
    const QueryOptions& options) {
  return ListsOf<GlobalSurfacePoint>(RunNearest(tree, points, k, options),
                                     ListOf);
}

absl::StatusOr<bool> AnyOverlap(const ChunkedTree& tree, const Region& region,
                                const QueryOptions& options) {
  return OneOf<bool>(
      RunOverlaps(tree, Alone(region), OverlapMode::kAny, options),
      IsAnyOf<OverlapChunkTraits::Answer>);
}

absl::StatusOr<uint64_t> CountOverlaps(const ChunkedTree& tree,
                                       const Region& region,
                                       const QueryOptions& options) {
  return OneOf<uint64_t>(
      RunOverlaps(tree, Alone(region), OverlapMode::kCount, options),
      CountOf<OverlapChunkTraits::Answer>);
}

absl::StatusOr<std::vector<uint64_t>> AllOverlaps(const ChunkedTree& tree,
                                                  const Region& region,
                                                  const QueryOptions& options) {
  return OneOf<std::vector<uint64_t>>(
      RunOverlaps(tree, Alone(region), OverlapMode::kAll, options),
      [](OverlapChunkTraits::Answer& a) { return a.ids.Take(); });
}

absl::Status VisitOverlaps(const ChunkedTree& tree, const Region& region,
                           GlobalTriangleVisitor visitor,
                           const QueryOptions& options) {
  return VisitOverlaps(
      tree, Regions(Alone(region)),
      [&](size_t, uint64_t id) { return visitor(id); }, options);
}

absl::Status VisitOverlaps(const ChunkedTree& tree, const Regions& regions,
                           GlobalRegionVisitor visitor,
                           const QueryOptions& options) {
  return VisitChunks(
      tree, OverlapChunkTraits{}, regions, options,
      [&](const Chunk& chunk, size_t i) {
        Visit next = Visit::kContinue;
        VisitOverlaps(
            chunk.tree, regions[i],
            [&](uint32_t id) { return next = visitor(i, chunk.ids[id]); },
            options);
        return next;
      });
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const ChunkedTree& tree,
                                                const Regions& regions,
                                                const QueryOptions& options) {
  return EachOf<uint8_t>(RunOverlaps(tree, regions, OverlapMode::kAny, options),
                         IsAnyOf<OverlapChunkTraits::Answer>);
}

absl::StatusOr<std::vector<uint64_t>> CountOverlaps(
    const ChunkedTree& tree, const Regions& regions,
    const QueryOptions& options) {
  return EachOf<uint64_t>(
      RunOverlaps(tree, regions, OverlapMode::kCount, options),
      CountOf<OverlapChunkTraits::Answer>);
}

absl::StatusOr<Lists<uint64_t>> AllOverlaps(const ChunkedTree& tree,
                                            const Regions& regions,
                                            const QueryOptions& options) {
  return ListsOf<uint64_t>(
      RunOverlaps(tree, regions, OverlapMode::kAll, options),
      [](const OverlapChunkTraits::Answer& a) { return a.ids.view(); });
}

absl::StatusOr<bool> AnyHit(const ChunkedTree& tree, const Ray& ray,
                            const QueryOptions& options) {
  return OneOf<bool>(RunHits(tree, Alone(ray), HitMode::kAny, options),
                     IsAnyOf<Hits>);
}

absl::StatusOr<uint64_t> CountHits(const ChunkedTree& tree, const Ray& ray,
                                   const QueryOptions& options) {
  return OneOf<uint64_t>(RunHits(tree, Alone(ray), HitMode::kCount, options),
                         CountOf<Hits>);
}

absl::StatusOr<std::optional<GlobalRayHit>> ClosestHit(
    const ChunkedTree& tree, const Ray& ray, const QueryOptions& options) {
  return OneOf<std::optional<GlobalRayHit>>(
      RunFirstHits(tree, Alone(ray), options), FirstOf);
}

absl::StatusOr<std::vector<GlobalRayHit>> AllHits(const ChunkedTree& tree,
                                                  const Ray& ray,
                                                  const QueryOptions& options) {
  return OneOf<std::vector<GlobalRayHit>>(
      RunHits(tree, Alone(ray), HitMode::kAll, options), [](const Hits& hits) {
        return std::vector<GlobalRayHit>(hits.hits.begin(), hits.hits.end());
      });
}

absl::Status VisitHits(const ChunkedTree& tree, const Ray& ray,
                       GlobalRayHitVisitor visitor,
                       const QueryOptions& options) {
  return VisitHits(
      tree, Alone(ray),
      [&](size_t, const GlobalRayHit& hit) { return visitor(hit); }, options);
}

absl::Status VisitHits(const ChunkedTree& tree, std::span<const Ray> rays,
                       GlobalRaysVisitor visitor, const QueryOptions& options) {
  return VisitChunks(
      tree, HitChunkTraits{}, rays, options, [&](const Chunk& chunk, size_t i) {
        Visit next = Visit::kContinue;
        VisitHits(
            chunk.tree, rays[i],
            [&](const RayHit& hit) {
              return next = visitor(i, {chunk.ids[hit.triangle], hit.t,
                                        hit.barycentric, hit.point});
            },
            options);
        return next;
      });
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(const ChunkedTree& tree,
                                            std::span<const Ray> rays,
                                            const QueryOptions& options) {
  return EachOf<uint8_t>(RunHits(tree, rays, HitMode::kAny, options),
                         IsAnyOf<Hits>);
}

absl::StatusOr<std::vector<uint64_t>> CountHits(const ChunkedTree& tree,
                                                std::span<const Ray> rays,
                                                const QueryOptions& options) {
  return EachOf<uint64_t>(RunHits(tree, rays, HitMode::kCount, options),
                          CountOf<Hits>);
}

absl::StatusOr<std::vector<std::optional<GlobalRayHit>>> ClosestHit(
    const ChunkedTree& tree, std::span<const Ray> rays,
    const QueryOptions& options) {
  return EachOf<std::optional<GlobalRayHit>>(RunFirstHits(tree, rays, options),
                                             FirstOf);
}

absl::StatusOr<Lists<GlobalRayHit>> AllHits(const ChunkedTree& tree,
                                            std::span<const Ray> rays,
                                            const QueryOptions& options) {
  return ListsOf<GlobalRayHit>(
      RunHits(tree, rays, HitMode::kAll, options),
      [](const Hits& hits) -> auto& { return hits.hits; });
}

absl::StatusOr<bool> IsInside(const ChunkedTree& tree, const Vec3& p,
                              const QueryOptions& options) {
  return InsideBy<bool>(options.inside, tree, RunInside(tree, {&p, 1}, options),
                        [](auto answers, auto is_inside) {
                          return OneOf<bool>(std::move(answers), is_inside);
                        });
}

absl::StatusOr<std::vector<uint8_t>> IsInside(const ChunkedTree& tree,
                                              std::span<const Vec3> points,
                                              const QueryOptions& options) {
  return InsideBy<std::vector<uint8_t>>(
      options.inside, tree, RunInside(tree, points, options),
      [](auto answers, auto is_inside) {
        return EachOf<uint8_t>(std::move(answers), is_inside);
      });
}

absl::StatusOr<bool> IsClosed(const ChunkedTree& tree) {
  return GuardMemory("for the edges between chunks; build larger ones",
                     [&]() -> absl::StatusOr<bool> {
                       const absl::StatusOr<UnpairedEdges> edges =
                           FindUnpairedEdges(tree);
                       if (!edges.ok()) return edges.status();
                       tree.Remember(edges->open + edges->unequal == 0);
                       return edges->open == 0;
                     });
}

absl::StatusOr<bool> DoFacesAgree(const ChunkedTree& tree) {
  if (const std::optional<bool> known = tree.known_agreement()) return *known;
  const absl::StatusOr<bool> closed = IsClosed(tree);
  if (!closed.ok()) return closed.status();
  return *closed && *tree.known_agreement();
}

}  // namespace orbox
