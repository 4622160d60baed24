// SPDX-License-Identifier: Apache-2.0

// The mesh of a chunk: corners with the same bytes become one vertex. Private.
//
//   absl::StatusOr<Mesh> mesh = MeshOfChunk(triangles);
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_MESH_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_MESH_H_

#include <span>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/internal/triangle_sort.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox {

// Vertices are in the order of the triangles. Requires at least one triangle. 0
// and -0 are kept apart, so that results have the bytes of the whole mesh's.
absl::StatusOr<Mesh> MeshOfChunk(std::span<const SortedTriangle> triangles);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_MESH_H_
