// SPDX-License-Identifier: Apache-2.0

// A mesh file whose vertices have one length and whose faces have one, so that
// any run of them can be read by itself: binary STL, and binary PLY whose faces
// have as many corners each. Several processes read a run each. Private.
//
//   absl::StatusOr<std::optional<MeshRecords>> file = MeshRecords::Open(path);
//   if (!file.ok()) return file.status();
//   if (file->has_value()) {
//     std::vector<Vec3> some;
//     absl::StatusOr<bool> is_regular = (*file)->ReadVertices(0, 1000, &some);
//   }
//
// Where something in a run is not as it should be, the answer is false: a
// TriangleStream (triangle_stream.h) then reads the file, or has the error.
#ifndef ORBOX_BVH_MESH_INTERNAL_MESH_RECORDS_H_
#define ORBOX_BVH_MESH_INTERNAL_MESH_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/input_file.h"
#include "orbox/bvh/mesh/internal/ply_body.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox::mesh_internal {

class ORBOX_EXPORT MeshRecords {
 public:
  // Reads the header and the first face. None for a file of another kind;
  // errors as TriangleStream::Open.
  static absl::StatusOr<std::optional<MeshRecords>> Open(
      const std::string& path);
  MeshRecords(MeshRecords&& other) noexcept;
  MeshRecords& operator=(MeshRecords&& other) noexcept;
  ~MeshRecords();

  uint64_t file_bytes() const { return file_.size(); }
  // STL has no vertices: its facets have the corners.
  bool has_vertices() const { return header_.has_value(); }
  uint64_t vertex_count() const { return vertices_.count; }
  uint64_t face_count() const { return faces_.count; }
  size_t face_bytes() const { return faces_.bytes; }
  // What a face has at most.
  size_t most_triangles() const { return most_triangles_; }

  // Append [begin, end), in their order: vertices, faces as triangles, or, of
  // STL, facets. False, and anything appended, where one is not regular.
  // kUnavailable where the file has become shorter. Reads what is asked for and
  // nothing else, 1 MiB at a time.
  absl::StatusOr<bool> ReadVertices(uint64_t begin, uint64_t end,
                                    std::vector<Vec3>* out) const;
  absl::StatusOr<bool> ReadFaces(uint64_t begin, uint64_t end,
                                 std::vector<TriangleIndices>* out) const;
  absl::StatusOr<bool> ReadFacets(uint64_t begin, uint64_t end,
                                  std::vector<Triangle>* out) const;

 private:
  // Where records lie side by side.
  struct Place {
    uint64_t offset = 0;
    uint64_t count = 0;
    size_t bytes = 0;  // of each
  };

  explicit MeshRecords(InputFile file) : file_(std::move(file)) {}
  absl::StatusOr<bool> Read(
      const Place& place, uint64_t begin, uint64_t end,
      absl::FunctionRef<bool(std::string_view some)> load) const;

  InputFile file_;
  std::optional<PlyHeader> header_;
  size_t vertex_element_ = 0;  // of the header
  size_t face_element_ = 0;
  Place vertices_;
  Place faces_;
  size_t most_triangles_ = 1;
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_MESH_RECORDS_H_
