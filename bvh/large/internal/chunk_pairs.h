// SPDX-License-Identifier: Apache-2.0

// The pairs of a task of chunk_tasks.h: of two chunks, or of one with itself,
// with global ids. For one machine and for ranks. Private.
//
//   ChunkPairs pairs(*a.Load(task.a), *b.Load(task.b), ChunkPairs::Kind::kTwo);
//   std::vector<GlobalPair> overlaps = pairs.Overlaps();   // ascending
//   std::optional<GlobalWitness> w = pairs.Closest({.max_distance = bound});
//
// For the closest pair, the tables of chunks alone bound which tasks there are:
//
//   const double limit = std::min(max_distance, FirstBound(a, b));
//   std::vector<ChunkTask> tasks = PairTasks(a, b, limit);
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_PAIRS_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_PAIRS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT ChunkPairs {
 public:
  enum class Kind {
    kTwo,    // chunks of two meshes
    kCross,  // two chunks of one mesh: no neighbours, and a < b
    kSelf,   // a chunk with itself; `b` is a copy of `a`
  };
  ChunkPairs(PosedChunk a, PosedChunk b, Kind kind)
      : a_(std::move(a)), b_(std::move(b)), kind_(kind) {}

  // Effective options are those of single queries: max_distance, statistics,
  // cancelled. Pairs are in no particular order.
  void VisitOverlaps(GlobalPairVisitor visitor,
                     const QueryOptions& options) const;
  // VisitOverlaps with the kinds of contacts.
  using GlobalContactVisitor =
      absl::FunctionRef<Visit(const GlobalSelfContact&)>;
  void VisitContacts(GlobalContactVisitor visitor,
                     const QueryOptions& options) const;
  void VisitWithin(double distance, GlobalPairDistanceVisitor visitor,
                   const QueryOptions& options) const;
  // VisitWithin with the point of each triangle that is nearest to the other.
  using GlobalWitnessVisitor = absl::FunctionRef<Visit(const GlobalWitness&)>;
  void VisitWitnesses(double distance, GlobalWitnessVisitor visitor,
                      const QueryOptions& options) const;
  // Results ascend by (a, b).
  std::vector<GlobalPair> Overlaps(const QueryOptions& options = {}) const;
  std::vector<GlobalPairDistance> Within(
      double distance, const QueryOptions& options = {}) const;
  bool AnyOverlap(const QueryOptions& options = {}) const;
  bool AnyWithin(double distance, const QueryOptions& options = {}) const;

  // The rest requires kTwo. Returns the result of ClosestPair
  // (query/pairs/closest_pair.h), which may report any of several pairs at
  // equal distances. To merge the results of tasks, take the least by
  // (distance, a, b).
  std::optional<GlobalWitness> Closest(const QueryOptions& options = {}) const;

  // Returns the lowest pair whose distance, correctly rounded, is `distance` >
  // 0.
  std::optional<GlobalWitness> LowestAt(double distance,
                                        const QueryOptions& options = {}) const;

 private:
  template <typename Global>
  void VisitTouching(absl::FunctionRef<Visit(const Global&)> visitor,
                     const QueryOptions& options) const;
  template <typename Global>
  void VisitNear(double distance,
                 absl::FunctionRef<Visit(const Global&)> visitor,
                 const QueryOptions& options) const;

  PosedChunk a_;
  PosedChunk b_;
  Kind kind_;
};

// Returns true if ClosestPair has to find the lowest of the pairs at `distance`
// (LowestAt, in all tasks whose gap is not above it), and false if any pair
// will do. A function of the tables.
ORBOX_EXPORT bool WantsLowest(const PosedChunkedTree& a,
                              const PosedChunkedTree& b, double distance);

// Returns an upper bound of the smallest distance of the trees: that of two
// vertices of the tables, which are near each other as far as the boxes show.
ORBOX_EXPORT double FirstBound(const PosedChunkedTree& a,
                               const PosedChunkedTree& b);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_PAIRS_H_
