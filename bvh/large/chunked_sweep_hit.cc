// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/chunked_sweep_hit.h"

#include "orbox/bvh/large/internal/chunk_answers.h"
#include "orbox/bvh/large/internal/chunk_loop.h"
#include "orbox/bvh/large/internal/sweep_traits.h"
#include "orbox/bvh/query/rays/sweep_hit.h"

namespace orbox {

namespace {

using SweepMode = SweepChunkTraits::Mode;
using Sweeps = SweepChunkTraits::Answer;

Answered<Sweeps> RunSweeps(const ChunkedTree& tree,
                           std::span<const SweptSphere> balls, SweepMode mode,
                           const QueryOptions& options) {
  return RunOnChunks(
      tree,
      SweepChunkTraits{.mode = mode, .max_distance = options.max_distance},
      balls, options);
}

std::optional<GlobalSweepHit> FirstSweepOf(const Sweeps& sweeps) {
  if (sweeps.hits.empty()) return std::nullopt;
  return sweeps.hits[0];
}

const std::vector<GlobalSweepHit>& AllSweepsOf(const Sweeps& sweeps) {
  return sweeps.hits;
}

}  // namespace

absl::StatusOr<bool> AnyHit(const ChunkedTree& tree, const SweptSphere& ball,
                            const QueryOptions& options) {
  return OneOf<bool>(RunSweeps(tree, {&ball, 1}, SweepMode::kAny, options),
                     IsAnyOf<Sweeps>);
}

absl::StatusOr<uint64_t> CountHits(const ChunkedTree& tree,
                                   const SweptSphere& ball,
                                   const QueryOptions& options) {
  return OneOf<uint64_t>(
      RunSweeps(tree, {&ball, 1}, SweepMode::kCount, options), CountOf<Sweeps>);
}

absl::StatusOr<std::optional<GlobalSweepHit>> ClosestHit(
    const ChunkedTree& tree, const SweptSphere& ball,
    const QueryOptions& options) {
  return OneOf<std::optional<GlobalSweepHit>>(
      RunSweeps(tree, {&ball, 1}, SweepMode::kFirst, options), FirstSweepOf);
}

absl::StatusOr<std::vector<GlobalSweepHit>> AllHits(
    const ChunkedTree& tree, const SweptSphere& ball,
    const QueryOptions& options) {
  return OneOf<std::vector<GlobalSweepHit>>(
      RunSweeps(tree, {&ball, 1}, SweepMode::kAll, options), AllSweepsOf);
}

absl::Status VisitHits(const ChunkedTree& tree, const SweptSphere& ball,
                       GlobalSweepHitVisitor visitor,
                       const QueryOptions& options) {
  return VisitChunks(tree, SweepChunkTraits{}, std::span(&ball, 1), options,
                     [&](const Chunk& chunk, size_t) {
                       Visit next = Visit::kContinue;
                       VisitHits(
                           chunk.tree, ball,
                           [&](const SweepHit& hit) {
                             return next = visitor(InChunk(chunk, hit));
                           },
                           options);
                       return next;
                     });
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(const ChunkedTree& tree,
                                            std::span<const SweptSphere> balls,
                                            const QueryOptions& options) {
  return EachOf<uint8_t>(RunSweeps(tree, balls, SweepMode::kAny, options),
                         IsAnyOf<Sweeps>);
}

absl::StatusOr<std::vector<uint64_t>> CountHits(
    const ChunkedTree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options) {
  return EachOf<uint64_t>(RunSweeps(tree, balls, SweepMode::kCount, options),
                          CountOf<Sweeps>);
}

absl::StatusOr<std::vector<std::optional<GlobalSweepHit>>> ClosestHit(
    const ChunkedTree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options) {
  return EachOf<std::optional<GlobalSweepHit>>(
      RunSweeps(tree, balls, SweepMode::kFirst, options), FirstSweepOf);
}

absl::StatusOr<Lists<GlobalSweepHit>> AllHits(
    const ChunkedTree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options) {
  return ListsOf<GlobalSweepHit>(
      RunSweeps(tree, balls, SweepMode::kAll, options), AllSweepsOf);
}

}  // namespace orbox
