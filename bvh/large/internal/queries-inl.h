// SPDX-License-Identifier: Apache-2.0

// The queries of queries.h, for any target. A library includes this file,
// defines the functions that run traits on its target (EachAnswer, AnswerLists,
// VisitAnswers and DoFacesAgreeIfNeeded), and instantiates the queries.
// Private.
//
//   ORBOX_INSTANTIATE_QUERIES(ChunkedTree)
#ifndef ORBOX_BVH_LARGE_INTERNAL_QUERIES_INL_H_
#define ORBOX_BVH_LARGE_INTERNAL_QUERIES_INL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/internal/chunk_traits.h"
#include "orbox/bvh/large/internal/sweep_traits.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

// The name of a query, and a number that belongs to it. Ranks compare them to
// find out whether they were called with equal arguments.
struct QueryName {
  const char* name;
  uint64_t number = 0;
};

// What an answer (chunk_traits.h) has found: a list, one, or a number.
inline std::span<const GlobalId> FoundOf(const OverlapChunkTraits::Answer& a) {
  return a.ids.view();
}
inline std::span<const ChunkHit> FoundOf(const HitChunkTraits::Answer& a) {
  return a.hits;
}
inline std::span<const GlobalSweepHit> FoundOf(
    const SweepChunkTraits::Answer& a) {
  return a.hits;
}
inline std::span<const GlobalSurfacePoint> FoundOf(
    const NearestChunkTraits::Answer& a) {
  return a;
}
inline constexpr auto kIsAny = [](const auto& answer) -> uint8_t {
  return answer.count != 0 ? 1 : 0;
};
inline constexpr auto kCountOf = [](const auto& answer) -> uint64_t {
  return answer.count;
};

template <LargeTree T>
absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>> ClosestPoint(
    const T& tree, std::span<const Vec3> points, const OptionsOf<T>& options) {
  const ClosestChunkTraits traits{.max_distance = options.max_distance,
                                  .space = SpaceAround(tree.chunks().bounds())};
  return EachAnswer<std::optional<GlobalSurfacePoint>>(
      tree, traits, QueryName{"ClosestPoint"}, points, options,
      [](const ClosestChunkTraits::Answer& answer) { return answer; });
}

template <LargeTree T>
absl::StatusOr<Lists<GlobalSurfacePoint>> KNearest(
    const T& tree, std::span<const Vec3> points, size_t k,
    const OptionsOf<T>& options) {
  const NearestChunkTraits traits{.k = k, .max_distance = options.max_distance};
  return AnswerLists<GlobalSurfacePoint>(tree, traits, QueryName{"KNearest", k},
                                         points, options);
}

template <LargeTree T>
absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const T& tree,
                                                const Regions& regions,
                                                const OptionsOf<T>& options) {
  const OverlapChunkTraits traits{OverlapChunkTraits::Mode::kAny};
  return EachAnswer<uint8_t>(tree, traits, QueryName{"AnyOverlap"}, regions,
                             options, kIsAny);
}

template <LargeTree T>
absl::StatusOr<std::vector<uint64_t>> CountOverlaps(
    const T& tree, const Regions& regions, const OptionsOf<T>& options) {
  const OverlapChunkTraits traits{OverlapChunkTraits::Mode::kCount};
  return EachAnswer<uint64_t>(tree, traits, QueryName{"CountOverlaps"}, regions,
                              options, kCountOf);
}

template <LargeTree T>
absl::StatusOr<Lists<GlobalId>> AllOverlaps(const T& tree,
                                            const Regions& regions,
                                            const OptionsOf<T>& options) {
  return AnswerLists<GlobalId>(tree, OverlapChunkTraits(),
                               QueryName{"AllOverlaps"}, regions, options);
}

template <LargeTree T>
absl::Status VisitOverlaps(const T& tree, const Regions& regions,
                           VisitorOf<T, GlobalId> visitor,
                           const OptionsOf<T>& options) {
  return VisitAnswers(tree, OverlapChunkTraits(), QueryName{"VisitOverlaps"},
                      regions, options, visitor);
}

template <LargeTree T>
absl::StatusOr<std::vector<uint8_t>> AnyHit(const T& tree,
                                            std::span<const Ray> rays,
                                            const OptionsOf<T>& options) {
  const HitChunkTraits traits{.mode = HitChunkTraits::Mode::kAny,
                              .max_distance = options.max_distance};
  return EachAnswer<uint8_t>(tree, traits, QueryName{"AnyHit"}, rays, options,
                             kIsAny);
}

template <LargeTree T>
absl::StatusOr<std::vector<uint64_t>> CountHits(const T& tree,
                                                std::span<const Ray> rays,
                                                const OptionsOf<T>& options) {
  const HitChunkTraits traits{.mode = HitChunkTraits::Mode::kCount,
                              .max_distance = options.max_distance};
  return EachAnswer<uint64_t>(tree, traits, QueryName{"CountHits"}, rays,
                              options, kCountOf);
}

template <LargeTree T>
absl::StatusOr<std::vector<std::optional<GlobalRayHit>>> ClosestHit(
    const T& tree, std::span<const Ray> rays, const OptionsOf<T>& options) {
  return EachAnswer<std::optional<GlobalRayHit>>(
      tree, FirstHitChunkTraits{options.max_distance}, QueryName{"ClosestHit"},
      rays, options, [](const FirstHitChunkTraits::Answer& hit) {
        return hit ? std::optional<GlobalRayHit>(*hit) : std::nullopt;
      });
}

template <LargeTree T>
absl::StatusOr<Lists<GlobalRayHit>> AllHits(const T& tree,
                                            std::span<const Ray> rays,
                                            const OptionsOf<T>& options) {
  const HitChunkTraits traits{.max_distance = options.max_distance};
  return AnswerLists<GlobalRayHit>(tree, traits, QueryName{"AllHits"}, rays,
                                   options);
}

template <LargeTree T>
absl::Status VisitHits(const T& tree, std::span<const Ray> rays,
                       VisitorOf<T, GlobalRayHit> visitor,
                       const OptionsOf<T>& options) {
  const HitChunkTraits traits{.max_distance = options.max_distance};
  return VisitAnswers(tree, traits, QueryName{"VisitHits"}, rays, options,
                      visitor);
}

template <LargeTree T>
absl::StatusOr<std::vector<uint8_t>> AnyHit(const T& tree,
                                            std::span<const SweptSphere> balls,
                                            const OptionsOf<T>& options) {
  const SweepChunkTraits traits{.mode = SweepChunkTraits::Mode::kAny,
                                .max_distance = options.max_distance};
  return EachAnswer<uint8_t>(tree, traits, QueryName{"AnyHit of balls"}, balls,
                             options, kIsAny);
}

template <LargeTree T>
absl::StatusOr<std::vector<uint64_t>> CountHits(
    const T& tree, std::span<const SweptSphere> balls,
    const OptionsOf<T>& options) {
  const SweepChunkTraits traits{.mode = SweepChunkTraits::Mode::kCount,
                                .max_distance = options.max_distance};
  return EachAnswer<uint64_t>(tree, traits, QueryName{"CountHits of balls"},
                              balls, options, kCountOf);
}

template <LargeTree T>
absl::StatusOr<std::vector<std::optional<GlobalSweepHit>>> ClosestHit(
    const T& tree, std::span<const SweptSphere> balls,
    const OptionsOf<T>& options) {
  const SweepChunkTraits traits{.mode = SweepChunkTraits::Mode::kFirst,
                                .max_distance = options.max_distance};
  return EachAnswer<std::optional<GlobalSweepHit>>(
      tree, traits, QueryName{"ClosestHit of balls"}, balls, options,
      [](const SweepChunkTraits::Answer& a) {
        return a.hits.empty() ? std::nullopt
                              : std::optional<GlobalSweepHit>(a.hits[0]);
      });
}

template <LargeTree T>
absl::StatusOr<Lists<GlobalSweepHit>> AllHits(
    const T& tree, std::span<const SweptSphere> balls,
    const OptionsOf<T>& options) {
  const SweepChunkTraits traits{.max_distance = options.max_distance};
  return AnswerLists<GlobalSweepHit>(
      tree, traits, QueryName{"AllHits of balls"}, balls, options);
}

template <LargeTree T>
absl::Status VisitHits(const T& tree, std::span<const SweptSphere> balls,
                       VisitorOf<T, GlobalSweepHit> visitor,
                       const OptionsOf<T>& options) {
  const SweepChunkTraits traits{.max_distance = options.max_distance};
  return VisitAnswers(tree, traits, QueryName{"VisitHits of balls"}, balls,
                      options, visitor);
}

// Finds out whether faces agree only if a result depends on it.
template <LargeTree T>
absl::StatusOr<std::vector<uint8_t>> IsInside(const T& tree,
                                              std::span<const Vec3> points,
                                              const OptionsOf<T>& options) {
  constexpr uint8_t kDependsOnFaces = 2;
  const bool is_parity = options.inside == InsideRule::kParity;
  absl::StatusOr<std::vector<uint8_t>> result = EachAnswer<uint8_t>(
      tree, InsideChunkTraits{tree.chunks().bounds()}, QueryName{"IsInside"},
      points, options, [=](const InsideChunkTraits::Answer& answer) -> uint8_t {
        if (!is_parity && answer.depends_on_faces()) return kDependsOnFaces;
        return answer.is_inside() ? 1 : 0;
      });
  if (!result.ok() || is_parity) return result;
  const bool needs_faces =
      std::count(result->begin(), result->end(), kDependsOnFaces) != 0;
  const absl::StatusOr<bool> agree =
      DoFacesAgreeIfNeeded(tree, needs_faces, options);
  if (!agree.ok()) return agree.status();
  std::replace(result->begin(), result->end(), kDependsOnFaces,
               static_cast<uint8_t>(*agree ? 1 : 0));
  return result;
}

// Instantiates the queries of target T.
#define ORBOX_INSTANTIATE_HITS(T, Query, Hit)                          \
  template absl::StatusOr<std::vector<uint8_t>> AnyHit(                \
      const T&, std::span<const Query>, const T::Options&);            \
  template absl::StatusOr<std::vector<uint64_t>> CountHits(            \
      const T&, std::span<const Query>, const T::Options&);            \
  template absl::StatusOr<std::vector<std::optional<Hit>>> ClosestHit( \
      const T&, std::span<const Query>, const T::Options&);            \
  template absl::StatusOr<Lists<Hit>> AllHits(                         \
      const T&, std::span<const Query>, const T::Options&);            \
  template absl::Status VisitHits(const T&, std::span<const Query>,    \
                                  T::Visitor<Hit>, const T::Options&);

#define ORBOX_INSTANTIATE_QUERIES(T)                                      \
  template absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>> \
  ClosestPoint(const T&, std::span<const Vec3>, const T::Options&);       \
  template absl::StatusOr<Lists<GlobalSurfacePoint>> KNearest(            \
      const T&, std::span<const Vec3>, size_t, const T::Options&);        \
  template absl::StatusOr<std::vector<uint8_t>> AnyOverlap(               \
      const T&, const Regions&, const T::Options&);                       \
  template absl::StatusOr<std::vector<uint64_t>> CountOverlaps(           \
      const T&, const Regions&, const T::Options&);                       \
  template absl::StatusOr<Lists<GlobalId>> AllOverlaps(                   \
      const T&, const Regions&, const T::Options&);                       \
  template absl::Status VisitOverlaps(                                    \
      const T&, const Regions&, T::Visitor<GlobalId>, const T::Options&); \
  ORBOX_INSTANTIATE_HITS(T, Ray, GlobalRayHit)                            \
  ORBOX_INSTANTIATE_HITS(T, SweptSphere, GlobalSweepHit)                  \
  template absl::StatusOr<std::vector<uint8_t>> IsInside(                 \
      const T&, std::span<const Vec3>, const T::Options&);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_QUERIES_INL_H_
