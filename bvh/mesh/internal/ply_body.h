// SPDX-License-Identifier: Apache-2.0

// The contents of a PLY file: what its text and binary readers share.
#ifndef ORBOX_BVH_MESH_INTERNAL_PLY_BODY_H_
#define ORBOX_BVH_MESH_INTERNAL_PLY_BODY_H_

#include <cstdint>
#include <functional>
#include <string>
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

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_PLY_BODY_H_
