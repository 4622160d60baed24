// SPDX-License-Identifier: Apache-2.0

// A mesh file with vertices of one length and faces of one length, so that any
// range of them can be read separately. These are binary STL, and binary PLY
// whose faces have equal numbers of corners. Several processes may each read a
// range. Private.
//
//   absl::StatusOr<std::optional<MeshRecords>> file = MeshRecords::Open(path);
//   if (!file.ok()) return file.status();
//   if (file->has_value()) {
//     std::vector<Vec3> some;
//     absl::StatusOr<bool> is_regular = (*file)->ReadVertices(0, 1000, &some);
//   }
//
// If a range contains an irregular record, the result is false. Then use a
// TriangleStream (triangle_stream.h) to read the file or get its error.
#ifndef ORBOX_BVH_IO_INTERNAL_MESH_RECORDS_H_
#define ORBOX_BVH_IO_INTERNAL_MESH_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/io/internal/ply_body.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox::mesh_internal {

class ORBOX_EXPORT MeshRecords {
 public:
  // Reads the header and the first face. Returns nothing for a file of another
  // kind. Errors are those of TriangleStream::Open.
  static absl::StatusOr<std::optional<MeshRecords>> Open(
      const std::string& path);
  MeshRecords(MeshRecords&& other) noexcept;
  MeshRecords& operator=(MeshRecords&& other) noexcept;
  ~MeshRecords();

  uint64_t file_bytes() const { return file_.size(); }
  // False for STL: its facets contain the corners.
  bool has_vertices() const { return header_.has_value(); }
  uint64_t vertex_count() const { return vertices_.count; }
  uint64_t face_count() const { return faces_.count; }
  size_t face_bytes() const { return faces_.bytes; }
  // Upper bound of triangles per face.
  size_t most_triangles() const { return most_triangles_; }

  // Append the records [begin, end), in order: vertices, faces as triangles, or
  // facets for STL. Return false, with an unspecified number of records
  // appended, if a record is not regular. Return kUnavailable if the file has
  // become shorter. Read only these records, 1 MiB at a time.
  absl::StatusOr<bool> ReadVertices(uint64_t begin, uint64_t end,
                                    std::vector<Vec3>* out) const;
  absl::StatusOr<bool> ReadFaces(uint64_t begin, uint64_t end,
                                 std::vector<TriangleIndices>* out) const;
  absl::StatusOr<bool> ReadFacets(uint64_t begin, uint64_t end,
                                  std::vector<Triangle>* out) const;

 private:
  // Range of contiguous records.
  struct RecordRange {
    uint64_t offset = 0;
    uint64_t count = 0;
    size_t bytes = 0;  // of each
  };

  explicit MeshRecords(InputFile file) : file_(std::move(file)) {}
  absl::StatusOr<bool> Read(
      const RecordRange& range, uint64_t begin, uint64_t end,
      absl::FunctionRef<bool(std::string_view some)> load) const;

  InputFile file_;
  std::optional<PlyHeader> header_;
  size_t vertex_element_ = 0;  // of the header
  size_t face_element_ = 0;
  RecordRange vertices_;
  RecordRange faces_;
  size_t most_triangles_ = 1;
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_MESH_RECORDS_H_
