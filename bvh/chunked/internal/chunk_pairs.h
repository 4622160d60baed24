// SPDX-License-Identifier: Apache-2.0

// What a task of chunk_tasks.h finds: the pairs of two chunks, or of one and
// itself, with global ids. For one machine and for ranks. Private.
//
//   ChunkPairs pairs(*a.Load(task.a), *b.Load(task.b), ChunkPairs::Kind::kTwo);
//   std::vector<GlobalPair> overlaps = pairs.Overlaps();   // ascending
//   std::optional<GlobalWitness> w = pairs.Closest({.max_distance = bound});
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_PAIRS_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_PAIRS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/chunked/chunk_tasks.h"
#include "orbox/bvh/chunked/chunked_pairs.h"
#include "orbox/bvh/chunked/global_ids.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT ChunkPairs {
 public:
  enum class Kind {
    kTwo,    // chunks of two meshes
    kCross,  // two chunks of one mesh: neighbours are no pairs, and a < b
    kSelf,   // a chunk and itself; `b` is a copy of `a`
  };
  ChunkPairs(PosedChunk a, PosedChunk b, Kind kind)
      : a_(std::move(a)), b_(std::move(b)), kind_(kind) {}

  // Options as those of single questions: max_distance, statistics, cancelled.
  // Not in any order.
  void VisitOverlaps(GlobalPairVisitor visitor,
                     const QueryOptions& options) const;
  void VisitWithin(double distance, GlobalPairDistanceVisitor visitor,
                   const QueryOptions& options) const;
  // The same with the point of each triangle that is nearest to the other.
  using GlobalWitnessVisitor = absl::FunctionRef<Visit(const GlobalWitness&)>;
  void VisitWitnesses(double distance, GlobalWitnessVisitor visitor,
                      const QueryOptions& options) const;
  // Ascending by (a, b).
  std::vector<GlobalPair> Overlaps(const QueryOptions& options = {}) const;
  std::vector<GlobalPairDistance> Within(
      double distance, const QueryOptions& options = {}) const;
  bool AnyOverlap(const QueryOptions& options = {}) const;
  bool AnyWithin(double distance, const QueryOptions& options = {}) const;

  // The rest requires kTwo. As ClosestPair (query/closest_pair.h), which may
  // report any of several pairs at the same distance. To merge: the least by
  // (distance, a, b).
  std::optional<GlobalWitness> Closest(const QueryOptions& options = {}) const;

  // The lowest pair whose distance, correctly rounded, is `distance` > 0.
  std::optional<GlobalWitness> LowestAt(double distance,
                                        const QueryOptions& options = {}) const;

 private:
  template <typename Global>
  void VisitNear(double distance,
                 absl::FunctionRef<Visit(const Global&)> visitor,
                 const QueryOptions& options) const;

  PosedChunk a_;
  PosedChunk b_;
  Kind kind_;
};

// Whether ClosestPair has to look for the lowest of the pairs at `distance`
// (LowestAt, in all tasks whose gap is not above it), or any will do. A
// function of the tables.
ORBOX_EXPORT bool WantsLowest(const PosedChunkedTree& a,
                              const PosedChunkedTree& b, double distance);

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_PAIRS_H_
