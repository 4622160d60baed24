// SPDX-License-Identifier: Apache-2.0

// The data of a PLY file: common code of its text and binary readers.
#ifndef ORBOX_BVH_IO_INTERNAL_PLY_BODY_H_
#define ORBOX_BVH_IO_INTERNAL_PLY_BODY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/io/internal/ply_header.h"
#include "orbox/bvh/io/internal/polygon.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::mesh_internal {

// The mesh under construction and its rules, for both text and binary.
// Functions return errors as text; an empty text means success.
struct PlySurface {
  PlySurface(const MeshSource& from, const PlyHeader& header)
      : source(from), vertex_count(header.vertex_count), polygons(from) {}

  const MeshSource& source;
  uint64_t vertex_count = 0;
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  std::vector<int64_t> list;      // of the element being read
  std::vector<uint32_t> corners;  // the list, after its indices are checked
  std::vector<Vec3> points;       // its vertices, if a file is streamed
  Polygons polygons;

  // read_triangles is set if the file is streamed. Then vertices are checked
  // but not stored, and this function is called from time to time with the
  // triangles so far. vertex_at returns a vertex of the file.
  std::function<absl::Status()> read_triangles;
  std::function<Vec3(uint32_t)> vertex_at;

  std::string AddList(PlyElement::Role role, const NotePlace& place) {
    return role == PlyElement::Role::kPolygons ? AddPolygon(place)
                                               : AddStrips();
  }
  std::string AddPolygon(const NotePlace& place);
  std::string AddStrips();
  std::string AddStrip();
  std::string AddCorner(int64_t vertex);
};

// Read the data after the header into the surface, up to the end of the file.
absl::Status ReadPlyText(const MeshSource& source, const PlyHeader& header,
                         PlySurface& surface);
absl::Status ReadPlyBinary(const MeshSource& source, const PlyHeader& header,
                           PlySurface& surface);

// Returns true if StreamPlyBinary can read the file: it is binary, and all
// vertices are before the faces and have no lists.
bool IsStreamable(const PlyHeader& header);

// Passes the triangles on in order, in batches, without storing them.
absl::Status StreamPlyBinary(const MeshSource& source, const PlyHeader& header,
                             TriangleConsumer consume);

// Positions of the vertices and of the faces or strips in a streamable file in
// which all faces have the length of the first one, and no other element has
// lists. Faces are triangles, because polygons cannot be cut without their
// vertices.
struct PlyRecords {
  const PlyElement* vertices = nullptr;
  uint64_t vertex_offset = 0;
  size_t vertex_bytes = 0;
  const PlyElement* faces = nullptr;
  uint64_t face_offset = 0;
  size_t face_bytes = 0;
};
// Returns nothing if the lengths do not add up to the size of the file. Does
// not check each face: LoadPlyFaces reports a face of another length.
std::optional<PlyRecords> RecordsOfPly(const MeshSource& source,
                                       const PlyHeader& header);

// Append the contiguous records in `bytes`. Return false if a vertex is not
// finite, or if a face has another length, is not a triangle, or has an invalid
// index.
bool LoadPlyVertices(const PlyHeader& header, const PlyElement& vertices,
                     std::string_view bytes, std::vector<Vec3>* positions);
bool LoadPlyFaces(const PlyHeader& header, const PlyElement& faces,
                  size_t face_bytes, std::string_view bytes,
                  std::vector<TriangleIndices>* triangles);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_PLY_BODY_H_
