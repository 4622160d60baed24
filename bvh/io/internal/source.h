// SPDX-License-Identifier: Apache-2.0

// The input of a format's reader, and its error messages: one line that names
// the file, the position, the fault and the remedy.
//
//   return ErrorAtLine(source, 12, "a face of 2 corners; it needs 3 or more");
//   // "part.obj: line 12: a face of 2 corners; it needs 3 or more"
#ifndef ORBOX_BVH_IO_INTERNAL_SOURCE_H_
#define ORBOX_BVH_IO_INTERNAL_SOURCE_H_

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
#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {

// The bytes of one file. Everything it refers to must outlive the reading.
struct MeshSource {
  std::string_view bytes;
  std::string_view name;
  const ReadOptions& options;
  // Folder for external files that this file names. Absent for bytes without a
  // file.
  std::optional<std::string> folder;
};

// Starts of the bodies of a mesh that is read as one. A body ends at the next
// mark. Triangles before the first mark form a body without a name.
struct BodyMarks {
  struct Mark {
    std::string_view name;  // as in the file
    uint32_t first_triangle = 0;
  };
  std::vector<Mark> list;
  bool same_name_is_same_body = false;
};

// Receives some triangles of a streamed file, in order. An error ends the
// reading.
using TriangleConsumer =
    absl::FunctionRef<absl::Status(std::span<const Triangle> triangles)>;
// Approximate number of triangles per call of TriangleConsumer.
inline constexpr size_t kStreamedTriangles = 4096;

// One reader per format. Each returns a mesh or kInvalidArgument, and adds
// marks unless `marks` is null.
absl::StatusOr<Mesh> ReadObj(const MeshSource& source, BodyMarks* marks);
absl::StatusOr<Mesh> ReadPly(const MeshSource& source);
absl::StatusOr<Mesh> ReadStl(const MeshSource& source, BodyMarks* marks);
absl::StatusOr<Mesh> ReadOff(const MeshSource& source);

// Returns the bodies of glTF, at least one: each mesh of each node. Names are
// those of the file. They may be empty or occur twice.
absl::StatusOr<std::vector<NamedBody>> ReadGltf(const MeshSource& source);

// Returns the bodies of 3MF: each mesh that the build places.
absl::StatusOr<std::vector<NamedBody>> Read3mf(const MeshSource& source);

// Passes the triangles of a binary STL file on, without storing them.
absl::Status StreamBinaryStl(const MeshSource& source,
                             TriangleConsumer consume);

// A binary STL file: a header, then facets of one length.
inline constexpr size_t kStlHeaderBytes = 84;
inline constexpr size_t kStlFacetBytes = 50;
// Returns the number of facets of a binary file of `size` bytes, which starts
// with `bytes`. Returns nothing if its header implies another size.
std::optional<uint64_t> FacetsOfBinaryStl(std::string_view bytes,
                                          uint64_t size);
// Appends contiguous facets. Returns false if a corner is not finite.
bool LoadStlFacets(std::string_view facets, std::vector<Triangle>* triangles);

// Returns true if the bytes look like ASCII STL rather than binary STL.
bool IsAsciiStl(std::string_view bytes);

// Return true if the bytes are certainly of the format. The first lines have
// its keywords. For binary STL, the size matches the header.
bool IsPly(std::string_view bytes);
bool IsStl(std::string_view bytes);
bool IsOff(std::string_view bytes);
bool IsGltf(std::string_view bytes);
bool Is3mf(std::string_view bytes);

// Lines are counted from 1, and bytes from 0.
absl::Status ErrorAtLine(const MeshSource& source, size_t line,
                         const std::string& what);
absl::Status ErrorAtByte(const MeshSource& source, size_t offset,
                         const std::string& what);
absl::Status ErrorInFile(const MeshSource& source, const std::string& what);

// Moves vertices that are not finite to the origin, with a note, if
// ReadOptions::skip_invalid is true. Returns an error, without the file's name,
// if a triangle uses such a vertex.
absl::Status SkipInvalid(const MeshSource& source, std::vector<Vec3>& vertices,
                         const std::vector<TriangleIndices>& triangles);

// Calls Mesh::Create. Errors, such as numbers beyond the range, name the file.
// Respects ReadOptions::skip_invalid.
absl::StatusOr<Mesh> CreateMesh(const MeshSource& source,
                                std::vector<Vec3> vertices,
                                std::vector<TriangleIndices> triangles);

// Place of a note, such as "line" 7.
struct NotePlace {
  std::string_view unit;  // empty without a place
  uint64_t number = 0;
};
// Records something that the reader tolerates (ReadOptions::notes). `what` is
// its kind, and `count` the number of occurrences at this place. Only the first
// place of a kind is kept.
void AddNote(const MeshSource& source, std::string_view what,
             const NotePlace& place = {}, uint64_t count = 1);

// Returns the points of a cloud. Those that are not finite are errors, or are
// left out with a note if ReadOptions::skip_invalid is true. `unit` is the name
// of a point in messages.
absl::StatusOr<std::vector<Vec3>> FinitePoints(const MeshSource& source,
                                               std::string_view unit,
                                               std::vector<Vec3> points);

// Returns the text in quotes, shortened, with control characters escaped.
std::string Quoted(std::string_view text);

// Reports progress about once per kStep bytes.
class ReadProgress {
 public:
  explicit ReadProgress(const MeshSource& source);
  void At(size_t offset) {
    if (offset >= next_) Report(offset);
  }

 private:
  // Parsing this many bytes takes far less than a tenth of a second and far
  // more than a call.
  static constexpr size_t kStep = size_t{1} << 20;
  void Report(size_t offset);

  const MeshSource& source_;
  size_t next_ = std::numeric_limits<size_t>::max();
};

// Note for a face that is not a polygon.
inline constexpr std::string_view kFewCorners =
    "faces of fewer than 3 corners, skipped";

// Appends the fan (0,1,2), (0,2,3), ... of a polygon. Returns false and appends
// nothing if a mesh may not have that many triangles. Requires at least three
// corners.
bool AppendFan(const std::vector<uint32_t>& corners,
               std::vector<TriangleIndices>& triangles);

// Returns the message for too many triangles.
std::string TooManyTriangles();

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_SOURCE_H_
