// SPDX-License-Identifier: Apache-2.0

// Moments of patches of a surface. They approximate the winding numbers of the
// patches about points far away. Private.
//
// With u = x - p and rho = |u|, the solid angle of a patch seen from p is the
// integral of Dot(u, n) / rho^3 over it. The moments are the coefficients of
// its Taylor series about a center, up to second order: integrals over the
// patch of n, n d and n d d, with d = x - center. All are in tree units. Solid
// angles do not depend on units.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_WINDING_MOMENTS_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_WINDING_MOMENTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Moments of up to eight patches, one per column. The patches are the subtrees
// below the children of a node. Unused columns are zero.
struct MomentRow {
  static constexpr size_t kColumns = kLanes;

  alignas(64) double center[3][kColumns] = {};
  double radius[kColumns] = {};      // of the patch about the center
  double third[kColumns] = {};       // upper bound of the integral of |d|^3
  double normal[3][kColumns] = {};   // of n
  double divergence[kColumns] = {};  // of Dot(n, d)
  // Sums of n d, symmetric: xx yy zz xy yz zx.
  double linear[6][kColumns] = {};
  double vector[3][kColumns] = {};  // of 2 Dot(n, d) d + Dot(d, d) n
  // Sums of n d d, symmetric: xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz, each
  // multiplied by the number of equal entries.
  double cubic[10][kColumns] = {};

  // The children: `inner_count` nodes from `first_node` on, then leaves from
  // `first_leaf` on.
  uint32_t first_node = 0;
  uint32_t first_leaf = 0;
  uint32_t count = 0;
  uint32_t inner_count = 0;
};

struct WindingMoments {
  Tree tree;
  // For each node, the moments of the subtrees below its children. The anchor
  // node has the root as its child.
  std::vector<MomentRow> rows;
};

// Returns the moments of a tree in O(n log n), using the threads of `workers`.
// Polls them for cancellation.
ORBOX_EXPORT WindingMoments WindingMomentsOf(const Tree& tree,
                                             const Workers& workers);

// Computes the moments of a whole tree as one patch, in the units of another
// space. Used for patches of several trees.
ORBOX_EXPORT void PutMomentsOfTree(const Tree& tree, const TreeSpace& space,
                                   MomentRow& row, size_t column,
                                   const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_WINDING_MOMENTS_H_
