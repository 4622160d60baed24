// SPDX-License-Identifier: Apache-2.0

// Pairs of triangles of chunked trees (chunked_tree.h): which overlap, which
// are within a distance, which are closest; of two, or of one and itself.
//
//   absl::StatusOr<std::vector<GlobalPair>> pairs = AllOverlaps(scan, plan);
//   if (!pairs.ok()) return pairs.status();
//   absl::StatusOr<bool> tight = AnyWithin(scan, plan, 0.5, {.threads = 4});
//   absl::StatusOr<std::optional<GlobalWitness>> gap = ClosestPair(scan, plan);
//
// Answers, their order and their options are those of query/pair_overlap.h,
// pair_within.h, closest_pair.h, self_overlap.h and self_within.h for the same
// meshes in memory, with global ids. Errors are those of query_options.h and of
// ChunkedTree::Load. A ChunkedTree serves where a PosedChunkedTree is asked
// for, and ChunkedTree(tree) where one of the two is in memory.
//
// Pairs of chunks are asked one by one, each in one thread, several at a time
// where `threads` says so: as many as the memory of the trees allows, at least
// one. Visit... asks in one thread.
#ifndef ORBOX_BVH_CHUNKED_CHUNKED_PAIRS_H_
#define ORBOX_BVH_CHUNKED_CHUNKED_PAIRS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/chunk_tasks.h"
#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/bvh/chunked/global_ids.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

using GlobalPairVisitor = absl::FunctionRef<Visit(const GlobalPair& pair)>;
using GlobalPairDistanceVisitor =
    absl::FunctionRef<Visit(const GlobalPairDistance& pair)>;

ORBOX_EXPORT absl::StatusOr<bool> AnyOverlap(const PosedChunkedTree& a,
                                             const PosedChunkedTree& b,
                                             const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountOverlaps(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPair>> AllOverlaps(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::Status VisitOverlaps(const PosedChunkedTree& a,
                                        const PosedChunkedTree& b,
                                        GlobalPairVisitor visitor,
                                        const QueryOptions& options = {});

ORBOX_EXPORT absl::StatusOr<bool> AnyWithin(const PosedChunkedTree& a,
                                            const PosedChunkedTree& b,
                                            double distance,
                                            const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountWithin(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPairDistance>> AllWithin(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    const QueryOptions& options = {});
// The same with the point of each triangle that is nearest to the other.
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalWitness>> AllWitnessesWithin(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::Status VisitWithin(const PosedChunkedTree& a,
                                      const PosedChunkedTree& b,
                                      double distance,
                                      GlobalPairDistanceVisitor visitor,
                                      const QueryOptions& options = {});

// The pairs of some tasks of PairTasks, ascending: a part of AllOverlaps or
// AllWithin, whose pairs each belong to one task. For workers that share the
// work without MPI, such as a job array.
//
//   std::vector<ChunkTask> own = ...;           // of AssignTasks
//   auto part = WithinOfTasks(a, b, 0.5, own);
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPair>> OverlapsOfTasks(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    std::span<const ChunkTask> tasks, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPairDistance>> WithinOfTasks(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    std::span<const ChunkTask> tasks, const QueryOptions& options = {});

// Returns the lowest (a, b) among pairs at the same distance, with the three
// exceptions of closest_pair.h. Where they apply, it is the lowest of those
// that the tasks find (chunk_tasks.h); where the meshes overlap, the pair that
// the first task finds whose chunks do.
ORBOX_EXPORT absl::StatusOr<std::optional<GlobalWitness>> ClosestPair(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const QueryOptions& options = {});

// A tree and itself. Corners are shared where their coordinates are equal
// (SharedCorners::kByPosition): chunks do not keep the indices of files.
ORBOX_EXPORT absl::StatusOr<bool> AnySelfOverlap(
    const ChunkedTree& tree, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountSelfOverlaps(
    const ChunkedTree& tree, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPair>> AllSelfOverlaps(
    const ChunkedTree& tree, const QueryOptions& options = {});
ORBOX_EXPORT absl::Status VisitSelfOverlaps(const ChunkedTree& tree,
                                            GlobalPairVisitor visitor,
                                            const QueryOptions& options = {});

ORBOX_EXPORT absl::StatusOr<bool> AnySelfWithin(
    const ChunkedTree& tree, double distance, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountSelfWithin(
    const ChunkedTree& tree, double distance, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPairDistance>> AllSelfWithin(
    const ChunkedTree& tree, double distance, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalWitness>> AllSelfWitnessesWithin(
    const ChunkedTree& tree, double distance, const QueryOptions& options = {});
ORBOX_EXPORT absl::Status VisitSelfWithin(const ChunkedTree& tree,
                                          double distance,
                                          GlobalPairDistanceVisitor visitor,
                                          const QueryOptions& options = {});

// The pairs of some tasks of SelfTasks.
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPair>> SelfOverlapsOfTasks(
    const ChunkedTree& tree, std::span<const ChunkTask> tasks,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPairDistance>> SelfWithinOfTasks(
    const ChunkedTree& tree, double distance, std::span<const ChunkTask> tasks,
    const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_CHUNKED_PAIRS_H_
