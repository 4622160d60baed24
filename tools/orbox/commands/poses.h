// SPDX-License-Identifier: Apache-2.0

// Reads --pose, which is a pose or a file of poses, and checks the effect of
// poses on the shape of a mesh.
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
  // True if the pose contains a reflection: the determinant is negative.
  bool mirrors = false;
  // Smallest and largest scale factor of lengths, accurate to about nine
  // digits.
  double least = 1;
  double largest = 1;
  // True if the pose is a rotation and a translation, with an error of at most
  // 2^-17. This is the precision of numbers that are typed with six digits.
  bool is_rigid = true;
};

PoseShape ShapeOf(const Pose& pose);

// Returns "scales by 2", "stretches by 0.5 to 3 and mirrors", or "flattens".
std::string DescriptionOf(const PoseShape& shape);

// Returns a hint for 12 or 16 numbers that are not a rigid [R | t] row by row,
// but are one in another order: "; these numbers look like ...". Empty if there
// is no such order.
std::string OrderHint(std::span<const double> numbers);

struct Poses {
  std::vector<Pose> poses;
  bool is_given = true;  // false for the default

  // Rows of the file, if the poses come from a file. Then the results are a
  // list, even for a single row.
  std::optional<Rows> file;

  bool is_list() const { return file.has_value(); }
};

inline constexpr Option kPoseOption = {
    "--pose", "P",
    "moves A: the 12 numbers of [R | t], row by row, or 16 with a last row of "
    "0,0,0,1, separated by commas or spaces; or @FILE with one pose a row"};

inline constexpr Option kFlattenOption = {
    "--flatten", "",
    "accept a pose that flattens A to a plane, a line or a point"};

// Reads the options --pose and --flatten. Returns the identity without them.
// Writes a line to standard error about poses that are not rigid. Errors are
// those of ParsePoses.
absl::StatusOr<Poses> ReadPoses(const Arguments& arguments,
                                std::string_view what = "A");

// Like ReadPoses, for one pose, which may be the only row of a file. Returns an
// error for several. `shows` is the text for that, such as "a picture shows".
absl::StatusOr<Poses> ReadOnePose(const Arguments& arguments,
                                  std::string_view what,
                                  std::string_view shows);

// Parses poses. `value` is either 12 numbers, [R | t] row by row, or 16 numbers
// with the last row 0, 0, 0, 1, separated by commas or spaces. Or it is @FILE,
// a file with one pose per row; @- is standard input. Typed values give usage
// errors. Files give bad input with file and line. A singular pose, which
// flattens `what`, is an error unless `flatten`.
absl::StatusOr<Poses> ParsePoses(const std::string& value, bool flatten,
                                 std::string_view what = "A");

// Returns an error, which recommends --flatten, for 12 numbers, [R | t] row by
// row, that map `what` to a plane, a line or a point.
absl::Status CheckRegular(std::span<const double> row, std::string_view what);

// Returns a line about the effect on A of poses that are not rigid. Empty if
// all are rigid.
std::string NoteOnPoses(const Poses& poses);

// Returns the file that ParsePoses would read, or an empty text.
std::string PoseFileOf(const std::string& value);

inline constexpr std::string_view kPoseColumns =
    "r11,r12,r13,tx,r21,r22,r23,ty,r31,r32,r33,tz";

// Returns the 12 numbers of [R | t], row by row, of 12 or 16 numbers. Returns
// an error for other counts, and for a last row that is not 0, 0, 0, 1.
absl::StatusOr<std::vector<double>> PoseRowOf(std::vector<double> numbers);

// Returns the pose of 12 numbers, [R | t] row by row. Ignores further numbers.
Pose PoseOfRow(std::span<const double> row);

// Returns OK if the pose keeps the tree's mesh within the range of models;
// otherwise the error of PosedTree::Create.
absl::Status CheckPose(const Pose& pose, const Tree& tree);

// Calls CheckPose for each pose, before the first result is written.
absl::Status CheckPoses(const Poses& poses, const Tree& tree);

// Returns the tree at the one pose. Errors are those of CheckPoses.
absl::StatusOr<PosedTree> AtOnePose(const Poses& pose, const Tree& tree);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_POSES_H_
