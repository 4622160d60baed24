// What there is to show about one mesh, or two: the answers that a picture
// draws.
#ifndef ORBOX_TOOLS_ORBOX_PICTURE_FINDINGS_H_
#define ORBOX_TOOLS_ORBOX_PICTURE_FINDINGS_H_

#include <optional>
#include <vector>

#include "orbox/bvh/query/mesh_distance.h"
#include "orbox/bvh/query/mesh_within.h"
#include "orbox/bvh/query/posed_tree.h"

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

  // The level of the trees whose volumes are drawn.
  std::optional<int> level;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PICTURE_FINDINGS_H_
