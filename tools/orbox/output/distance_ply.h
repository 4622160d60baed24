// SPDX-License-Identifier: Apache-2.0

// Encodes two meshes as one PLY file for MeshLab, Blender and ParaView. Faces
// have their distance from the other mesh, and its colour.
//
//   std::string bytes = EncodeDistancePly({{&a, of_a}, {&b, of_b}}, end);
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_PLY_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_PLY_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"

namespace orbox::cli {

// Returns the distance of each triangle of `a` from `b`, exact and correctly
// rounded. Errors are those of DeviationField (hausdorff.h).
absl::StatusOr<std::vector<double>> DistancesFrom(const PosedTree& a,
                                                  const PosedTree& b,
                                                  const QueryOptions& options);

struct MeasuredMesh {
  const PosedTree* mesh;
  std::span<const double> distances;  // of the mesh's triangles, in order
};

// Encodes by PlyBytes (ply_bytes.h). Vertices are moved by the poses; faces
// have `mesh` 0, 1, ..., and are in order, the first mesh's before the
// second's. The quality of a face is its distance, the quality of a vertex is
// the least of its faces. Colours are those of pictures: the map's from 0 to
// `end`, one for each mesh beyond `end`, and red for overlaps. Only faces of
// equal colour share vertices, so that programs that use only vertices, such as
// Blender, also show the colours of faces.
std::string EncodeDistancePly(std::span<const MeasuredMesh> meshes, double end);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_PLY_H_
