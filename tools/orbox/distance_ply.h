// Two meshes as one PLY file whose faces have their distance and its colour,
// for MeshLab, Blender and ParaView.
//
//   std::string bytes = EncodeDistancePly({{&a, of_a}, {&b, of_b}}, within);
#ifndef ORBOX_TOOLS_ORBOX_DISTANCE_PLY_H_
#define ORBOX_TOOLS_ORBOX_DISTANCE_PLY_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/batch_options.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox::cli {

// For each triangle of `a` the distance from `b`, exact and correctly rounded.
// Errors as those of DeviationField (hausdorff.h).
absl::StatusOr<std::vector<double>> DistancesFrom(
    const PosedTree& a, const PosedTree& b, const BatchOptions& options,
    TraversalStatistics* statistics = nullptr);

struct MeasuredMesh {
  const PosedTree* mesh;
  std::span<const double> distances;  // of its triangles, in order
};

// Binary, little-endian. Vertices x, y, z (double), moved by the poses, with a
// colour; faces vertex_indices, with a colour, `distance` (float) and `mesh`
// (uchar: 0, 1, ...), the first mesh's before the second's, in order. The
// colours are those of pictures: the map's from 0 to `within`, or without it to
// the largest distance; beyond it one for each mesh, and red for overlaps. Only
// faces of one colour share vertices, so programs that look at vertices alone,
// as Blender does, also show the faces' colours.
std::string EncodeDistancePly(std::span<const MeasuredMesh> meshes,
                              const std::optional<double>& within);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_DISTANCE_PLY_H_
