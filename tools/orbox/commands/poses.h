// SPDX-License-Identifier: Apache-2.0

// Reads --pose: no pose, one, or a file of them. Checks their effect on the
// shape of a mesh.
//
//   absl::StatusOr<Poses> poses = ReadPoses(arguments);
//   absl::Status status = CheckPoses(*poses, tree_a);
//   absl::StatusOr<PosedTree> posed = AtOnePose(*one, tree);
//   const PoseShape shape = ShapeOf(pose);
//   if (!shape.is_rigid) WriteToStandardError(DescriptionOf(shape));
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_POSES_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_POSES_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/rows.h"

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

struct Poses {
  std::vector<Pose> poses;
  bool is_given = true;  // not the default

  // The rows of the file, if poses come from a file. Then the results are a
  // list, even for a single row.
  std::optional<Rows> file;

  bool is_list() const { return file.has_value(); }
};

inline constexpr Option kPoseOption = {
    "--pose", "P",
    "moves A: 12 numbers row by row of [R | t], or 16 whose last row is "
    "0,0,0,1, between commas or spaces, or @FILE with one pose a row"};

inline constexpr Option kFlattenOption = {
    "--flatten", "",
    "accept a pose that flattens A to a plane, a line or a point"};

// Reads the options --pose and --flatten; the identity without them. A line on
// standard error describes a pose that is not rigid. Errors are those of
// ParsePoses.
absl::StatusOr<Poses> ReadPoses(const Arguments& arguments,
                                std::string_view what = "A");

// As ReadPoses, for one pose, which may be the only row of a file. An error for
// several, of which `shows` uses one, such as "a picture shows".
absl::StatusOr<Poses> ReadOnePose(const Arguments& arguments,
                                  std::string_view what,
                                  std::string_view shows);

// `value` has 12 numbers, [R | t] row by row, or 16 with the last row 0, 0, 0,
// 1, between commas or spaces. Or it is @FILE, with one pose in each row (@- is
// standard input). Usage errors for typed values, bad input with file and line
// for files. A singular pose, which flattens `what`, is an error unless
// `flatten`.
absl::StatusOr<Poses> ParsePoses(const std::string& value, bool flatten,
                                 std::string_view what = "A");

// Returns an error for 12 numbers, [R | t] row by row, that map `what` to a
// plane, a line or a point; --flatten accepts them.
absl::Status CheckRegular(std::span<const double> row, std::string_view what);

// Returns a line for people about the effect on A of poses that are not rigid;
// empty if all are rigid.
std::string NoteOnPoses(const Poses& poses);

// Returns the file that ParsePoses reads, or nothing.
std::string PoseFileOf(const std::string& value);

inline constexpr std::string_view kPoseColumns =
    "r11,r12,r13,tx,r21,r22,r23,ty,r31,r32,r33,tz";

// Requires 12 numbers, [R | t] row by row; ignores further ones.
Pose PoseOfRow(std::span<const double> row);

// Returns OK if the pose keeps the tree's mesh within the range of models;
// otherwise the error of PosedTree::Create.
absl::Status CheckPose(const Pose& pose, const Tree& tree);

// Runs CheckPose for each pose, before the first result is written.
absl::Status CheckPoses(const Poses& poses, const Tree& tree);

// Returns the tree at the one pose. Errors are those of CheckPoses.
absl::StatusOr<PosedTree> AtOnePose(const Poses& pose, const Tree& tree);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_POSES_H_
