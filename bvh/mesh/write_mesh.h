// SPDX-License-Identifier: Apache-2.0

// Writes a mesh to a file, whole or not at all.
//
//   absl::Status status = WriteMeshFile(mesh, "part.ply");
//
// The extension decides the format: .obj, .off (text, shortest digits that read
// back to the same doubles), .ply (binary little-endian, doubles), .stl
// (binary, with coordinates rounded to float), .glb (as write_bodies.h says).
// The bytes go to a temporary file
// beside `path`, which is synced and renamed over it. O(bytes). Thread-safe.
#ifndef ORBOX_BVH_MESH_WRITE_MESH_H_
#define ORBOX_BVH_MESH_WRITE_MESH_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mesh/read_mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// The bytes of the mesh in a format. kInvalidArgument if the format cannot hold
// it: STL and GLB with a coordinate beyond the range of float.
ORBOX_EXPORT absl::StatusOr<std::string> EncodeMesh(const Mesh& mesh,
                                                    MeshFormat format);

// The format in which WriteMeshFile writes to `path`: by the extension; OFF for
// "-", and for a pipe or a device whose name has no extension that is known.
// kInvalidArgument for any other name.
ORBOX_EXPORT absl::StatusOr<MeshFormat> MeshFormatToWrite(
    const std::string& path);

// Errors: kInvalidArgument for an unknown extension, a directory, or a mesh
// that the format cannot hold; kUnavailable for I/O, with the system's reason.
// No temporary file stays behind. If `path` is a pipe or a device, the bytes
// are written to it directly; "-" writes OFF to standard output.
ORBOX_EXPORT absl::Status WriteMeshFile(const Mesh& mesh,
                                        const std::string& path);

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_WRITE_MESH_H_
