// SPDX-License-Identifier: Apache-2.0

// A binary PLY file with a colour and a `quality` for each vertex and face.
// MeshLab shows numbers of this name; CloudCompare and ParaView read those of
// vertices as a scalar field.
//
//   PlyBytes ply;
//   const uint32_t corner = ply.AddVertex({0, 0, 1}, 0xff0000, 0.5);
//   ply.AddFace({corner, b, c}, 0xff0000, 0.25, 0);
//   WriteSideFile(path, ply.File("colours from 0 to 1"));
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_PLY_BYTES_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_PLY_BYTES_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox::cli {

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

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_PLY_BYTES_H_
