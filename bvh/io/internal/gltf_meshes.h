// SPDX-License-Identifier: Apache-2.0

// The meshes of a glTF file, each made of the triangles of its primitives.
//
//   GltfMeshes meshes(source, file);
//   absl::StatusOr<std::optional<Mesh>> mesh = meshes.Make(0);
//
// glTF 2.0 Specification (Khronos, 2021), section 3.7.2. Meshes of equal
// primitives share memory.
#ifndef ORBOX_BVH_IO_INTERNAL_GLTF_MESHES_H_
#define ORBOX_BVH_IO_INTERNAL_GLTF_MESHES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/io/internal/gltf_file.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::mesh_internal {

// Keeps references to its arguments.
class GltfMeshes {
 public:
  GltfMeshes(const MeshSource& source, GltfFile& file)
      : source_(source), file_(file) {}

  // Returns the mesh with this number, or nothing if it has only points and
  // lines. Skips points and lines of a mesh with triangles, with a note.
  absl::StatusOr<std::optional<Mesh>> Make(uint64_t number);

 private:
  // Modes: the rules by which the corners of a primitive form triangles.
  static constexpr uint64_t kTriangles = 4;
  static constexpr uint64_t kStrip = 5;
  static constexpr uint64_t kFan = 6;

  // The accessors of a primitive.
  struct Primitive {
    uint64_t mode = kTriangles;
    uint64_t positions = 0;
    std::optional<uint64_t> indices;

    // In libc++ 16, optional numbers have no <=>.
    friend bool operator<(const Primitive& a, const Primitive& b) {
      return std::tie(a.mode, a.positions, a.indices) <
             std::tie(b.mode, b.positions, b.indices);
    }
  };

  absl::StatusOr<std::vector<Primitive>> PrimitivesOf(uint64_t mesh) const;
  // Returns the corners of a primitive as indices of points. Does not check
  // that the points exist.
  absl::StatusOr<std::vector<uint32_t>> CornersOf(const Primitive& primitive,
                                                  size_t point_count);
  // Returns the number of triangles of these corners. Fails if the mesh, which
  // has `before` triangles already, would have too many.
  absl::StatusOr<size_t> CountTriangles(uint64_t mesh, uint64_t mode,
                                        size_t corner_count,
                                        size_t before) const;
  // Returns the i-th of these triangles.
  static TriangleIndices TriangleOf(uint64_t mode,
                                    std::span<const uint32_t> corners,
                                    size_t i);
  absl::Status Append(uint64_t mesh, const Primitive& primitive,
                      std::vector<Vec3>& vertices,
                      std::vector<TriangleIndices>& triangles);

  const MeshSource& source_;
  GltfFile& file_;
  std::map<std::vector<Primitive>, Mesh> made_;
  // Number of triangles of all meshes. Bounded, because a small file could
  // otherwise make large meshes by using accessors repeatedly.
  size_t triangle_count_ = 0;
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_GLTF_MESHES_H_
