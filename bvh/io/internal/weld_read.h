// SPDX-License-Identifier: Apache-2.0

// Welds what a reader returns (ReadOptions::weld), and notes what moved.
//
//   return WeldMesh(source, mesh);
#ifndef ORBOX_BVH_IO_INTERNAL_WELD_READ_H_
#define ORBOX_BVH_IO_INTERNAL_WELD_READ_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {

// Returns the mesh itself if the options have no distance.
absl::StatusOr<Mesh> WeldMesh(const MeshSource& source, const Mesh& mesh);

// Welds each body by itself. Bodies that share a mesh and have poses of one
// scale share the welded mesh.
absl::Status WeldBodies(const MeshSource& source,
                        std::vector<NamedBody>& bodies);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_WELD_READ_H_
