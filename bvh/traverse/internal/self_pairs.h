// SPDX-License-Identifier: Apache-2.0

// Neighbours in a mesh: what the queries of a tree against itself ask of a pair
// of its triangles (self_overlap.h, self_within.h). Private.
//
//   const SelfPairs pairs(tree.mesh(), SharedCorners::kByPosition);
//   if (!pairs.AreNeighbours({i, j}, a, b)) ...
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_

#include <mutex>
#include <optional>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/traverse/internal/self_fans.h"
#include "orbox/bvh/traverse/self_options.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class SelfPairs {
 public:
  // The mesh has to live as long as this.
  SelfPairs(const Mesh& mesh, SharedCorners shared)
      : mesh_(mesh), shared_(shared) {}

  // Whether the triangles share a corner. `a` and `b` are those of the ids.
  bool AreNeighbours(TrianglePair ids, const Triangle& a,
                     const Triangle& b) const;

  // Whether they overlap beyond the corners that they share, or share all.
  bool Overlap(TrianglePair ids, const Triangle& a, const Triangle& b,
               ArithmeticCounts* counts) const;

  // The fans of the mesh's tree, found when first asked for; null where there
  // are none. May throw std::bad_alloc. Thread-safe.
  const SelfFans* FansOf(const Tree& tree) const;

 private:
  const Mesh& mesh_;
  const SharedCorners shared_;
  mutable std::once_flag looked_for_fans_;
  mutable std::optional<SelfFans> fans_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_
