// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/chunk_executor.h"

#include "orbox/bvh/large/chunked_winding_number.h"
#include "orbox/bvh/large/signed_distance.h"

namespace orbox::cli {

ChunkExecutor::ClosestPoints ChunkExecutor::ClosestPoint(
    const ChunkedTree& tree, std::span<const Vec3> points,
    const QueryOptions& options) {
  return orbox::ClosestPoint(tree, points, options);
}

absl::StatusOr<ChunkExecutor::SignedField> ChunkExecutor::SignedFieldOf(
    const ChunkedTree& tree) {
  const absl::StatusOr<ChunkedSignedDistanceField> field =
      ChunkedSignedDistanceField::Create(tree);
  if (!field.ok()) return field.status();
  return [field = *field](std::span<const Vec3> points,
                          const QueryOptions& options) {
    return field.ClosestPoint(points, options);
  };
}

absl::StatusOr<ChunkExecutor::WindingField> ChunkExecutor::WindingFieldOf(
    const ChunkedTree& tree) {
  const absl::StatusOr<ChunkedWindingNumberField> field =
      ChunkedWindingNumberField::Of(tree);
  if (!field.ok()) return field.status();
  return [field = *field](std::span<const Vec3> points,
                          const WindingOptions& options) {
    return field.At(points, options);
  };
}

absl::StatusOr<Lists<GlobalSurfacePoint>> ChunkExecutor::KNearest(
    const ChunkedTree& tree, std::span<const Vec3> points, size_t k,
    const QueryOptions& options) {
  return orbox::KNearest(tree, points, k, options);
}

absl::StatusOr<Lists<uint64_t>> ChunkExecutor::AllOverlaps(
    const ChunkedTree& tree, const Regions& regions,
    const QueryOptions& options) {
  return orbox::AllOverlaps(tree, regions, options);
}

absl::StatusOr<std::vector<std::optional<GlobalRayHit>>>
ChunkExecutor::ClosestHit(const ChunkedTree& tree, std::span<const Ray> rays,
                          const QueryOptions& options) {
  return orbox::ClosestHit(tree, rays, options);
}

absl::StatusOr<Lists<GlobalRayHit>> ChunkExecutor::AllHits(
    const ChunkedTree& tree, std::span<const Ray> rays,
    const QueryOptions& options) {
  return orbox::AllHits(tree, rays, options);
}

absl::StatusOr<std::vector<uint8_t>> ChunkExecutor::AnyHit(
    const ChunkedTree& tree, std::span<const Ray> rays,
    const QueryOptions& options) {
  return orbox::AnyHit(tree, rays, options);
}

absl::StatusOr<std::vector<GlobalPair>> ChunkExecutor::AllOverlaps(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const QueryOptions& options) {
  return orbox::AllOverlaps(a, b, options);
}

absl::StatusOr<uint64_t> ChunkExecutor::CountWithin(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    const QueryOptions& options) {
  return orbox::CountWithin(a, b, distance, options);
}

absl::StatusOr<std::vector<GlobalWitness>> ChunkExecutor::AllWitnessesWithin(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    const QueryOptions& options) {
  return orbox::AllWitnessesWithin(a, b, distance, options);
}

absl::StatusOr<std::optional<GlobalWitness>> ChunkExecutor::ClosestPair(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const QueryOptions& options) {
  return orbox::ClosestPair(a, b, options);
}

absl::StatusOr<GlobalSymmetricHausdorffResult>
ChunkExecutor::SymmetricHausdorffDistance(const PosedChunkedTree& a,
                                          const PosedChunkedTree& b,
                                          const HausdorffOptions& options) {
  return orbox::SymmetricHausdorffDistance(a, b, options);
}

absl::StatusOr<std::vector<TriangleDeviation>> ChunkExecutor::DeviationField(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffOptions& options) {
  return orbox::DeviationField(a, b, options);
}

absl::StatusOr<std::vector<GlobalPair>> ChunkExecutor::AllSelfOverlaps(
    const ChunkedTree& tree, const QueryOptions& options) {
  return orbox::AllSelfOverlaps(tree, options);
}

absl::StatusOr<std::vector<GlobalWitness>>
ChunkExecutor::AllSelfWitnessesWithin(const ChunkedTree& tree, double distance,
                                      const QueryOptions& options) {
  return orbox::AllSelfWitnessesWithin(tree, distance, options);
}

}  // namespace orbox::cli
