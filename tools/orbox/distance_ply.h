// SPDX-License-Identifier: Apache-2.0

// Two meshes as one PLY file whose faces have their distance and its colour,
// for MeshLab, Blender and ParaView.
//
//   std::string bytes = EncodeDistancePly({{&a, of_a}, {&b, of_b}}, end);
#ifndef ORBOX_TOOLS_ORBOX_DISTANCE_PLY_H_
#define ORBOX_TOOLS_ORBOX_DISTANCE_PLY_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"

namespace orbox::cli {

// For each triangle of `a` the distance from `b`, exact and correctly rounded.
// Errors as those of DeviationField (hausdorff.h).
absl::StatusOr<std::vector<double>> DistancesFrom(const PosedTree& a,
                                                  const PosedTree& b,
                                                  const QueryOptions& options);

struct MeasuredMesh {
  const PosedTree* mesh;
  std::span<const double> distances;  // of its triangles, in order
};

// Written by PlyBytes (ply_bytes.h): vertices moved by the poses, faces of
// `mesh` 0, 1, ..., the first mesh's before the second's, in order. The quality
// of a face is its distance; that of a vertex is the least of its faces. The
// colours are those of pictures: the map's from 0 to `end`, beyond it one for
// each mesh, and red for overlaps. Only faces of one colour share vertices, so
// that programs that use vertices alone, such as Blender, also show the faces'
// colours.
std::string EncodeDistancePly(std::span<const MeasuredMesh> meshes, double end);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_DISTANCE_PLY_H_
