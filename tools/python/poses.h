// SPDX-License-Identifier: Apache-2.0

// Converts arrays of 4 x 4 matrices to poses, and back.
//
//   const std::vector<Pose> poses = PosesOf(array);   // (n, 16), row by row
#ifndef ORBOX_TOOLS_PYTHON_POSES_H_
#define ORBOX_TOOLS_PYTHON_POSES_H_

#include <vector>

#include "orbox/overlap/shapes/pose.h"
#include "tools/python/arrays.h"

namespace orbox::python {

using PoseRows = DoubleRows<16>;

// Returns the poses of an array. Throws a ValueError that names the first row
// that is not finite, or whose matrix has a last row other than 0 0 0 1.
std::vector<Pose> PosesOf(const PoseRows& array);

// Returns the pose of an array that has to contain exactly one.
Pose OnePose(const PoseRows& array);

// Returns a pose as an array of shape (4, 4).
Answer NumpyPose(const Pose& pose);

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_POSES_H_
