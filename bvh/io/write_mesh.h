// SPDX-License-Identifier: Apache-2.0

// Writes a mesh to a file, completely or not at all.
//
//   absl::Status status = WriteMeshFile(mesh, "part.ply");
//
// The extension decides the format: .obj, .off (text, with the fewest digits
// that are read back as equal doubles), .ply (binary little-endian, doubles),
// .stl (binary, with coordinates rounded to float), .glb (write_bodies.h). The
// bytes are written to a temporary file in the directory of `path`, which is
// synced and renamed over `path`. O(bytes). Thread-safe.
#ifndef ORBOX_BVH_IO_WRITE_MESH_H_
#define ORBOX_BVH_IO_WRITE_MESH_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Returns the bytes of the mesh in a format. Returns kInvalidArgument if the
// format cannot represent the mesh: STL and GLB with a coordinate out of the
// range of float.
ORBOX_EXPORT absl::StatusOr<std::string> EncodeMesh(const Mesh& mesh,
                                                    MeshFormat format);

// Returns the format that WriteMeshFile uses for `path`: that of the extension,
// or OFF for "-" and for a pipe or a device without a known extension. Returns
// kInvalidArgument for any other name.
ORBOX_EXPORT absl::StatusOr<MeshFormat> MeshFormatToWrite(
    const std::string& path);

// Returns kInvalidArgument for an unknown extension, a directory, or a mesh
// that the format cannot represent. Returns kUnavailable for I/O errors, with
// the system's reason. No temporary file remains. If `path` is a pipe or a
// device, the bytes are written to it directly. "-" writes OFF to standard
// output.
ORBOX_EXPORT absl::Status WriteMeshFile(const Mesh& mesh,
                                        const std::string& path);

}  // namespace orbox

#endif  // ORBOX_BVH_IO_WRITE_MESH_H_
