// SPDX-License-Identifier: Apache-2.0

// Pairs of triangles of chunked trees (chunked_tree.h) that overlap, are within
// a distance, or are closest: of two trees, or of one with itself.
//
//   absl::StatusOr<std::vector<GlobalPair>> pairs = AllOverlaps(scan, plan);
//   if (!pairs.ok()) return pairs.status();
//   absl::StatusOr<bool> tight = AnyWithin(scan, plan, 0.5, {.threads = 4});
//   absl::StatusOr<std::optional<GlobalWitness>> gap = ClosestPair(scan, plan);
//
// Results, their order and their options are those of
// query/pairs/pair_overlap.h, pair_within.h, closest_pair.h, self_overlap.h and
// self_within.h for these meshes in memory, with global ids. Errors are those
// of query_options.h and of ChunkedTree::Load. Functions that take a
// PosedChunkedTree accept a ChunkedTree. If one of the two meshes is in memory,
// pass ChunkedTree(tree).
//
// Pairs of chunks are queried one by one, each in one thread. With `threads`,
// several run at a time: as many as the memory of the trees allows, at least
// one. Visit... runs in one thread.
#ifndef ORBOX_BVH_LARGE_CHUNKED_PAIRS_H_
#define ORBOX_BVH_LARGE_CHUNKED_PAIRS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
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
// AllWithin with the point of each triangle that is nearest to the other.
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalWitness>> AllWitnessesWithin(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::Status VisitWithin(const PosedChunkedTree& a,
                                      const PosedChunkedTree& b,
                                      double distance,
                                      GlobalPairDistanceVisitor visitor,
                                      const QueryOptions& options = {});

// The pairs of some tasks of PairTasks, ascending: part of AllOverlaps or
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

// Returns the lowest (a, b) among pairs at equal distances, with the three
// exceptions of closest_pair.h. Where they apply, the result is the lowest of
// the pairs that the tasks find (chunk_tasks.h). If the meshes overlap, it is
// the pair found by the first task whose chunks overlap.
ORBOX_EXPORT absl::StatusOr<std::optional<GlobalWitness>> ClosestPair(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const QueryOptions& options = {});

// Queries of a tree with itself. Corners are shared if their coordinates are
// equal (SharedCorners::kByPosition), because chunks do not keep the indices of
// files.
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

#endif  // ORBOX_BVH_LARGE_CHUNKED_PAIRS_H_
