// SPDX-License-Identifier: Apache-2.0

// A chunked tree (chunked/chunked_tree.h) that the ranks of an MPI job share:
// all know the table of chunks, and each owns a run of them.
//
//   absl::StatusOr<Communicator> ranks = Communicator::Create(MPI_COMM_WORLD);
//   if (!ranks.ok()) return ranks.status();
//   absl::StatusOr<DistributedTree> scan =
//       DistributedTree::Open(*ranks, "scan.orboxd");
//   if (!scan.ok()) return scan.status();
//   auto near = ClosestPoint(*scan, points);       // distributed_queries.h
//
// Chunks do not depend on the number of ranks, and neither do answers. All
// functions but the getters are collective (communicator.h): every rank calls
// them, with the same arguments except where a header says "own". An error of
// one rank is the status of all, of the lowest rank that has one; none waits
// for ever. Arguments that differ are kInvalidArgument on all.
//
// A DistributedTree is a value that shares its data. The Communicator has to
// outlive it, and one thread at a time uses it.
#ifndef ORBOX_BVH_MPI_DISTRIBUTED_TREE_H_
#define ORBOX_BVH_MPI_DISTRIBUTED_TREE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/build_chunked.h"
#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// What is optional for a query of a DistributedTree: as QueryOptions
// (traverse/query_options.h), whose errors these have, too. A rank uses one
// thread: run one rank a core.
struct DistributedOptions {
  // The bytes that a rank may hold at a time of requests, replies, chunks of
  // others and results, beside the chunks that its trees map. Questions are
  // asked in rounds that keep to it; results that do not are
  // kResourceExhausted, on all ranks. Visit... has no results to hold.
  size_t memory = size_t{1} << 30;

  double max_distance = std::numeric_limits<double>::infinity();
  // Counts of all ranks together, on every rank. To be null on all or none.
  TraversalStatistics* statistics = nullptr;
  // Counts of this rank alone. To be null on all or none.
  TraversalStatistics* own_statistics = nullptr;
  // The share of this rank's work.
  std::function<void(double)> progress;
  // Where it is true on any rank, all end with kCancelled.
  const std::atomic<bool>* cancelled = nullptr;
  // Which points are inside a closed mesh.
  InsideRule inside = InsideRule::kWinding;
};

// Which of `chunks` chunks rank r of `ranks` owns: [first, second).
std::pair<size_t, size_t> OwnedChunks(size_t chunks, int ranks, int r);

class ORBOX_EXPORT DistributedTree {
 public:
  // Opens the files on all ranks, which have to see the same ones: a parallel
  // file system, or copies. Chunks are mapped where a rank asks them; only
  // questions and answers travel.
  static absl::StatusOr<DistributedTree> Open(
      Communicator& ranks, const std::string& path,
      const OpenChunkedOptions& options = {});

  // Builds `path` as BuildChunked does (chunked/build_chunked.h), to the byte,
  // in a file system that all ranks see: each rank reads a share of the files,
  // sends triangles to the ranks whose chunks they may be in, and sorts, builds
  // and writes the chunks that it will own, in options.memory bytes.
  //
  // Binary STL, and binary PLY whose faces have as many corners each, are read
  // by ranges of bytes: by each of P ranks a P-th of the vertices and of the
  // faces, once, as far as they fit into an eighth of the memory. A file of
  // another kind is read by one rank, the one with the fewest bytes so far.
  // Other errors than those of memory and of the system are those of one
  // process; kInvalidArgument where ranks see files of other sizes.
  //
  // `memory` (what travels keeps to the least of all), `threads`, `progress`
  // and `cancelled` are a rank's own. After an error, nothing is left behind.
  static absl::StatusOr<DistributedTree> Build(
      Communicator& ranks, std::span<const std::string> files,
      const std::string& path, const BuildChunkedOptions& options = {});

  // A tree that every rank has in memory, such as a small one.
  static absl::StatusOr<DistributedTree> Replicate(Communicator& ranks,
                                                   const ChunkedTree& tree);

  // The table, and the chunks.
  const ChunkedTree& chunks() const { return chunks_; }
  Communicator& ranks() const { return *ranks_; }

  std::pair<size_t, size_t> owned() const {
    return OwnedChunks(chunks_.table().size(), ranks_->size(), ranks_->rank());
  }
  int owner(size_t chunk) const;

 private:
  DistributedTree(Communicator& ranks, ChunkedTree chunks)
      : ranks_(&ranks), chunks_(std::move(chunks)) {}

  Communicator* ranks_;
  ChunkedTree chunks_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_DISTRIBUTED_TREE_H_
