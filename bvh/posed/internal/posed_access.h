// SPDX-License-Identifier: Apache-2.0

// Poses a tree without the checks of PosedTree::Create. For trees that a search
// makes for itself, of points that need not be in the range of models. Private.
#ifndef ORBOX_BVH_POSED_INTERNAL_POSED_ACCESS_H_
#define ORBOX_BVH_POSED_INTERNAL_POSED_ACCESS_H_

#include "orbox/bvh/posed/posed_tree.h"

namespace orbox::posed_internal {

struct PosedAccess {
  // Requires a linear part that is `scale` times the identity, without error.
  static PosedTree Make(const Tree& tree, const Pose& pose, double scale) {
    return {tree, pose, scale, 0, 1};
  }
};

}  // namespace orbox::posed_internal

#endif  // ORBOX_BVH_POSED_INTERNAL_POSED_ACCESS_H_
