// SPDX-License-Identifier: Apache-2.0

// Results that a picture draws, of one mesh or of two meshes and others around
// them.
//
//   Findings findings{.a = posed_arm};
//   findings.b = wall;
//   findings.nearest = *ClosestPair(findings.a, *findings.b);
#ifndef ORBOX_TOOLS_PICTURE_FINDINGS_H_
#define ORBOX_TOOLS_PICTURE_FINDINGS_H_

#include <optional>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_within.h"

namespace orbox::picture {

struct Findings {
  PosedTree a;
  std::optional<PosedTree> b;

  // The smallest distance of two meshes, and its points.
  std::optional<Witness> nearest;

  // Pairs of triangles to colour: those within `within` if it is set, otherwise
  // the overlapping ones.
  std::optional<double> within;
  std::vector<PairDistance> pairs;

  // The meshes around the two.
  std::vector<PosedTree> others;

  // For pairs of more than two meshes: the distance of each triangle of A, of B
  // and of each other mesh from another mesh (face_distances.h). If not empty,
  // used for colours instead of `pairs`.
  std::vector<std::vector<double>> face_distances;
  // The mesh from which distances of A are measured, so that each point of A
  // gets the colour of its distance. Not needed for two meshes with `pairs`.
  std::optional<PosedTree> from;

  // The level of the trees whose volumes are drawn.
  std::optional<int> level;
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_FINDINGS_H_
