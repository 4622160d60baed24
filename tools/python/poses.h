// SPDX-License-Identifier: Apache-2.0

// Poses from arrays of 4 x 4 matrices, and back.
//
//   const std::vector<Pose> poses = PosesOf(array);   // (n, 16), row by row
#ifndef ORBOX_TOOLS_PYTHON_POSES_H_
#define ORBOX_TOOLS_PYTHON_POSES_H_

#include <vector>

#include "orbox/overlap/shapes/pose.h"
#include "tools/python/arrays.h"

namespace orbox::python {

using PoseRows = DoubleRows<16>;

// Throws a ValueError that names the first row which is not finite, or whose
// last row of the matrix is not 0 0 0 1.
std::vector<Pose> PosesOf(const PoseRows& array);

// Pose of an array that has to contain exactly one.
Pose OnePose(const PoseRows& array);

// The other way: shape (4, 4).
Answer NumpyPose(const Pose& pose);

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_POSES_H_
