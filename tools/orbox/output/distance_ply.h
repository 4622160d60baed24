// SPDX-License-Identifier: Apache-2.0

// Binary PLY files for MeshLab, Blender, CloudCompare and ParaView.
// EncodeDistancePly writes two meshes whose faces have their distance from the
// other mesh, and its colour. PlyBytes writes any vertices and faces with such
// values.
//
//   std::string bytes = EncodeDistancePly({{&a, of_a}, {&b, of_b}}, end);
//
//   PlyBytes ply;
//   const uint32_t corner = ply.AddVertex({0, 0, 1}, 0xff0000, 0.5);
//   ply.AddFace({corner, b, c}, 0xff0000, 0.25, 0);
//   WriteSideFile(path, ply.File("colours from 0 to 1"));
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_PLY_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_PLY_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::cli {

// A file with a colour and a `quality` for each vertex and face. MeshLab
// displays properties with this name. CloudCompare and ParaView read those of
// vertices as a scalar field.
//
// Little-endian. Vertices x, y, z (double), red, green, blue (uchar), quality
// (float). Faces have vertex_indices, colours, quality, and mesh (uchar).
// Without faces, the file is a point cloud.
class PlyBytes {
 public:
  // Adds a vertex and returns its index. The colour is 0xrrggbb.
  uint32_t AddVertex(const Vec3& p, uint32_t color, double quality);

  // Lowers the quality of a vertex to `quality`, if that is less.
  void LowerQuality(uint32_t vertex, double quality);

  void AddFace(const std::array<uint32_t, 3>& corners, uint32_t color,
               double quality, uint8_t mesh);

  std::string File(std::string_view comment) const;

 private:
  struct Vertex {
    Vec3 place;
    uint32_t color;
    float quality;
  };
  struct Face {
    std::array<uint32_t, 3> corners;
    uint32_t color;
    float quality;
    uint8_t mesh;
  };

  std::vector<Vertex> vertices_;
  std::vector<Face> faces_;
};

// Returns the distance of each triangle of `a` from `b`, exact and correctly
// rounded. Errors are those of DeviationField (hausdorff.h).
absl::StatusOr<std::vector<double>> DistancesFrom(const PosedTree& a,
                                                  const PosedTree& b,
                                                  const RunOptions& run);

struct MeasuredMesh {
  const PosedTree* mesh;
  std::span<const double> distances;  // of the mesh's triangles, in order
};

// Encodes by PlyBytes. Vertices are moved by the poses. Faces have the index of
// their mesh as `mesh`, and are in order. The quality of a face is its
// distance. The quality of a vertex is the least one of its faces. Colours are
// those of pictures: the colour map from 0 to `end`, a colour for each mesh
// beyond `end`, and red for overlaps. Only faces of equal colour share
// vertices, so that programs that use only vertices, such as Blender, also show
// the colours of faces.
std::string EncodeDistancePly(std::span<const MeasuredMesh> meshes, double end);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_PLY_H_
