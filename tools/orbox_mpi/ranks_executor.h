// SPDX-License-Identifier: Apache-2.0

// Runs queries of chunked trees on all ranks of a job. Each rank runs a range
// of the queries, or some of the pairs of chunks; then all have all results.
//
//   RanksExecutor executor(ranks);
//   settings.executor = &executor;
#ifndef ORBOX_TOOLS_ORBOX_MPI_RANKS_EXECUTOR_H_
#define ORBOX_TOOLS_ORBOX_MPI_RANKS_EXECUTOR_H_

#include <optional>
#include <vector>

#include "orbox/bvh/mpi/communicator.h"
#include "tools/orbox/commands/chunk_executor.h"

namespace orbox::cli {

class RanksExecutor final : public ChunkExecutor {
 public:
  explicit RanksExecutor(Communicator& ranks) : ranks_(ranks) {}

  bool is_alone() const override { return false; }
  bool writes_results() const override { return ranks_.rank() == 0; }

  absl::Status Agree(const absl::Status& own) override {
    return ranks_.Agree(own);
  }

  ClosestPoints ClosestPoint(const ChunkedTree& tree,
                             std::span<const Vec3> points,
                             const QueryOptions& options) override;
  absl::StatusOr<SignedField> SignedFieldOf(const ChunkedTree& tree) override;
  absl::StatusOr<WindingField> WindingFieldOf(const ChunkedTree& tree) override;
  absl::StatusOr<Lists<GlobalSurfacePoint>> KNearest(
      const ChunkedTree& tree, std::span<const Vec3> points, size_t k,
      const QueryOptions& options) override;
  absl::StatusOr<Lists<uint64_t>> AllOverlaps(
      const ChunkedTree& tree, const Regions& regions,
      const QueryOptions& options) override;
  absl::StatusOr<std::vector<std::optional<GlobalRayHit>>> ClosestHit(
      const ChunkedTree& tree, std::span<const Ray> rays,
      const QueryOptions& options) override;
  absl::StatusOr<Lists<GlobalRayHit>> AllHits(
      const ChunkedTree& tree, std::span<const Ray> rays,
      const QueryOptions& options) override;
  absl::StatusOr<std::vector<uint8_t>> AnyHit(
      const ChunkedTree& tree, std::span<const Ray> rays,
      const QueryOptions& options) override;

  absl::StatusOr<std::vector<GlobalPair>> AllOverlaps(
      const PosedChunkedTree& a, const PosedChunkedTree& b,
      const QueryOptions& options) override;
  absl::StatusOr<uint64_t> CountWithin(const PosedChunkedTree& a,
                                       const PosedChunkedTree& b,
                                       double distance,
                                       const QueryOptions& options) override;
  absl::StatusOr<std::vector<GlobalWitness>> AllWitnessesWithin(
      const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
      const QueryOptions& options) override;
  absl::StatusOr<std::optional<GlobalWitness>> ClosestPair(
      const PosedChunkedTree& a, const PosedChunkedTree& b,
      const QueryOptions& options) override;
  absl::StatusOr<GlobalSymmetricHausdorffResult> SymmetricHausdorffDistance(
      const PosedChunkedTree& a, const PosedChunkedTree& b,
      const HausdorffOptions& options) override;
  absl::StatusOr<std::vector<TriangleDeviation>> DeviationField(
      const PosedChunkedTree& a, const PosedChunkedTree& b,
      const HausdorffOptions& options) override;
  absl::StatusOr<std::vector<GlobalPair>> AllSelfOverlaps(
      const ChunkedTree& tree, const QueryOptions& options) override;
  absl::StatusOr<std::vector<GlobalWitness>> AllSelfWitnessesWithin(
      const ChunkedTree& tree, double distance,
      const QueryOptions& options) override;

 private:
  Communicator& ranks_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_MPI_RANKS_EXECUTOR_H_
