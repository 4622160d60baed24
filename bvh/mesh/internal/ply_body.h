// SPDX-License-Identifier: Apache-2.0

// The contents of a PLY file: what its text and binary readers share.
#ifndef ORBOX_BVH_MESH_INTERNAL_PLY_BODY_H_
#define ORBOX_BVH_MESH_INTERNAL_PLY_BODY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/mesh/internal/ply_header.h"
#include "orbox/bvh/mesh/internal/source.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::mesh_internal {

// The mesh under construction and its rules, the same for text and binary.
// Errors are returned in words; empty words mean success.
struct PlySurface {
  uint64_t vertex_count = 0;
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  std::vector<int64_t> list;      // of the element being read
  std::vector<uint32_t> corners;  // the same, once its indices are checked

  // Not empty where a file is streamed: vertices are then checked and not kept,
  // and this takes the triangles so far, now and then.
  std::function<absl::Status()> take_triangles;

  std::string AddList(PlyElement::Role role) {
    return role == PlyElement::Role::kPolygons ? AddPolygon() : AddStrips();
  }
  std::string AddPolygon();
  std::string AddStrips();
  std::string AddStrip();
  std::string AddCorner(int64_t vertex);
};

// Read the data behind the header into the surface, to the end of the file.
absl::Status ReadPlyText(const MeshSource& source, const PlyHeader& header,
                         PlySurface& surface);
absl::Status ReadPlyBinary(const MeshSource& source, const PlyHeader& header,
                           PlySurface& surface);

// Whether StreamPlyBinary reads such a file: binary, and all vertices, which
// have no lists, are before the faces.
bool IsStreamable(const PlyHeader& header);

// Hands the triangles on, some at a time and in order, without keeping them.
absl::Status StreamPlyBinary(const MeshSource& source, const PlyHeader& header,
                             TakeTriangles take);

// Where a streamable file has its vertices, and its faces or strips, if each of
// these has the length of the first, and nothing else has lists.
struct PlyRecords {
  const PlyElement* vertices = nullptr;
  uint64_t vertex_offset = 0;
  size_t vertex_bytes = 0;
  const PlyElement* faces = nullptr;
  uint64_t face_offset = 0;
  size_t face_bytes = 0;
};
// None where the lengths do not add up to the size of the file. Whether each
// face has this length shows where all of them are loaded: the first that has
// another is not where it should be.
std::optional<PlyRecords> RecordsOfPly(const MeshSource& source,
                                       const PlyHeader& header);

// Append what lies side by side in `bytes`; false where a vertex is not finite,
// or a face has another length or names no vertex.
bool LoadPlyVertices(const PlyHeader& header, const PlyElement& vertices,
                     std::string_view bytes, std::vector<Vec3>* positions);
bool LoadPlyFaces(const PlyHeader& header, const PlyElement& faces,
                  size_t face_bytes, std::string_view bytes,
                  std::vector<TriangleIndices>* triangles);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_PLY_BODY_H_
