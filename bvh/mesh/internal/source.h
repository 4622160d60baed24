// SPDX-License-Identifier: Apache-2.0

// The input of a format's reader, and its error messages: one line that names
// the file, the place, the problem and the remedy.
//
//   return ErrorAtLine(source, 12, "a face of 2 corners; it needs 3 or more");
//   // "part.obj: line 12: a face of 2 corners; it needs 3 or more"
#ifndef ORBOX_BVH_MESH_INTERNAL_SOURCE_H_
#define ORBOX_BVH_MESH_INTERNAL_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mesh/named_body.h"
#include "orbox/bvh/mesh/read_mesh.h"

namespace orbox::mesh_internal {

// The bytes of one file; all of it outlives the reading.
struct MeshSource {
  std::string_view bytes;
  std::string_view name;
  const ReadOptions& options;
  // Where the files are that this one names; none for bytes without a file.
  std::optional<std::string> folder;
};

// Where bodies begin in a mesh that is read as one. Each goes on to the next;
// triangles before the first are a body without a name.
struct BodyMarks {
  struct Mark {
    std::string_view name;  // as it is in the file
    uint32_t first_triangle = 0;
  };
  std::vector<Mark> list;
  bool same_name_is_same_body = false;
};

// Takes some triangles of a file that is streamed, in their order. An error
// ends the reading.
using TakeTriangles =
    absl::FunctionRef<absl::Status(std::span<const Triangle> triangles)>;
// About how many at a time.
inline constexpr size_t kStreamedTriangles = 4096;

// One reader per format. Each returns a mesh or kInvalidArgument, and adds the
// marks unless `marks` is null.
absl::StatusOr<Mesh> ReadObj(const MeshSource& source, BodyMarks* marks);
absl::StatusOr<Mesh> ReadPly(const MeshSource& source);
absl::StatusOr<Mesh> ReadStl(const MeshSource& source, BodyMarks* marks);
absl::StatusOr<Mesh> ReadOff(const MeshSource& source);

// glTF has bodies of its own: each mesh of each node. There is at least one.
// Names are as in the file, and may be empty or occur twice.
absl::StatusOr<std::vector<NamedBody>> ReadGltf(const MeshSource& source);

// And so does 3MF: each mesh that its build places.
absl::StatusOr<std::vector<NamedBody>> Read3mf(const MeshSource& source);

// Hands the triangles of a binary STL file on without keeping them.
absl::Status StreamBinaryStl(const MeshSource& source, TakeTriangles take);

// A binary STL file: a header, then facets of one length.
inline constexpr size_t kStlHeaderBytes = 84;
inline constexpr size_t kStlFacetBytes = 50;
// How many facets a binary file of `size` bytes has, which begins with `bytes`;
// none if its header tells another size.
std::optional<uint64_t> FacetsOfBinaryStl(std::string_view bytes,
                                          uint64_t size);
// Appends facets that lie side by side; false where a corner is not finite.
bool LoadStlFacets(std::string_view facets, std::vector<Triangle>* triangles);

// Whether bytes look like ASCII STL rather than binary STL.
bool IsAsciiStl(std::string_view bytes);

// Whether the bytes are certainly of the format: their first lines have its
// keywords, or their number is the one in the header of a binary STL file.
bool IsPly(std::string_view bytes);
bool IsStl(std::string_view bytes);
bool IsOff(std::string_view bytes);
bool IsGltf(std::string_view bytes);
bool Is3mf(std::string_view bytes);

// Lines count from 1, bytes from 0.
absl::Status ErrorAtLine(const MeshSource& source, size_t line,
                         const std::string& what);
absl::Status ErrorAtByte(const MeshSource& source, size_t offset,
                         const std::string& what);
absl::Status ErrorInFile(const MeshSource& source, const std::string& what);

// Mesh::Create with the file's name in errors: numbers beyond the range.
absl::StatusOr<Mesh> CreateMesh(const MeshSource& source,
                                std::vector<Vec3> vertices,
                                std::vector<TriangleIndices> triangles);

// The text in quotes, shortened, with control characters escaped.
std::string Quoted(std::string_view text);

// Reports progress about once for each of `kStep` bytes.
class Progress {
 public:
  explicit Progress(const MeshSource& source);
  void At(size_t offset) {
    if (offset >= next_) Report(offset);
  }

 private:
  // Well under a tenth of a second of parsing, and much more than the cost of a
  // call.
  static constexpr size_t kStep = size_t{1} << 20;
  void Report(size_t offset);

  const MeshSource& source_;
  size_t next_ = std::numeric_limits<size_t>::max();
};

// Appends the fan (0,1,2), (0,2,3), ... of a polygon. False, and nothing
// appended, if that would make more triangles than a mesh may have. Requires at
// least three corners.
bool AppendFan(const std::vector<uint32_t>& corners,
               std::vector<TriangleIndices>& triangles);

// The message for that case.
std::string TooManyTriangles();

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_SOURCE_H_
