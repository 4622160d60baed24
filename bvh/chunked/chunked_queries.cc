// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/chunked/chunked_queries.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/chunked/internal/chunk_loop.h"
#include "orbox/bvh/chunked/internal/chunk_questions.h"
#include "orbox/bvh/query/ray_hit.h"
#include "orbox/bvh/query/region_overlap.h"
#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {
namespace {

constexpr char kNoMemoryForAnswers[] =
    "for the answers; ask in smaller batches";

// What a batch has answered.
template <typename Answer>
using Answered = absl::StatusOr<ChunkAnswers<Answer>>;

// What `of(answer)` makes of each answer.
template <typename Result, typename Answer, typename Of>
absl::StatusOr<std::vector<Result>> EachOf(Answered<Answer> found, Of of) {
  if (!found.ok()) return found.status();
  return GuardMemory(kNoMemoryForAnswers,
                     [&]() -> absl::StatusOr<std::vector<Result>> {
                       std::vector<Result> results(found->answers.size());
                       for (size_t n = 0; n < results.size(); ++n) {
                         results[found->order[n]] = of(found->answers[n]);
                       }
                       return results;
                     });
}

// What it makes of the only one.
template <typename Result, typename Answer, typename Of>
absl::StatusOr<Result> OneOf(Answered<Answer> found, Of of) {
  if (!found.ok()) return found.status();
  return Result(of(found->answers.front()));
}

// The lists that `of(answer)` refers to.
template <typename Value, typename Answer, typename Of>
absl::StatusOr<Lists<Value>> ListsOf(Answered<Answer> found, Of of) {
  if (!found.ok()) return found.status();
  return GuardMemory(
      kNoMemoryForAnswers, [&]() -> absl::StatusOr<Lists<Value>> {
        Lists<Value> lists;
        lists.offsets.assign(found->answers.size() + 1, 0);
        for (size_t n = 0; n < found->answers.size(); ++n) {
          lists.offsets[found->order[n] + 1] = of(found->answers[n]).size();
        }
        std::partial_sum(lists.offsets.begin(), lists.offsets.end(),
                         lists.offsets.begin());
        lists.values.resize(lists.offsets.back());
        for (size_t n = 0; n < found->answers.size(); ++n) {
          const auto& list = of(found->answers[n]);
          std::copy(list.begin(), list.end(),
                    lists.values.begin() +
                        static_cast<ptrdiff_t>(lists.offsets[found->order[n]]));
          // Twice in memory no longer than needed.
          found->answers[n] = {};
        }
        return lists;
      });
}

// Nearest triangles.

using Closest = ClosestChunkQuestion::Answer;
using Near = NearestChunkQuestion::Answer;

Answered<Closest> AskClosest(const ChunkedTree& tree,
                             std::span<const Vec3> points,
                             const QueryOptions& options) {
  const ClosestChunkQuestion question{.max_distance = options.max_distance,
                                      .space = SpaceAround(tree.bounds())};
  return AskChunks(tree, question, points, options);
}

// All answers are empty for k == 0.
Answered<Near> AskNearest(const ChunkedTree& tree, std::span<const Vec3> points,
                          size_t k, const QueryOptions& options) {
  const NearestChunkQuestion question{
      .k = k, .max_distance = k == 0 ? 0 : options.max_distance};
  if (k != 0) return AskChunks(tree, question, points, options);
  return GuardMemory(kNoMemoryForAnswers, [&]() -> Answered<Near> {
    ChunkAnswers<Near> none{std::vector<uint32_t>(points.size()),
                            std::vector<Near>(points.size())};
    std::iota(none.order.begin(), none.order.end(), 0u);
    return none;
  });
}

const Closest& AsIs(const Closest& closest) { return closest; }
const Near& ListOf(const Near& near) { return near; }

// Ranges.

using OverlapMode = OverlapChunkQuestion::Mode;

Answered<OverlapChunkQuestion::Answer> AskOverlaps(
    const ChunkedTree& tree, const Regions& regions, OverlapMode mode,
    const QueryOptions& options) {
  return AskChunks(tree, OverlapChunkQuestion{mode}, regions, options);
}

std::span<const Region> Alone(const Region& region) { return {&region, 1}; }

template <typename Answer>
uint64_t CountOf(const Answer& answer) {
  return answer.count;
}
template <typename Answer>
bool IsAnyOf(const Answer& answer) {
  return answer.count != 0;
}

// Rays.

using HitMode = HitChunkQuestion::Mode;
using Hits = HitChunkQuestion::Answer;
using FirstHit = FirstHitChunkQuestion::Answer;

Answered<Hits> AskHits(const ChunkedTree& tree, std::span<const Ray> rays,
                       HitMode mode, const QueryOptions& options) {
  const HitChunkQuestion question{.mode = mode,
                                  .max_distance = options.max_distance};
  return AskChunks(tree, question, rays, options);
}

Answered<FirstHit> AskFirstHits(const ChunkedTree& tree,
                                std::span<const Ray> rays,
                                const QueryOptions& options) {
  return AskChunks(tree, FirstHitChunkQuestion{options.max_distance}, rays,
                   options);
}

std::span<const Ray> Alone(const Ray& ray) { return {&ray, 1}; }

std::optional<GlobalRayHit> FirstOf(const FirstHit& hit) {
  if (!hit) return std::nullopt;
  return *hit;
}

// Calls visit(chunk) for each chunk that `question` may concern, until it says
// otherwise.
template <typename Question, typename Function>
absl::Status VisitChunks(const ChunkedTree& tree, const Question& question,
                         const typename Question::Query& query,
                         const QueryOptions& options, Function visit) {
  const Execution run(options);
  if (absl::Status s = run.Check(); !s.ok()) return s;
  const auto gap_to = question.GapFrom(query);
  for (size_t i = 0; i < tree.table().size(); ++i) {
    if (!(gap_to(tree.table()[i].box) < kInfinity)) continue;
    if (run.is_cancelled()) return Execution::Cancelled();
    const absl::StatusOr<Chunk> chunk = tree.Load(i);
    if (!chunk.ok()) return chunk.status();
    if (visit(*chunk) == Visit::kStop) return absl::OkStatus();
  }
  return absl::OkStatus();
}

// Inside.

Answered<InsideChunkQuestion::Answer> AskInside(const ChunkedTree& tree,
                                                std::span<const Vec3> points,
                                                const QueryOptions& options) {
  return AskChunks(tree, InsideChunkQuestion{tree.bounds()}, points, options);
}

bool IsInsideOf(const InsideChunkQuestion::Answer& answer) {
  return answer.is_inside();
}

}  // namespace

absl::StatusOr<std::optional<GlobalSurfacePoint>> ClosestPoint(
    const ChunkedTree& tree, const Vec3& p, const QueryOptions& options) {
  return OneOf<std::optional<GlobalSurfacePoint>>(
      AskClosest(tree, {&p, 1}, options), AsIs);
}

absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>> ClosestPoint(
    const ChunkedTree& tree, std::span<const Vec3> points,
    const QueryOptions& options) {
  return EachOf<std::optional<GlobalSurfacePoint>>(
      AskClosest(tree, points, options), AsIs);
}

absl::StatusOr<std::vector<GlobalSurfacePoint>> KNearest(
    const ChunkedTree& tree, const Vec3& p, size_t k,
    const QueryOptions& options) {
  return OneOf<Near>(AskNearest(tree, {&p, 1}, k, options), ListOf);
}

absl::StatusOr<Lists<GlobalSurfacePoint>> KNearest(
    const ChunkedTree& tree, std::span<const Vec3> points, size_t k,
    const QueryOptions& options) {
  return ListsOf<GlobalSurfacePoint>(AskNearest(tree, points, k, options),
                                     ListOf);
}

absl::StatusOr<bool> AnyOverlap(const ChunkedTree& tree, const Region& region,
                                const QueryOptions& options) {
  return OneOf<bool>(
      AskOverlaps(tree, Alone(region), OverlapMode::kAny, options),
      IsAnyOf<OverlapChunkQuestion::Answer>);
}

absl::StatusOr<uint64_t> CountOverlaps(const ChunkedTree& tree,
                                       const Region& region,
                                       const QueryOptions& options) {
  return OneOf<uint64_t>(
      AskOverlaps(tree, Alone(region), OverlapMode::kCount, options),
      CountOf<OverlapChunkQuestion::Answer>);
}

absl::StatusOr<std::vector<uint64_t>> AllOverlaps(const ChunkedTree& tree,
                                                  const Region& region,
                                                  const QueryOptions& options) {
  return OneOf<std::vector<uint64_t>>(
      AskOverlaps(tree, Alone(region), OverlapMode::kAll, options),
      [](OverlapChunkQuestion::Answer& a) { return std::move(a.ids); });
}

absl::Status VisitOverlaps(const ChunkedTree& tree, const Region& region,
                           GlobalTriangleVisitor visitor,
                           const QueryOptions& options) {
  return VisitChunks(
      tree, OverlapChunkQuestion{}, region, options, [&](const Chunk& chunk) {
        Visit next = Visit::kContinue;
        VisitOverlaps(
            chunk.tree, region,
            [&](uint32_t id) { return next = visitor(chunk.ids[id]); },
            options);
        return next;
      });
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const ChunkedTree& tree,
                                                const Regions& regions,
                                                const QueryOptions& options) {
  return EachOf<uint8_t>(AskOverlaps(tree, regions, OverlapMode::kAny, options),
                         IsAnyOf<OverlapChunkQuestion::Answer>);
}

absl::StatusOr<std::vector<uint64_t>> CountOverlaps(
    const ChunkedTree& tree, const Regions& regions,
    const QueryOptions& options) {
  return EachOf<uint64_t>(
      AskOverlaps(tree, regions, OverlapMode::kCount, options),
      CountOf<OverlapChunkQuestion::Answer>);
}

absl::StatusOr<Lists<uint64_t>> AllOverlaps(const ChunkedTree& tree,
                                            const Regions& regions,
                                            const QueryOptions& options) {
  return ListsOf<uint64_t>(
      AskOverlaps(tree, regions, OverlapMode::kAll, options),
      [](const OverlapChunkQuestion::Answer& a) -> auto& { return a.ids; });
}

absl::StatusOr<bool> AnyHit(const ChunkedTree& tree, const Ray& ray,
                            const QueryOptions& options) {
  return OneOf<bool>(AskHits(tree, Alone(ray), HitMode::kAny, options),
                     IsAnyOf<Hits>);
}

absl::StatusOr<uint64_t> CountHits(const ChunkedTree& tree, const Ray& ray,
                                   const QueryOptions& options) {
  return OneOf<uint64_t>(AskHits(tree, Alone(ray), HitMode::kCount, options),
                         CountOf<Hits>);
}

absl::StatusOr<std::optional<GlobalRayHit>> ClosestHit(
    const ChunkedTree& tree, const Ray& ray, const QueryOptions& options) {
  return OneOf<std::optional<GlobalRayHit>>(
      AskFirstHits(tree, Alone(ray), options), FirstOf);
}

absl::StatusOr<std::vector<GlobalRayHit>> AllHits(const ChunkedTree& tree,
                                                  const Ray& ray,
                                                  const QueryOptions& options) {
  return OneOf<std::vector<GlobalRayHit>>(
      AskHits(tree, Alone(ray), HitMode::kAll, options), [](const Hits& hits) {
        return std::vector<GlobalRayHit>(hits.hits.begin(), hits.hits.end());
      });
}

absl::Status VisitHits(const ChunkedTree& tree, const Ray& ray,
                       GlobalRayHitVisitor visitor,
                       const QueryOptions& options) {
  return VisitChunks(
      tree, HitChunkQuestion{}, ray, options, [&](const Chunk& chunk) {
        Visit next = Visit::kContinue;
        VisitHits(
            chunk.tree, ray,
            [&](const RayHit& hit) {
              return next = visitor({chunk.ids[hit.triangle], hit.t,
                                     hit.barycentric, hit.point});
            },
            options);
        return next;
      });
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(const ChunkedTree& tree,
                                            std::span<const Ray> rays,
                                            const QueryOptions& options) {
  return EachOf<uint8_t>(AskHits(tree, rays, HitMode::kAny, options),
                         IsAnyOf<Hits>);
}

absl::StatusOr<std::vector<uint64_t>> CountHits(const ChunkedTree& tree,
                                                std::span<const Ray> rays,
                                                const QueryOptions& options) {
  return EachOf<uint64_t>(AskHits(tree, rays, HitMode::kCount, options),
                          CountOf<Hits>);
}

absl::StatusOr<std::vector<std::optional<GlobalRayHit>>> ClosestHit(
    const ChunkedTree& tree, std::span<const Ray> rays,
    const QueryOptions& options) {
  return EachOf<std::optional<GlobalRayHit>>(AskFirstHits(tree, rays, options),
                                             FirstOf);
}

absl::StatusOr<Lists<GlobalRayHit>> AllHits(const ChunkedTree& tree,
                                            std::span<const Ray> rays,
                                            const QueryOptions& options) {
  return ListsOf<GlobalRayHit>(
      AskHits(tree, rays, HitMode::kAll, options),
      [](const Hits& hits) -> auto& { return hits.hits; });
}

absl::StatusOr<bool> IsInside(const ChunkedTree& tree, const Vec3& p,
                              const QueryOptions& options) {
  return OneOf<bool>(AskInside(tree, {&p, 1}, options), IsInsideOf);
}

absl::StatusOr<std::vector<uint8_t>> IsInside(const ChunkedTree& tree,
                                              std::span<const Vec3> points,
                                              const QueryOptions& options) {
  return EachOf<uint8_t>(AskInside(tree, points, options), IsInsideOf);
}

}  // namespace orbox
