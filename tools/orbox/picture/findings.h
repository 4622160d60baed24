// What there is to show about one mesh, or two and what is around them: the
// answers that a picture draws.
#ifndef ORBOX_TOOLS_ORBOX_PICTURE_FINDINGS_H_
#define ORBOX_TOOLS_ORBOX_PICTURE_FINDINGS_H_

#include <optional>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/mesh_distance.h"
#include "orbox/bvh/query/mesh_within.h"

namespace orbox::cli {

struct Findings {
  PosedTree a;
  std::optional<PosedTree> b;

  // Of two meshes, the smallest distance and where it is.
  std::optional<MeshDistanceResult> nearest;

  // The pairs to be coloured: those within a distance, or without one those
  // that meet.
  std::optional<double> within;
  std::vector<PairDistance> pairs;

  // What stands around the two.
  std::vector<PosedTree> others;

  // Where pairs are of more than the two meshes: how near each triangle of A,
  // of B, and of each other comes to one of another mesh (face_distances.h).
  // These are coloured, instead of those of `pairs`, unless empty.
  std::vector<std::vector<double>> face_distances;

  // The level of the trees whose volumes are drawn.
  std::optional<int> level;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PICTURE_FINDINGS_H_
