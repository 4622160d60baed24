// SPDX-License-Identifier: Apache-2.0

// Binary PLY files for MeshLab, Blender, CloudCompare and ParaView: two meshes
// whose faces have their distance from the other mesh, and its colour; and any
// vertices and faces with such qualities.
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

// A file with a colour and a `quality` for each vertex and face. MeshLab shows
// numbers of this name; CloudCompare and ParaView read those of vertices as a
// scalar field.
//
// Little-endian. Vertices x, y, z (double), red, green, blue (uchar), quality
// (float); faces vertex_indices, colours, quality, and mesh (uchar). Without
// faces it is a point cloud.
class PlyBytes {
 public:
  // The colour is 0xrrggbb. Returns the number of the vertex.
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
                                                  const QueryOptions& options);

struct MeasuredMesh {
  const PosedTree* mesh;
  std::span<const double> distances;  // of the mesh's triangles, in order
};

// Encodes by PlyBytes. Vertices are moved by the poses; faces have `mesh` 0, 1,
// ..., and are in order, the first mesh's before the second's. The quality of a
// face is its distance, the quality of a vertex is the least of its faces.
// Colours are those of pictures: the map's from 0 to `end`, one for each mesh
// beyond `end`, and red for overlaps. Only faces of equal colour share
// vertices, so that programs that use only vertices, such as Blender, also show
// the colours of faces.
std::string EncodeDistancePly(std::span<const MeasuredMesh> meshes, double end);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_PLY_H_
