// SPDX-License-Identifier: Apache-2.0

// The mesh of a chunk: corners with the same bytes become one vertex. Private.
//
//   absl::StatusOr<Mesh> mesh = MeshOfChunk(triangles);
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_MESH_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_MESH_H_

#include <span>

#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/internal/triangle_sort.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox {

// In the order of the triangles, of which there is at least one. 0 and -0 stay
// what they are, so that answers have the bytes that they have elsewhere.
absl::StatusOr<Mesh> MeshOfChunk(std::span<const SortedTriangle> triangles);

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_MESH_H_
