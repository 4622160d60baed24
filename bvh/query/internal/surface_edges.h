// SPDX-License-Identifier: Apache-2.0

// Which triangles of a surface hang together by an edge? Private.
//
//   const Welded welded = Weld(mesh.vertices());
//   SurfaceEdges edges = JoinEdges(mesh, welded.id, welded.first.size());
//   std::vector<uint32_t> parts = PartsOf(edges, crossing);
//
// Vertices with equal coordinates are one. O(n log n), and O(n) where no vertex
// has very many edges.
#ifndef ORBOX_BVH_QUERY_INTERNAL_SURFACE_EDGES_H_
#define ORBOX_BVH_QUERY_INTERNAL_SURFACE_EDGES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"

namespace orbox {

struct SurfaceEdges {
  static constexpr uint32_t kNobody = 0xffffffff;

  // The triangle across edge k of each triangle, from corner k to the next,
  // where the edge has two triangles and they go along it in opposite
  // directions; otherwise kNobody.
  std::vector<std::array<uint32_t, 3>> across;
  // Whether all edges of a vertex are such edges, by its id.
  std::vector<bool> is_regular;

  uint64_t open = 0;         // edges of an odd number of triangles
  uint64_t unequal = 0;      // of an even number that do not pair up
  uint32_t first = kNobody;  // a triangle at one of these edges, the lowest
};

// `ids` has for each vertex of the mesh what it is one with, below `id_count`.
SurfaceEdges JoinEdges(const Mesh& mesh, std::span<const uint32_t> ids,
                       size_t id_count);

// For each triangle the lowest of those that it hangs together with by edges of
// two triangles each, none of them `excluded`; itself where it is excluded.
std::vector<uint32_t> PartsOf(const SurfaceEdges& edges,
                              const std::vector<bool>& excluded);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_SURFACE_EDGES_H_
