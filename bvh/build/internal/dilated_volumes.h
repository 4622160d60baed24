// How likely a query is to open what is in a tree: the volumes of its children,
// each dilated by a ball, which are the chances that such a ball at random
// meets them (Steiner's formula; choose_volume.h). Private.
//
//   double visits = DilatedVolumes(tree, r) / DilatedBoxVolume(edges, r);
#ifndef ORBOX_BVH_BUILD_INTERNAL_DILATED_VOLUMES_H_
#define ORBOX_BVH_BUILD_INTERNAL_DILATED_VOLUMES_H_

#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Summed over all children of all nodes, in units of tree space; so is r.
// O(nodes).
double DilatedVolumes(const Tree& tree, double r);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_DILATED_VOLUMES_H_
