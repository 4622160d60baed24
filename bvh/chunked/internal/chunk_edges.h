// SPDX-License-Identifier: Apache-2.0

// Is a chunked mesh closed, and do its triangles agree on a front? Private.
//
//   absl::StatusOr<UnpairedEdges> edges = FindUnpairedEdges(tree);
//   if (!edges.ok()) return edges.status();
//   bool is_closed = edges->open == 0 && edges->unequal == 0;
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_EDGES_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_EDGES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/chunked_tree.h"

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

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_EDGES_H_
