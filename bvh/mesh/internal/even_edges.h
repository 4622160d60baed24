// SPDX-License-Identifier: Apache-2.0

// Has a surface no boundary: does each edge belong to an even number of
// triangles?
//
//   bool closed = AreEdgesEven(triangles, vertex_count);
//
// Corners are the same if their indices are. Sides from a corner to itself do
// not count. Requires indices below `vertex_count`. O(n) for vertices of
// bounded degree.
#ifndef ORBOX_BVH_MESH_INTERNAL_EVEN_EDGES_H_
#define ORBOX_BVH_MESH_INTERNAL_EVEN_EDGES_H_

#include <cstddef>
#include <span>

#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {

bool AreEdgesEven(std::span<const TriangleIndices> triangles,
                  size_t vertex_count);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_EVEN_EDGES_H_
