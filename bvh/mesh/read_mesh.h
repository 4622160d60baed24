// Reads a mesh from a file or from bytes, in the formats that people have.
//
//   absl::StatusOr<Mesh> mesh = ReadMeshFile("part.stl");
//
// A file under the name of another format is read as what it is where its
// contents leave no doubt: a PLY file called part.stl is PLY.
//
// Formats: OBJ, PLY (ascii, both binary endians, triangle strips), STL (ascii,
// binary), OFF (and COFF, NOFF, STOFF, 4OFF's weights refused). Coordinates are
// read in double. Polygons are fanned into triangles (0,1,2), (0,2,3), ...,
// numbered in file order. STL corners with bitwise equal coordinates become one
// vertex (0 and -0 are equal).
//
// Errors name the file, the line (text) or byte (binary), what is wrong there
// and what to do: kNotFound and kPermissionDenied for files that cannot be
// opened, kUnavailable for reads that fail, kInvalidArgument for what is in
// them, kResourceExhausted where memory does not suffice. Memory stays in
// proportion to the bytes that are there, never to what a header claims.
// Thread-safe.
#ifndef ORBOX_BVH_MESH_READ_MESH_H_
#define ORBOX_BVH_MESH_READ_MESH_H_

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

enum class MeshFormat { kObj, kPly, kStl, kOff };

// By the extension, in any case, unless the bytes are unmistakably PLY, STL or
// OFF and not what the extension says; what the bytes look like decides where
// there is no extension. kInvalidArgument for an extension that is not known.
// Without bytes the extension alone decides.
ORBOX_EXPORT absl::StatusOr<MeshFormat> MeshFormatOf(std::string_view path,
                                                     std::string_view bytes);

struct ReadOptions {
  // Called now and then with the share of the input that has been parsed, in
  // 0 .. 1, from the reading thread.
  std::function<void(double)> progress;
};

// `path` "-" reads standard input, whose format the bytes decide.
ORBOX_EXPORT absl::StatusOr<Mesh> ReadMeshFile(const std::string& path,
                                               const ReadOptions& options = {});

// `name` stands for the file in error messages.
ORBOX_EXPORT absl::StatusOr<Mesh> ReadMesh(std::string_view bytes,
                                           MeshFormat format,
                                           std::string_view name,
                                           const ReadOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_READ_MESH_H_
