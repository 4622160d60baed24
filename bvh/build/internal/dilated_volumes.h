// SPDX-License-Identifier: Apache-2.0

// Expected cost of a query of a tree: the volumes of all children, each dilated
// by a ball. A dilated volume is the probability that a random ball overlaps
// the child (Steiner's formula; choose_volume.h). Private.
//
//   double visits = DilatedVolumes(tree, r) / DilatedBoxVolume(edges, r);
#ifndef ORBOX_BVH_BUILD_INTERNAL_DILATED_VOLUMES_H_
#define ORBOX_BVH_BUILD_INTERNAL_DILATED_VOLUMES_H_

#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Returns the sum over all children of all nodes, in units of tree space. `r`
// is in units of tree space, too. O(nodes).
double DilatedVolumes(const Tree& tree, double r);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_DILATED_VOLUMES_H_
