// SPDX-License-Identifier: Apache-2.0

// A chunked tree (large/chunked_tree.h) that the ranks of an MPI job share.
// All ranks have the table of chunks, and each owns a run of them.
//
//   absl::StatusOr<Communicator> ranks = Communicator::Create(MPI_COMM_WORLD);
//   if (!ranks.ok()) return ranks.status();
//   absl::StatusOr<DistributedTree> scan =
//       DistributedTree::Open(*ranks, "scan.orboxd");
//   if (!scan.ok()) return scan.status();
//   auto near = ClosestPoint(*scan, points);       // large/queries.h
//
// It is a target of the queries of large/queries.h, pairs.h, signed_distance.h
// and winding_number.h, which say how results are distributed over ranks.
//
// Chunks do not depend on the number of ranks, and neither do results. All
// functions except the getters are collective (communicator.h): every rank
// calls them, with equal arguments except those that a header calls "own". If
// ranks fail, all return the status of the lowest of them; none waits for ever.
// If arguments differ, or a rank queries what is not valid (a point that is not
// finite), all return kInvalidArgument.
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

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Options of a query of a DistributedTree. They and their errors are those of
// QueryOptions (traverse/query_options.h). A rank uses one thread, so run one
// rank per core.
struct DistributedOptions {
  // Upper bound of the bytes that a rank holds at a time of requests, replies,
  // chunks of others and results, in addition to the chunks that its trees map.
  // Queries run in rounds that fit. Results that do not fit are
  // kResourceExhausted, on all ranks. Visit... has no results to hold.
  size_t memory = size_t{1} << 30;

  double max_distance = std::numeric_limits<double>::infinity();
  // Counts of all ranks together, on every rank. Requires null on all ranks or
  // on none.
  TraversalStatistics* statistics = nullptr;
  // Counts of this rank alone. Requires null on all ranks or on none.
  TraversalStatistics* own_statistics = nullptr;
  // Called with the fraction of this rank's work that is done.
  std::function<void(double)> progress = {};
  // If it is true on any rank, all end with kCancelled.
  const std::atomic<bool>* cancelled = nullptr;
  // Rule for the points inside a closed mesh.
  InsideRule inside = InsideRule::kWinding;
};

// Returns the run of `chunks` chunks that rank r of `ranks` owns: [first,
// second).
std::pair<size_t, size_t> OwnedChunks(size_t chunks, int ranks, int r);

struct PosedDistributedTree;

class ORBOX_EXPORT DistributedTree {
 public:
  // Types that a LargeTree has (large/chunked_tree.h).
  using Options = DistributedOptions;
  using Posed = PosedDistributedTree;
  template <typename Found>
  using Visitor =
      absl::FunctionRef<void(int rank, uint64_t query, const Found& found)>;

  // Opens the files on all ranks. Requires that all ranks see the same files: a
  // parallel file system, or copies. Chunks are mapped when a rank needs them;
  // only queries and answers are sent.
  static absl::StatusOr<DistributedTree> Open(
      Communicator& ranks, const std::string& path,
      const OpenChunkedOptions& options = {});

  // Builds `path` as BuildChunked does (large/build_chunked.h), to the byte,
  // in a file system that all ranks see. Each rank reads a share of the files,
  // sends triangles to the ranks whose chunks they may be in, and sorts, builds
  // and writes the chunks that it will own, in options.memory bytes.
  //
  // Binary STL, and binary PLY whose faces have equally many corners each, are
  // read by ranges of bytes. Each of P ranks reads a P-th of the vertices and
  // of the faces, once, if they fit into an eighth of the memory. Any other
  // file is read by one rank, the one with the fewest bytes so far. Errors are
  // those of one process, except those of memory and of the system.
  // kInvalidArgument if the sizes of a file differ between ranks.
  //
  // `memory` (the smallest of all ranks bounds the messages), `threads`,
  // `progress` and `cancelled` are a rank's own. After an error, nothing is
  // left behind.
  static absl::StatusOr<DistributedTree> Build(
      Communicator& ranks, std::span<const std::string> files,
      const std::string& path, const BuildChunkedOptions& options = {});

  // Shares a tree that every rank has in memory, such as a small one.
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

// Signed distances and winding numbers (large/signed_distance.h and
// winding_number.h, which have to be included).
using DistributedSignedDistanceField =
    LargeSignedDistanceField<DistributedTree>;
using DistributedWindingNumberField = LargeWindingNumberField<DistributedTree>;

// A tree at a pose, as PosedTree (posed/posed_tree.h). Queries return
// kInvalidArgument for poses that PosedTree::Create refuses.
struct PosedDistributedTree {
  // Types that a LargeSide has (large/pairs.h).
  using Tree = DistributedTree;
  using Options = DistributedOptions;
  using Posed = PosedDistributedTree;

  DistributedTree tree;
  Pose pose;

  // Implicit, so that queries accept a DistributedTree.
  PosedDistributedTree(const DistributedTree& of,  // NOLINT
                       const Pose& at = {})
      : tree(of), pose(at) {}
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_DISTRIBUTED_TREE_H_
