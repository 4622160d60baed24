// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/pose_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

#include "orbox/bvh/posed/internal/singular_values.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/predicates.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

// More than the rounding of six digits, less than any intended change of a
// rotation.
constexpr double kTypedRoundoff = 0x1p-17;

bool IsOne(double ratio) { return std::abs(ratio - 1) <= kTypedRoundoff; }

// Six digits: the values are bounds, with an error in the tenth.
std::string Rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// Returns the pose of 12 numbers, given the positions of the nine of R and the
// three of t.
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
  // Scales by a power of two, so that squares stay in range. A power out of
  // range takes two steps.
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
  } else {
    stretch = Cat("stretches by ", Rounded(shape.least), " to ",
                  Rounded(shape.largest));
  }
  return mirrors.empty() ? stretch : Cat(stretch, " and ", mirrors);
}

std::string OrderHint(std::span<const double> numbers) {
  // Other orders in which programs write the twelve numbers of [R | t].
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

}  // namespace orbox::cli
