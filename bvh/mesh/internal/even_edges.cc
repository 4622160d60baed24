// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/even_edges.h"

namespace orbox::mesh_internal {

bool AreEdgesEven(std::span<const TriangleIndices> triangles,
                  size_t vertex_count) {
  bool even = true;
  VisitEdges(triangles, vertex_count, [&even](const EdgeSides& edge) {
    even = edge.count % 2 == 0;
    return even;
  });
  return even;
}

}  // namespace orbox::mesh_internal
