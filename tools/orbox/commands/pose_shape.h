// SPDX-License-Identifier: Apache-2.0

// The effect of a pose on the shape of a mesh.
//
//   const PoseShape shape = ShapeOf(pose);
//   if (!shape.is_rigid) WriteToStandardError(DescriptionOf(shape));
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_POSE_SHAPE_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_POSE_SHAPE_H_

#include <span>
#include <string>

#include "orbox/overlap/shapes/pose.h"

namespace orbox::cli {

struct PoseShape {
  // True if the pose maps space to a plane, a line or a point: the determinant
  // of R is exactly 0.
  bool is_singular = false;
  // True if the pose swaps left and right: the determinant is negative.
  bool mirrors = false;
  // The smallest and the largest scale factor of lengths, to some nine digits.
  double least = 1;
  double largest = 1;
  // True for a rotation and a translation within 2^-17, the precision of
  // numbers with six typed digits.
  bool is_rigid = true;
};

PoseShape ShapeOf(const Pose& pose);

// Returns "scales by 2", "stretches by 0.5 to 3 and mirrors", or "flattens".
std::string DescriptionOf(const PoseShape& shape);

// Returns the probable meaning of 12 or 16 numbers that are no rigid [R | t]
// row by row but are rigid in another order: "; these numbers look like ...".
// Empty if there is no such order.
std::string OrderHint(std::span<const double> numbers);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_POSE_SHAPE_H_
