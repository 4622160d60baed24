// SPDX-License-Identifier: Apache-2.0

// Moments of patches of surface, which give their winding numbers about points
// far away. Private.
//
// With u = x - p and rho = |u|, the solid angle of a patch seen from p is the
// integral of Dot(u, n) / rho^3 over it. The moments are what the Taylor series
// of that about a center takes, up to second order: integrals over the patch of
// n, n d and n d d, with d = x - center. All in tree units, for which solid
// angles do not care.
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

// Moments of up to eight patches, a column each: of the subtrees below the
// children of a node. Columns without a patch are zero.
struct MomentRow {
  static constexpr size_t kColumns = kLanes;

  alignas(64) double center[3][kColumns] = {};
  double radius[kColumns] = {};      // of the patch about the center
  double third[kColumns] = {};       // bounds the integral of |d|^3 from above
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
  // For each node, the moments of the subtrees below its children. The anchor's
  // child is the root.
  std::vector<MomentRow> rows;
};

// O(n log n), on the threads of `workers`, which it polls.
ORBOX_EXPORT WindingMoments WindingMomentsOf(const Tree& tree,
                                             const Workers& workers);

// Moments of a whole tree as one patch, in units of another space: for patches
// of several trees.
ORBOX_EXPORT void PutMomentsOfTree(const Tree& tree, const TreeSpace& space,
                                   MomentRow& row, size_t column,
                                   const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_WINDING_MOMENTS_H_
