// SPDX-License-Identifier: Apache-2.0

// Connection of the triangles of a surface by edges. Private.
//
//   const Welded welded = Weld(mesh.vertices());
//   SurfaceEdges edges = JoinEdges(mesh, welded.id, welded.first.size());
//   std::vector<uint32_t> components = ComponentsOf(edges, crossing);
//
// Vertices with equal coordinates count as one vertex. Costs O(n log n), or
// O(n) if no vertex has very many edges.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_SURFACE_EDGES_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_SURFACE_EDGES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct SurfaceEdges {
  static constexpr uint32_t kNobody = 0xffffffff;

  // The triangle across edge k of each triangle; edge k is from corner k to the
  // next corner. kNobody unless the edge is regular: it has exactly two
  // triangles, which go along it in opposite directions.
  std::vector<std::array<uint32_t, 3>> across;
  // For each vertex id, true if all of its edges are regular.
  std::vector<bool> is_regular;

  uint64_t open = 0;         // edges with an odd number of triangles
  uint64_t unequal = 0;      // with an even number, not paired up
  uint32_t first = kNobody;  // lowest triangle at one of these edges
};

// `ids` gives each vertex of the mesh an id below `id_count`. Vertices with
// equal ids count as one vertex.
ORBOX_EXPORT SurfaceEdges JoinEdges(const Mesh& mesh,
                                    std::span<const uint32_t> ids,
                                    size_t id_count);

// Returns for each triangle the lowest triangle of its component. Components
// are connected by edges of two triangles each, none of them `excluded`. An
// excluded triangle is its own component.
ORBOX_EXPORT std::vector<uint32_t> ComponentsOf(
    const SurfaceEdges& edges, const std::vector<bool>& excluded);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_SURFACE_EDGES_H_
