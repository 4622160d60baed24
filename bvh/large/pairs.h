// SPDX-License-Identifier: Apache-2.0

// Pairs of triangles of large meshes that overlap, are within a distance, or
// are closest: of two meshes, or of one with itself.
//
//   absl::StatusOr<std::vector<GlobalPair>> pairs = AllOverlaps(scan, plan);
//   if (!pairs.ok()) return pairs.status();
//   absl::StatusOr<bool> tight = AnyWithin(scan, plan, 0.5);
//   absl::StatusOr<std::optional<GlobalWitness>> gap = ClosestPair(scan, plan);
//
// A side is a ChunkedTree (chunked_tree.h), a PosedChunkedTree (chunk_tasks.h),
// or a DistributedTree or PosedDistributedTree (mpi/distributed_tree.h):
//
//   query                     chunks             ranks
//   Any, Count, ClosestPair   the result         the result, on all ranks
//   All                       ascending          a slice on each rank
//   Visit                     all, one thread    those that a rank finds
//   ...OfTasks                yes                -
//
// Results, their order and their options are those of
// query/pairs/pair_overlap.h, pair_within.h, closest_pair.h, self_overlap.h and
// self_within.h for these meshes in memory, with global ids. Errors are those
// of query_options.h and of ChunkedTree::Load. If one of the two meshes is in
// memory, pass ChunkedTree(tree).
//
// Chunks. Pairs of chunks are queried one by one, each in one thread. With
// `threads`, several run at a time: as many as the memory of the trees allows,
// at least one.
//
// Ranks. The work is a list of pairs of chunks (chunk_tasks.h). Every rank
// computes the list, and each does its share of the tasks. Lists of pairs are
// divided by the ids of `a`: each rank gets a slice, ascending, and the slices
// in the order of ranks are the list of one machine, to the bit, for any number
// of ranks. Collective, with the errors that mpi/distributed_tree.h lists.
// kInvalidArgument also if trees have different communicators. Costs the tasks,
// about equally many on each rank; then 16 or 24 bytes per pair, once.
#ifndef ORBOX_BVH_LARGE_PAIRS_H_
#define ORBOX_BVH_LARGE_PAIRS_H_

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

// A mesh of a pair, and its target without a pose.
template <typename A>
concept LargeSide = LargeTree<typename A::Posed::Tree>;
template <typename A>
using PosedOf = typename A::Posed;
template <typename A>
using TargetOf = typename A::Posed::Tree;

using GlobalPairVisitor = absl::FunctionRef<Visit(const GlobalPair& pair)>;
using GlobalPairDistanceVisitor =
    absl::FunctionRef<Visit(const GlobalPairDistance& pair)>;

// The two sides of a query, or one mesh with itself.
template <LargeTree T>
struct PairSides {
  PairSides(const PosedOf<T>& of_a, const PosedOf<T>& of_b)
      : a(&of_a), b(&of_b) {}
  explicit PairSides(const T& tree) : self(&tree) {}

  const PosedOf<T>* a = nullptr;
  const PosedOf<T>* b = nullptr;
  const T* self = nullptr;
};

// The queries below, in one form. `Found` is GlobalPair or GlobalSelfContact
// for overlaps, and GlobalPairDistance or GlobalWitness for pairs within a
// distance.
template <typename Found, LargeTree T>
ORBOX_EXPORT absl::StatusOr<bool> AnyPair(const PairSides<T>& sides,
                                          double distance,
                                          const OptionsOf<T>& options);
template <typename Found, LargeTree T>
ORBOX_EXPORT absl::StatusOr<uint64_t> CountPairs(const PairSides<T>& sides,
                                                 double distance,
                                                 const OptionsOf<T>& options);
template <typename Found, LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<Found>> AllPairs(
    const PairSides<T>& sides, double distance, const OptionsOf<T>& options);
template <typename Found, LargeTree T>
ORBOX_EXPORT absl::Status VisitPairs(
    const PairSides<T>& sides, double distance,
    absl::FunctionRef<Visit(const Found&)> visitor,
    const OptionsOf<T>& options);
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::optional<GlobalWitness>> ClosestOfSides(
    const PairSides<T>& sides, const OptionsOf<T>& options);

template <LargeSide A>
absl::StatusOr<bool> AnyOverlap(const A& a, const PosedOf<A>& b,
                                const OptionsOf<A>& options = {}) {
  return AnyPair<GlobalPair>(PairSides<TargetOf<A>>(a, b), 0, options);
}
template <LargeSide A>
absl::StatusOr<uint64_t> CountOverlaps(const A& a, const PosedOf<A>& b,
                                       const OptionsOf<A>& options = {}) {
  return CountPairs<GlobalPair>(PairSides<TargetOf<A>>(a, b), 0, options);
}
template <LargeSide A>
absl::StatusOr<std::vector<GlobalPair>> AllOverlaps(
    const A& a, const PosedOf<A>& b, const OptionsOf<A>& options = {}) {
  return AllPairs<GlobalPair>(PairSides<TargetOf<A>>(a, b), 0, options);
}
// Ranks: the visitor gets the pairs that this rank finds, each on one rank, in
// no particular order. A visitor that returns kStop ends the search of all
// ranks soon.
template <LargeSide A>
absl::Status VisitOverlaps(const A& a, const PosedOf<A>& b,
                           GlobalPairVisitor visitor,
                           const OptionsOf<A>& options = {}) {
  return VisitPairs<GlobalPair>(PairSides<TargetOf<A>>(a, b), 0, visitor,
                                options);
}

template <LargeSide A>
absl::StatusOr<bool> AnyWithin(const A& a, const PosedOf<A>& b, double distance,
                               const OptionsOf<A>& options = {}) {
  return AnyPair<GlobalPairDistance>(PairSides<TargetOf<A>>(a, b), distance,
                                     options);
}
template <LargeSide A>
absl::StatusOr<uint64_t> CountWithin(const A& a, const PosedOf<A>& b,
                                     double distance,
                                     const OptionsOf<A>& options = {}) {
  return CountPairs<GlobalPairDistance>(PairSides<TargetOf<A>>(a, b), distance,
                                        options);
}
template <LargeSide A>
absl::StatusOr<std::vector<GlobalPairDistance>> AllWithin(
    const A& a, const PosedOf<A>& b, double distance,
    const OptionsOf<A>& options = {}) {
  return AllPairs<GlobalPairDistance>(PairSides<TargetOf<A>>(a, b), distance,
                                      options);
}
// AllWithin with the point of each triangle that is nearest to the other.
template <LargeSide A>
absl::StatusOr<std::vector<GlobalWitness>> AllWitnessesWithin(
    const A& a, const PosedOf<A>& b, double distance,
    const OptionsOf<A>& options = {}) {
  return AllPairs<GlobalWitness>(PairSides<TargetOf<A>>(a, b), distance,
                                 options);
}
template <LargeSide A>
absl::Status VisitWithin(const A& a, const PosedOf<A>& b, double distance,
                         GlobalPairDistanceVisitor visitor,
                         const OptionsOf<A>& options = {}) {
  return VisitPairs<GlobalPairDistance>(PairSides<TargetOf<A>>(a, b), distance,
                                        visitor, options);
}

// Returns the lowest (a, b) among pairs at equal distances, with the three
// exceptions of closest_pair.h. Where they apply, the result is the lowest of
// the pairs that the tasks find (chunk_tasks.h). If the meshes overlap, it is
// the pair found by the first task whose chunks overlap. Nothing if the meshes
// are farther apart than max_distance. Each rank queries pairs of chunks, the
// nearest first, and the ranks regularly share the bound.
template <LargeSide A>
absl::StatusOr<std::optional<GlobalWitness>> ClosestPair(
    const A& a, const PosedOf<A>& b, const OptionsOf<A>& options = {}) {
  return ClosestOfSides(PairSides<TargetOf<A>>(a, b), options);
}

// Queries of a tree with itself. Corners are shared if their coordinates are
// equal (SharedCorners::kByPosition), because chunks do not keep the indices of
// files.
template <LargeTree T>
absl::StatusOr<bool> AnySelfOverlap(const T& tree,
                                    const OptionsOf<T>& options = {}) {
  return AnyPair<GlobalPair>(PairSides<T>(tree), 0, options);
}
template <LargeTree T>
absl::StatusOr<uint64_t> CountSelfOverlaps(const T& tree,
                                           const OptionsOf<T>& options = {}) {
  return CountPairs<GlobalPair>(PairSides<T>(tree), 0, options);
}
template <LargeTree T>
absl::StatusOr<std::vector<GlobalPair>> AllSelfOverlaps(
    const T& tree, const OptionsOf<T>& options = {}) {
  return AllPairs<GlobalPair>(PairSides<T>(tree), 0, options);
}
template <LargeTree T>
absl::StatusOr<std::vector<GlobalSelfContact>> AllSelfContacts(
    const T& tree, const OptionsOf<T>& options = {}) {
  return AllPairs<GlobalSelfContact>(PairSides<T>(tree), 0, options);
}
template <LargeTree T>
absl::Status VisitSelfOverlaps(const T& tree, GlobalPairVisitor visitor,
                               const OptionsOf<T>& options = {}) {
  return VisitPairs<GlobalPair>(PairSides<T>(tree), 0, visitor, options);
}

template <LargeTree T>
absl::StatusOr<bool> AnySelfWithin(const T& tree, double distance,
                                   const OptionsOf<T>& options = {}) {
  return AnyPair<GlobalPairDistance>(PairSides<T>(tree), distance, options);
}
template <LargeTree T>
absl::StatusOr<uint64_t> CountSelfWithin(const T& tree, double distance,
                                         const OptionsOf<T>& options = {}) {
  return CountPairs<GlobalPairDistance>(PairSides<T>(tree), distance, options);
}
template <LargeTree T>
absl::StatusOr<std::vector<GlobalPairDistance>> AllSelfWithin(
    const T& tree, double distance, const OptionsOf<T>& options = {}) {
  return AllPairs<GlobalPairDistance>(PairSides<T>(tree), distance, options);
}
template <LargeTree T>
absl::StatusOr<std::vector<GlobalWitness>> AllSelfWitnessesWithin(
    const T& tree, double distance, const OptionsOf<T>& options = {}) {
  return AllPairs<GlobalWitness>(PairSides<T>(tree), distance, options);
}
template <LargeTree T>
absl::Status VisitSelfWithin(const T& tree, double distance,
                             GlobalPairDistanceVisitor visitor,
                             const OptionsOf<T>& options = {}) {
  return VisitPairs<GlobalPairDistance>(PairSides<T>(tree), distance, visitor,
                                        options);
}

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

// The pairs of some tasks of SelfTasks.
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPair>> SelfOverlapsOfTasks(
    const ChunkedTree& tree, std::span<const ChunkTask> tasks,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPairDistance>> SelfWithinOfTasks(
    const ChunkedTree& tree, double distance, std::span<const ChunkTask> tasks,
    const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_PAIRS_H_
