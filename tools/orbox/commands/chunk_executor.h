// SPDX-License-Identifier: Apache-2.0

// Runs the command's queries of chunked trees, either in this process or, for
// orbox-mpi, on all ranks of a job together (tools/orbox_mpi/ranks_executor.h).
//
//   absl::StatusOr<std::vector<GlobalPair>> pairs =
//       executor.AllOverlaps(a, b, options);
//
// Each function returns, on each rank, the result of the function of that name
// in bvh/large.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_CHUNK_EXECUTOR_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_CHUNK_EXECUTOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_hausdorff.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/traverse/query_options.h"

namespace orbox::cli {

class ChunkExecutor {
 public:
  virtual ~ChunkExecutor() = default;

  // Returns true if no other process takes part in queries.
  virtual bool is_alone() const { return true; }
  // Returns true if this process writes the results.
  virtual bool writes_results() const { return true; }

  // Returns `own`, or the error of another process that failed before the
  // query.
  virtual absl::Status Agree(const absl::Status& own) { return own; }

  // Results of batches: closest points (with signed distances if a SignedField
  // is used), and winding numbers.
  using ClosestPoints =
      absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>>;
  using SignedField = std::function<ClosestPoints(std::span<const Vec3> points,
                                                  const QueryOptions& options)>;
  using WindingField = std::function<absl::StatusOr<std::vector<double>>(
      std::span<const Vec3> points, const WindingOptions& options)>;

  virtual ClosestPoints ClosestPoint(const ChunkedTree& tree,
                                     std::span<const Vec3> points,
                                     const QueryOptions& options);
  virtual absl::StatusOr<SignedField> SignedFieldOf(const ChunkedTree& tree);
  virtual absl::StatusOr<WindingField> WindingFieldOf(const ChunkedTree& tree);
  virtual absl::StatusOr<Lists<GlobalSurfacePoint>> KNearest(
      const ChunkedTree& tree, std::span<const Vec3> points, size_t k,
      const QueryOptions& options);
  virtual absl::StatusOr<Lists<uint64_t>> AllOverlaps(
      const ChunkedTree& tree, const Regions& regions,
      const QueryOptions& options);
  virtual absl::StatusOr<std::vector<std::optional<GlobalRayHit>>> ClosestHit(
      const ChunkedTree& tree, std::span<const Ray> rays,
      const QueryOptions& options);
  virtual absl::StatusOr<Lists<GlobalRayHit>> AllHits(
      const ChunkedTree& tree, std::span<const Ray> rays,
      const QueryOptions& options);
  virtual absl::StatusOr<std::vector<uint8_t>> AnyHit(
      const ChunkedTree& tree, std::span<const Ray> rays,
      const QueryOptions& options);

  virtual absl::StatusOr<std::vector<GlobalPair>> AllOverlaps(
      const PosedChunkedTree& a, const PosedChunkedTree& b,
      const QueryOptions& options);
  virtual absl::StatusOr<uint64_t> CountWithin(const PosedChunkedTree& a,
                                               const PosedChunkedTree& b,
                                               double distance,
                                               const QueryOptions& options);
  virtual absl::StatusOr<std::vector<GlobalWitness>> AllWitnessesWithin(
      const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
      const QueryOptions& options);
  virtual absl::StatusOr<std::optional<GlobalWitness>> ClosestPair(
      const PosedChunkedTree& a, const PosedChunkedTree& b,
      const QueryOptions& options);
  virtual absl::StatusOr<GlobalSymmetricHausdorffResult>
  SymmetricHausdorffDistance(const PosedChunkedTree& a,
                             const PosedChunkedTree& b,
                             const HausdorffOptions& options);
  virtual absl::StatusOr<std::vector<TriangleDeviation>> DeviationField(
      const PosedChunkedTree& a, const PosedChunkedTree& b,
      const HausdorffOptions& options);
  virtual absl::StatusOr<std::vector<GlobalPair>> AllSelfOverlaps(
      const ChunkedTree& tree, const QueryOptions& options);
  virtual absl::StatusOr<std::vector<GlobalWitness>> AllSelfWitnessesWithin(
      const ChunkedTree& tree, double distance, const QueryOptions& options);
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_CHUNK_EXECUTOR_H_
