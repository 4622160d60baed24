// SPDX-License-Identifier: Apache-2.0

// Checks of the numbers of poses, for all code that poses meshes. PosedAccess
// is the only way to bypass them. Private.
//
//   if (absl::Status s = CheckPose(pose); !s.ok()) return s;
#ifndef ORBOX_BVH_POSED_INTERNAL_CHECK_POSE_H_
#define ORBOX_BVH_POSED_INTERNAL_CHECK_POSE_H_

#include "absl/status/status.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Returns kInvalidArgument for a pose with a number that is not finite, or
// outside the range of models (shapes/range.h).
ORBOX_EXPORT absl::Status CheckPose(const Pose& pose);

namespace posed_internal {

// Poses a tree without the checks of PosedTree::Create. Serves trees that a
// search builds for its internal use, from points that need not be in the range
// of models.
struct PosedAccess {
  // Requires a linear part that is exactly `scale` times the identity.
  static PosedTree Make(const Tree& tree, const Pose& pose, double scale) {
    return {tree, pose, scale, 0, 1};
  }
};

}  // namespace posed_internal

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_CHECK_POSE_H_
