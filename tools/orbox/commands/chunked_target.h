// SPDX-License-Identifier: Apache-2.0

// A chunked tree and the ChunkExecutor that runs its queries. Query commands
// accept it in place of a Tree. The functions have the names of those in
// bvh/large.
//
//   ChunkedTarget scan{chunked_tree, executor};
//   absl::StatusOr<Lists<GlobalRayHit>> hits = AllHits(scan, rays, options);
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_CHUNKED_TARGET_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_CHUNKED_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "tools/orbox/commands/chunk_executor.h"

namespace orbox::cli {

struct ChunkedTarget {
  ChunkedTree tree;
  ChunkExecutor* executor;
};

// A ChunkedTarget at a pose; see PosedChunkedTree.
struct PosedChunkedTarget {
  PosedChunkedTree tree;
  ChunkExecutor* executor;

  PosedChunkedTarget(const ChunkedTarget& of)  // NOLINT
      : tree(of.tree), executor(of.executor) {}
  PosedChunkedTarget(PosedChunkedTree posed, ChunkExecutor* by)
      : tree(std::move(posed)), executor(by) {}

  static absl::StatusOr<PosedChunkedTarget> Create(const ChunkedTarget& of,
                                                   const Pose& pose) {
    absl::StatusOr<PosedChunkedTree> posed =
        PosedChunkedTree::Create(of.tree, pose);
    if (!posed.ok()) return posed.status();
    return PosedChunkedTarget(*std::move(posed), of.executor);
  }
};

inline auto ClosestPoint(const ChunkedTarget& t, std::span<const Vec3> points,
                         const QueryOptions& options) {
  return t.executor->ClosestPoint(t.tree, points, options);
}
inline auto KNearest(const ChunkedTarget& t, std::span<const Vec3> points,
                     size_t k, const QueryOptions& options) {
  return t.executor->KNearest(t.tree, points, k, options);
}
inline auto AllOverlaps(const ChunkedTarget& t, const Regions& regions,
                        const QueryOptions& options) {
  return t.executor->AllOverlaps(t.tree, regions, options);
}
inline auto AnyHit(const ChunkedTarget& t, std::span<const Ray> rays,
                   const QueryOptions& options) {
  return t.executor->AnyHit(t.tree, rays, options);
}
inline auto ClosestHit(const ChunkedTarget& t, std::span<const Ray> rays,
                       const QueryOptions& options) {
  return t.executor->ClosestHit(t.tree, rays, options);
}
inline auto AllHits(const ChunkedTarget& t, std::span<const Ray> rays,
                    const QueryOptions& options) {
  return t.executor->AllHits(t.tree, rays, options);
}
inline auto AllSelfOverlaps(const ChunkedTarget& t,
                            const QueryOptions& options) {
  return t.executor->AllSelfOverlaps(t.tree, options);
}
inline auto AllSelfWitnessesWithin(const ChunkedTarget& t, double distance,
                                   const QueryOptions& options) {
  return t.executor->AllSelfWitnessesWithin(t.tree, distance, options);
}

inline auto AllOverlaps(const PosedChunkedTarget& a,
                        const PosedChunkedTarget& b,
                        const QueryOptions& options) {
  return a.executor->AllOverlaps(a.tree, b.tree, options);
}
inline auto ClosestPair(const PosedChunkedTarget& a,
                        const PosedChunkedTarget& b,
                        const QueryOptions& options) {
  return a.executor->ClosestPair(a.tree, b.tree, options);
}
inline auto CountWithin(const PosedChunkedTarget& a,
                        const PosedChunkedTarget& b, double distance,
                        const QueryOptions& options) {
  return a.executor->CountWithin(a.tree, b.tree, distance, options);
}
inline auto AllWitnessesWithin(const PosedChunkedTarget& a,
                               const PosedChunkedTarget& b, double distance,
                               const QueryOptions& options) {
  return a.executor->AllWitnessesWithin(a.tree, b.tree, distance, options);
}

inline auto SymmetricHausdorffDistance(const PosedChunkedTarget& a,
                                       const PosedChunkedTarget& b,
                                       const HausdorffOptions& options) {
  return a.executor->SymmetricHausdorffDistance(a.tree, b.tree, options);
}
inline auto DeviationField(const PosedChunkedTarget& a,
                           const PosedChunkedTarget& b,
                           const HausdorffOptions& options) {
  return a.executor->DeviationField(a.tree, b.tree, options);
}

// Fields of a ChunkedTarget; see ChunkedSignedDistanceField and
// ChunkedWindingNumberField.
class TargetSignedField {
 public:
  static absl::StatusOr<TargetSignedField> Create(const ChunkedTarget& t) {
    absl::StatusOr<ChunkExecutor::SignedField> field =
        t.executor->SignedFieldOf(t.tree);
    if (!field.ok()) return field.status();
    return TargetSignedField(*std::move(field));
  }
  ChunkExecutor::ClosestPoints ClosestPoint(std::span<const Vec3> points,
                                            const QueryOptions& options) const {
    return field_(points, options);
  }

 private:
  explicit TargetSignedField(ChunkExecutor::SignedField field)
      : field_(std::move(field)) {}

  ChunkExecutor::SignedField field_;
};
class TargetWindingField {
 public:
  static absl::StatusOr<TargetWindingField> Of(const ChunkedTarget& t) {
    absl::StatusOr<ChunkExecutor::WindingField> field =
        t.executor->WindingFieldOf(t.tree);
    if (!field.ok()) return field.status();
    return TargetWindingField(*std::move(field));
  }
  absl::StatusOr<std::vector<double>> At(std::span<const Vec3> points,
                                         const WindingOptions& options) const {
    return field_(points, options);
  }

 private:
  explicit TargetWindingField(ChunkExecutor::WindingField field)
      : field_(std::move(field)) {}

  ChunkExecutor::WindingField field_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_CHUNKED_TARGET_H_
