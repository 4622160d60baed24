// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/distributed_queries.h"

#include <algorithm>
#include <optional>

#include "orbox/bvh/large/internal/chunk_traits.h"
#include "orbox/bvh/mpi/internal/edge_exchange.h"
#include "orbox/bvh/mpi/internal/rank_answers.h"
#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {

namespace {

ClosestChunkTraits Closest(const DistributedTree& tree,
                           const DistributedOptions& options) {
  ClosestChunkTraits traits;
  traits.max_distance = options.max_distance;
  traits.space = SpaceAround(tree.chunks().bounds());
  return traits;
}

NearestChunkTraits Nearest(size_t k, const DistributedOptions& options) {
  NearestChunkTraits traits;
  traits.k = std::max<size_t>(k, 1);
  traits.max_distance = options.max_distance;
  return traits;
}

OverlapChunkTraits Overlapping(OverlapChunkTraits::Mode mode) {
  OverlapChunkTraits traits;
  traits.mode = mode;
  return traits;
}

HitChunkTraits Hitting(HitChunkTraits::Mode mode,
                       const DistributedOptions& options) {
  HitChunkTraits traits;
  traits.mode = mode;
  traits.max_distance = options.max_distance;
  return traits;
}

}  // namespace

absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>> ClosestPoint(
    const DistributedTree& tree, std::span<const Vec3> own_points,
    const DistributedOptions& options) {
  using Result = std::vector<std::optional<GlobalSurfacePoint>>;
  return AnswersOfRanks<Result>(
      tree, Closest(tree, options), Fingerprint("ClosestPoint"), own_points,
      options, [](const ClosestChunkTraits::Answer& answer, Result* result) {
        result->push_back(answer);
      });
}

absl::StatusOr<Lists<GlobalSurfacePoint>> KNearest(
    const DistributedTree& tree, std::span<const Vec3> own_points, size_t k,
    const DistributedOptions& options) {
  using Result = Lists<GlobalSurfacePoint>;
  return AnswersOfRanks<Result>(
      tree, Nearest(k, options), Fingerprint("KNearest").Add(uint64_t{k}),
      own_points, options,
      [k](const NearestChunkTraits::Answer& answer, Result* result) {
        const std::span<const GlobalSurfacePoint> found(answer);
        AppendList(found.first(std::min(k, found.size())), result);
      });
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    const DistributedTree& tree, const Regions& own_regions,
    const DistributedOptions& options) {
  using Result = std::vector<uint8_t>;
  return AnswersOfRanks<Result>(
      tree, Overlapping(OverlapChunkTraits::Mode::kAny),
      Fingerprint("AnyOverlap"), own_regions, options,
      [](const OverlapChunkTraits::Answer& answer, Result* result) {
        result->push_back(answer.count != 0 ? 1 : 0);
      });
}

absl::StatusOr<std::vector<uint64_t>> CountOverlaps(
    const DistributedTree& tree, const Regions& own_regions,
    const DistributedOptions& options) {
  using Result = std::vector<uint64_t>;
  return AnswersOfRanks<Result>(
      tree, Overlapping(OverlapChunkTraits::Mode::kCount),
      Fingerprint("CountOverlaps"), own_regions, options,
      [](const OverlapChunkTraits::Answer& answer, Result* result) {
        result->push_back(answer.count);
      });
}

absl::StatusOr<Lists<uint64_t>> AllOverlaps(const DistributedTree& tree,
                                            const Regions& own_regions,
                                            const DistributedOptions& options) {
  using Result = Lists<uint64_t>;
  return AnswersOfRanks<Result>(
      tree, Overlapping(OverlapChunkTraits::Mode::kAll),
      Fingerprint("AllOverlaps"), own_regions, options,
      [](const OverlapChunkTraits::Answer& answer, Result* result) {
        AppendList<uint64_t>(answer.ids.view(), result);
      });
}

absl::Status VisitOverlaps(const DistributedTree& tree,
                           const Regions& own_regions,
                           RegionVisitor own_visitor,
                           const DistributedOptions& options) {
  return VisitAnswersOfRanks(
      tree, Overlapping(OverlapChunkTraits::Mode::kAll),
      Fingerprint("VisitOverlaps"), own_regions, options,
      [&](int rank, uint64_t region, const OverlapChunkTraits::Answer& found) {
        for (const uint64_t id : found.ids.view())
          own_visitor(rank, region, id);
      });
}

absl::Status VisitHits(const DistributedTree& tree,
                       std::span<const Ray> own_rays, RayVisitor own_visitor,
                       const DistributedOptions& options) {
  return VisitAnswersOfRanks(
      tree, Hitting(HitChunkTraits::Mode::kAll, options),
      Fingerprint("VisitHits"), own_rays, options,
      [&](int rank, uint64_t ray, const HitChunkTraits::Answer& found) {
        for (const ChunkHit& hit : found.hits) own_visitor(rank, ray, hit);
      });
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(const DistributedTree& tree,
                                            std::span<const Ray> own_rays,
                                            const DistributedOptions& options) {
  using Result = std::vector<uint8_t>;
  return AnswersOfRanks<Result>(
      tree, Hitting(HitChunkTraits::Mode::kAny, options), Fingerprint("AnyHit"),
      own_rays, options,
      [](const HitChunkTraits::Answer& answer, Result* result) {
        result->push_back(answer.count != 0 ? 1 : 0);
      });
}

absl::StatusOr<std::vector<uint64_t>> CountHits(
    const DistributedTree& tree, std::span<const Ray> own_rays,
    const DistributedOptions& options) {
  using Result = std::vector<uint64_t>;
  return AnswersOfRanks<Result>(
      tree, Hitting(HitChunkTraits::Mode::kCount, options),
      Fingerprint("CountHits"), own_rays, options,
      [](const HitChunkTraits::Answer& answer, Result* result) {
        result->push_back(answer.count);
      });
}

absl::StatusOr<std::vector<std::optional<GlobalRayHit>>> ClosestHit(
    const DistributedTree& tree, std::span<const Ray> own_rays,
    const DistributedOptions& options) {
  using Result = std::vector<std::optional<GlobalRayHit>>;
  return AnswersOfRanks<Result>(
      tree, FirstHitChunkTraits{options.max_distance},
      Fingerprint("ClosestHit"), own_rays, options,
      [](const FirstHitChunkTraits::Answer& answer, Result* result) {
        result->emplace_back();
        if (answer) result->back() = *answer;
      });
}

absl::StatusOr<Lists<GlobalRayHit>> AllHits(const DistributedTree& tree,
                                            std::span<const Ray> own_rays,
                                            const DistributedOptions& options) {
  using Result = Lists<GlobalRayHit>;
  return AnswersOfRanks<Result>(
      tree, Hitting(HitChunkTraits::Mode::kAll, options),
      Fingerprint("AllHits"), own_rays, options,
      [](const HitChunkTraits::Answer& answer, Result* result) {
        for (const ChunkHit& hit : answer.hits) {
          result->values.push_back(hit);
        }
        result->offsets.push_back(result->values.size());
      });
}

absl::StatusOr<std::vector<uint8_t>> IsInside(
    const DistributedTree& tree, std::span<const Vec3> own_points,
    const DistributedOptions& options) {
  using Result = std::vector<uint8_t>;
  constexpr uint8_t kDependsOnFaces = 2;
  InsideChunkTraits traits;
  traits.bounds = tree.chunks().bounds();
  const bool is_parity = options.inside == InsideRule::kParity;
  absl::StatusOr<Result> result = AnswersOfRanks<Result>(
      tree, traits, Fingerprint("IsInside"), own_points, options,
      [=](const InsideChunkTraits::Answer& answer, Result* out) {
        const bool depends = !is_parity && answer.depends_on_faces();
        out->push_back(depends ? kDependsOnFaces : answer.is_inside() ? 1 : 0);
      });
  if (!result.ok() || is_parity) return result;
  // Ranks compute it together if a rank needs it and a rank does not have it.
  const std::optional<bool> known = tree.chunks().known_agreement();
  uint64_t needs[2] = {
      std::count(result->begin(), result->end(), kDependsOnFaces) != 0,
      !known.has_value()};
  absl::Status status = tree.ranks().Max(needs);
  if (!status.ok()) return status;
  bool agree = known.value_or(false);
  if (needs[0] != 0 && needs[1] != 0) {
    UnpairedEdges edges;
    status = EdgeExchange(tree, options).Find(&edges);
    if (!status.ok()) return status;
    agree = edges.open + edges.unequal == 0;
    tree.chunks().Remember(agree);
  }
  std::replace(result->begin(), result->end(), kDependsOnFaces,
               static_cast<uint8_t>(agree ? 1 : 0));
  return result;
}

}  // namespace orbox
