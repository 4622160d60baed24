// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/poses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "orbox/bvh/posed/internal/singular_values.h"
#include "orbox/overlap/shapes/range.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/predicates.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {
namespace {

// Above the rounding error of six digits, below any intended change of a
// rotation.
constexpr double kTypedRoundoff = 0x1p-17;

bool IsOne(double ratio) { return std::abs(ratio - 1) <= kTypedRoundoff; }

// Rounds to six digits, because the values are bounds with errors in the tenth
// digit.
std::string Rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// Returns the pose of 12 numbers. `places` has the positions of the nine
// numbers of R and the three of t.
Pose PoseOfPlaces(std::span<const double> numbers,
                  const std::array<size_t, 12>& places) {
  Pose pose;
  for (size_t axis = 0; axis < 3; ++axis) {
    for (size_t k = 0; k < 3; ++k) {
      pose.rows[axis][k] = numbers[places[4 * axis + k]];
    }
    pose.translation[axis] = numbers[places[4 * axis + 3]];
  }
  return pose;
}

}  // namespace

PoseShape ShapeOf(const Pose& pose) {
  const Vec3 zero;
  const int sign = Orient3d(zero, pose.rows[0], pose.rows[1], pose.rows[2]);
  PoseShape shape;
  shape.is_singular = sign == 0;
  shape.mirrors = sign < 0;
  double size = 0;
  for (const Vec3& row : pose.rows) {
    size = std::max(size, MaxCoordinate(Abs(row)));
  }
  if (size == 0) {
    shape.least = shape.largest = 0;
    shape.is_rigid = false;
    return shape;
  }
  // Scales by a power of two, so that squares do not overflow or underflow.
  // Uses two steps if the power itself is out of range.
  int exponent = 0;
  std::frexp(size, &exponent);
  Vec3 rows[3];
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      rows[i][k] = std::ldexp(pose.rows[i][k], -exponent);
    }
  }
  const SingularValues values = SingularValuesOf(rows);
  shape.least = shape.is_singular ? 0 : std::ldexp(values.least, exponent);
  shape.largest = std::ldexp(values.largest, exponent);
  shape.is_rigid = sign > 0 && IsOne(shape.least) && IsOne(shape.largest);
  return shape;
}

std::string DescriptionOf(const PoseShape& shape) {
  if (shape.is_singular) return "flattens";
  std::string mirrors = shape.mirrors ? "mirrors" : "";
  if (IsOne(shape.least) && IsOne(shape.largest)) return mirrors;
  std::string stretch;
  if (shape.least > 0 && IsOne(shape.largest / shape.least)) {
    stretch = Cat("scales by ", Rounded(shape.largest));
  } else if (shape.least < 1e-6 * shape.largest) {
    // The least one is inaccurate.
    stretch = Cat("stretches by up to ", Rounded(shape.largest));
  } else {
    stretch = Cat("stretches by ", Rounded(shape.least), " to ",
                  Rounded(shape.largest));
  }
  return mirrors.empty() ? stretch : Cat(stretch, " and ", mirrors);
}

std::string OrderHint(std::span<const double> numbers) {
  // Other orders in which programs write the 12 numbers of [R | t].
  struct Order {
    std::array<size_t, 12> places;
    std::string_view name;
  };
  static constexpr Order kOfTwelve[] = {
      {{0, 1, 2, 9, 3, 4, 5, 10, 6, 7, 8, 11}, "R first, then t"},
      {{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}, "column by column"}};
  static constexpr Order kOfSixteen[] = {
      {{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14}, "column by column"}};
  const std::span<const Order> orders = numbers.size() == 16
                                            ? std::span<const Order>(kOfSixteen)
                                            : std::span<const Order>(kOfTwelve);
  for (const Order& order : orders) {
    if (!ShapeOf(PoseOfPlaces(numbers, order.places)).is_rigid) continue;
    return Cat("; it looks like ", order.name,
               ", where [R | t] row by row is needed");
  }
  return "";
}

absl::StatusOr<std::vector<double>> PoseRowOf(std::vector<double> numbers) {
  if (numbers.size() != 12 && numbers.size() != 16) {
    return absl::InvalidArgumentError(
        Cat("found ", Counted(numbers.size(), "number"),
            " where 12 or 16 are needed; give ", kPoseColumns));
  }
  if (numbers.size() == 12) return numbers;
  const double last[] = {0, 0, 0, 1};
  if (!std::equal(std::begin(last), std::end(last), numbers.begin() + 12)) {
    return absl::InvalidArgumentError(Cat(
        "the last row of 4 x 4 numbers has to be 0,0,0,1", OrderHint(numbers)));
  }
  numbers.resize(12);
  return numbers;
}

namespace {

absl::StatusOr<std::vector<double>> ParsePoseRow(std::string_view text) {
  absl::StatusOr<std::vector<double>> numbers = ParseReals(text);
  if (!numbers.ok()) {
    return absl::InvalidArgumentError(
        Cat(std::string(numbers.status().message()), "; give ", kPoseColumns));
  }
  return PoseRowOf(*std::move(numbers));
}

// Returns a description of a pose that is not rigid, and of the probable
// mistake.
std::string NoteOn(const Pose& pose) {
  std::array<double, 12> numbers;
  for (size_t axis = 0; axis < 3; ++axis) {
    for (size_t k = 0; k < 3; ++k) numbers[4 * axis + k] = pose.rows[axis][k];
    numbers[4 * axis + 3] = pose.translation[axis];
  }
  return Cat("is not rigid: it ", DescriptionOf(ShapeOf(pose)),
             OrderHint(numbers));
}

// Each coordinate of a moved vertex is between those of the moved corners of
// the box, even after rounding. So it suffices to check the corners.
bool KeepsBoxInRange(const Pose& pose, const Aabb& box) {
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p{corner & 1 ? box.hi.x : box.lo.x,
                 corner & 2 ? box.hi.y : box.lo.y,
                 corner & 4 ? box.hi.z : box.lo.z};
    if (IsBeyond(pose.Apply(p))) return false;
  }
  return true;
}

}  // namespace

std::string PoseFileOf(const std::string& value) {
  return value.starts_with("@") ? value.substr(1) : "";
}

Pose PoseOfRow(std::span<const double> row) {
  Pose pose;
  for (size_t axis = 0; axis < 3; ++axis) {
    const std::span<const double> r = row.subspan(4 * axis, 4);
    pose.rows[axis] = {r[0], r[1], r[2]};
    pose.translation[axis] = r[3];
  }
  return pose;
}

absl::Status CheckRegular(std::span<const double> row, std::string_view what) {
  if (!ShapeOf(PoseOfRow(row)).is_singular) return absl::OkStatus();
  return absl::InvalidArgumentError(Cat("the pose is singular: it flattens ",
                                        what, OrderHint(row),
                                        "; --flatten accepts it"));
}

absl::StatusOr<Poses> ParsePoses(const std::string& value, bool flatten,
                                 std::string_view what) {
  Poses result;
  if (!value.starts_with("@")) {
    const absl::StatusOr<std::vector<double>> row = ParsePoseRow(value);
    if (!row.ok()) {
      return UsageError(Cat("--pose: ", std::string(row.status().message()),
                            ", or @FILE with one pose a row"));
    }
    const absl::Status regular =
        flatten ? absl::OkStatus() : CheckRegular(*row, what);
    if (!regular.ok()) {
      return UsageError(Cat("--pose: ", std::string(regular.message())));
    }
    result.poses.push_back(PoseOfRow(*row));
    return result;
  }
  absl::StatusOr<Rows> rows =
      ReadRows(PoseFileOf(value),
               {.columns = kPoseColumns, .count = 12, .parse = ParsePoseRow});
  if (!rows.ok()) return rows.status();
  result.poses.reserve(rows->size());
  for (size_t i = 0; i < rows->size(); ++i) {
    const absl::Status regular =
        flatten ? absl::OkStatus() : CheckRegular(rows->row(i), what);
    if (!regular.ok()) {
      return absl::InvalidArgumentError(
          Cat(rows->Place(i), ": ", std::string(regular.message())));
    }
    result.poses.push_back(PoseOfRow(rows->row(i)));
  }
  result.file = std::move(*rows);
  return result;
}

std::string NoteOnPoses(const Poses& poses) {
  size_t count = 0;
  size_t first = 0;
  for (size_t i = 0; i < poses.poses.size(); ++i) {
    const PoseShape shape = ShapeOf(poses.poses[i]);
    // CheckPoses reports poses that are beyond the range of models.
    if (shape.is_rigid || !std::isfinite(shape.largest)) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return "";
  const std::string note = NoteOn(poses.poses[first]);
  if (!poses.is_list()) return Cat("the pose ", note);
  std::string others;
  if (count > 1) others = Cat("; ", count - 1, " more are not rigid either");
  return Cat(poses.file->Place(first), ": the pose ", note, others);
}

absl::StatusOr<Poses> ReadPoses(const Arguments& arguments,
                                std::string_view what) {
  const bool flatten = arguments.Has(kFlattenOption.name);
  if (!arguments.Has(kPoseOption.name)) {
    if (!flatten) {
      return Poses{.poses = {Pose::Identity()}, .is_given = false, .file = {}};
    }
    return UsageError("--flatten is about --pose, which is not given; add it");
  }
  absl::StatusOr<Poses> poses =
      ParsePoses(arguments.Value(kPoseOption.name), flatten, what);
  if (!poses.ok()) return poses;
  const std::string note = NoteOnPoses(*poses);
  if (!note.empty()) WriteToStandardError(Cat("orbox: note: ", note, "\n"));
  return poses;
}

absl::StatusOr<Poses> ReadOnePose(const Arguments& arguments,
                                  std::string_view what,
                                  std::string_view shows) {
  absl::StatusOr<Poses> poses = ReadPoses(arguments, what);
  if (poses.ok() && poses->poses.size() > 1) {
    return absl::InvalidArgumentError(
        Cat(poses->file->Place(1), ": the second of ", poses->poses.size(),
            " poses, and ", shows, " one; give that one"));
  }
  return poses;
}

absl::Status CheckPose(const Pose& pose, const Tree& tree) {
  if (!IsBeyond(pose) && KeepsBoxInRange(pose, tree.mesh().bounds()))
    return absl::OkStatus();
  return PosedTree::Create(tree, pose).status();
}

absl::Status CheckPoses(const Poses& poses, const Tree& tree) {
  for (size_t i = 0; i < poses.poses.size(); ++i) {
    const absl::Status status = CheckPose(poses.poses[i], tree);
    if (status.ok()) continue;
    const std::string why(status.message());
    if (!poses.is_list()) return UsageError(Cat("--pose: ", why));
    return absl::Status(status.code(), Cat(poses.file->Place(i), ": ", why));
  }
  return absl::OkStatus();
}

absl::StatusOr<PosedTree> AtOnePose(const Poses& pose, const Tree& tree) {
  const absl::Status status = CheckPoses(pose, tree);
  if (!status.ok()) return status;
  return PosedTree::Create(tree, pose.poses[0]);
}

}  // namespace orbox::cli
