// SPDX-License-Identifier: Apache-2.0

// Is a chunked mesh closed, and do its triangles agree on a front? Private.
//
//   absl::StatusOr<UnpairedEdges> edges = FindUnpairedEdges(tree);
//   if (!edges.ok()) return edges.status();
//   bool is_closed = edges->open == 0 && edges->unequal == 0;
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_EDGES_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_EDGES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Along which edges not as many triangles go one way as the other. Vertices
// with equal coordinates are one; sides without length do not count.
struct UnpairedEdges {
  uint64_t open = 0;     // of an odd number of triangles
  uint64_t unequal = 0;  // of an even number
  uint64_t first = 0;    // the lowest id of a triangle at one of them
};

// Loads each chunk once, and again where there are such edges. Edges that a
// chunk does not pair up are kept, 56 bytes each. May throw std::bad_alloc.
absl::StatusOr<UnpairedEdges> FindUnpairedEdges(const ChunkedTree& tree);

// kFailedPrecondition where there are some.
ORBOX_EXPORT absl::Status CheckClosed(const UnpairedEdges& edges);

// The steps of that, for those who have a part of the chunks each.

// An edge, and how many more triangles go along it one way than the other.
struct EdgeBalance {
  std::array<double, 6> ends;  // the lower one first
  int64_t balance = 0;
};

// One entry for each edge, ascending, without those that are paired up.
ORBOX_EXPORT void PairUp(std::vector<EdgeBalance>* edges);

// Those of chunks [begin, end) that these alone do not pair up.
ORBOX_EXPORT absl::StatusOr<std::vector<EdgeBalance>> UnpairedOfChunks(
    const ChunkedTree& tree, size_t begin, size_t end);

// Counts edges of all chunks that are paired up.
ORBOX_EXPORT UnpairedEdges CountUnpaired(std::span<const EdgeBalance> edges);

// The lowest id of a triangle of chunks [begin, end) at one of `edges`, which
// ascend; or `lowest`, if that is lower.
ORBOX_EXPORT absl::StatusOr<uint64_t> LowestAtEdges(
    const ChunkedTree& tree, size_t begin, size_t end,
    std::span<const EdgeBalance> edges, uint64_t lowest);

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_EDGES_H_
