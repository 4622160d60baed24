// SPDX-License-Identifier: Apache-2.0

// Edges at which a chunked mesh is open or its triangles disagree on a front.
// Private.
//
//   absl::StatusOr<UnpairedEdges> edges = FindUnpairedEdges(tree);
//   if (!edges.ok()) return edges.status();
//   bool is_closed = edges->open == 0 && edges->unequal == 0;
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_EDGES_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_EDGES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Numbers of edges along which the triangles that go one way are not as many as
// those that go the other way. Vertices with equal coordinates are one; sides
// without length do not count.
struct UnpairedEdges {
  uint64_t open = 0;     // with an odd number of triangles
  uint64_t unequal = 0;  // with an even number of triangles
  uint64_t first = 0;    // lowest id of a triangle at such an edge
};

// Loads each chunk once, and again if there are such edges. Edges that are not
// paired within a chunk are kept, 56 bytes each. May throw std::bad_alloc, and
// QueryCancelled, which `watch` decides between chunks.
absl::StatusOr<UnpairedEdges> FindUnpairedEdges(const ChunkedTree& tree,
                                                const Watch& watch = {});

// Checks the options, finds the edges, and remembers FacesBy(edges) in the
// tree.
absl::StatusOr<UnpairedEdges> UnpairedEdgesOf(const ChunkedTree& tree,
                                              const QueryOptions& options);

ORBOX_EXPORT ChunkedTree::Faces FacesBy(const UnpairedEdges& edges);

// Returns what the tree remembers, or finds the edges.
absl::StatusOr<ChunkedTree::Faces> FacesOf(const ChunkedTree& tree,
                                           const QueryOptions& options);

// Returns kFailedPrecondition if there are open edges.
ORBOX_EXPORT absl::Status CheckClosed(const UnpairedEdges& edges);

// The steps of FindUnpairedEdges, for processes that have some of the chunks
// each.

// An edge, and the number of triangles that go along it one way minus those
// that go the other way.
struct EdgeBalance {
  std::array<double, 6> ends;  // the lower end first
  int64_t balance = 0;
};

// Joins the entries of each edge to one, ascending, and removes those whose sum
// is 0.
ORBOX_EXPORT void PairUp(std::vector<EdgeBalance>* edges);

// Returns the edges of chunks [begin, end) that are not paired within these
// chunks.
ORBOX_EXPORT absl::StatusOr<std::vector<EdgeBalance>> UnpairedOfChunks(
    const ChunkedTree& tree, size_t begin, size_t end, const Watch& watch = {});

// Counts the edges that are left after PairUp over all chunks.
ORBOX_EXPORT UnpairedEdges CountUnpaired(std::span<const EdgeBalance> edges);

// Returns the lowest id of a triangle of chunks [begin, end) at one of `edges`,
// which ascend. Returns `lowest` if that is lower.
ORBOX_EXPORT absl::StatusOr<uint64_t> LowestAtEdges(
    const ChunkedTree& tree, size_t begin, size_t end,
    std::span<const EdgeBalance> edges, uint64_t lowest,
    const Watch& watch = {});

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_EDGES_H_
