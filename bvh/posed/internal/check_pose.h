// SPDX-License-Identifier: Apache-2.0

// Checks of the numbers of poses, for all code that poses meshes. Private.
//
//   if (absl::Status s = CheckPose(pose); !s.ok()) return s;
#ifndef ORBOX_BVH_POSED_INTERNAL_CHECK_POSE_H_
#define ORBOX_BVH_POSED_INTERNAL_CHECK_POSE_H_

#include "absl/status/status.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Returns kInvalidArgument for a pose with a number that is not finite, or
// outside the range of models (shapes/range.h).
ORBOX_EXPORT absl::Status CheckPose(const Pose& pose);

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_CHECK_POSE_H_
