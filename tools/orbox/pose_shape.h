// What a pose does to a mesh besides moving it.
//
//   const PoseShape shape = ShapeOf(pose);
//   if (!shape.is_rigid) WriteToStandardError(DescriptionOf(shape));
#ifndef ORBOX_TOOLS_ORBOX_POSE_SHAPE_H_
#define ORBOX_TOOLS_ORBOX_POSE_SHAPE_H_

#include <span>
#include <string>

#include "orbox/overlap/shapes/pose.h"

namespace orbox::cli {

struct PoseShape {
  // Whether it takes space to a plane, a line or a point: the determinant of R
  // is 0, exactly.
  bool is_singular = false;
  // Whether left and right change places: the determinant is negative.
  bool mirrors = false;
  // By how much lengths grow, at least and at most, to some nine digits.
  double least = 1;
  double largest = 1;
  // A rotation and a translation, as far as a person types it: to 2^-17, which
  // numbers of six digits keep.
  bool is_rigid = true;
};

PoseShape ShapeOf(const Pose& pose);

// "scales by 2", "stretches by 0.5 to 3 and mirrors", "flattens".
std::string DescriptionOf(const PoseShape& shape);

// What seems to be meant by 12 or 16 numbers that are no rigid [R | t] row by
// row but are one in another order: "; these numbers look like ...". Empty
// where there is no such order.
std::string OrderHint(std::span<const double> numbers);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_POSE_SHAPE_H_
