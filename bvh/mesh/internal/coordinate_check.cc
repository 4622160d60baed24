// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/coordinate_check.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"

namespace orbox::mesh_internal {
namespace {

std::string Number(double x) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return std::string(buffer, end);
}

}  // namespace

std::string RangeAdvice(double largest) {
  // The advised scale makes the largest coordinate, which may be infinite, less
  // than 2^200.
  largest = std::min(largest, std::numeric_limits<double>::max());
  const int scale =
      std::max(1, std::ilogb(largest) + 1 - std::ilogb(kLargestCoordinate));
  return absl::StrCat(
      "coordinates are at most 2^200 (1.6e60) in size: scale the model by 2^-",
      scale);
}

std::string RangeAdvice(const Vec3& p) {
  return RangeAdvice(MaxCoordinate(Abs(p)));
}

void CoordinateCheck::AddOffender(size_t i, const Vec3& p) {
  if (offenders_++ == 0) {
    first_ = i;
    point_ = p;
  }
  is_finite_ = is_finite_ && IsFinite(p);
  for (int axis = 0; axis < 3; ++axis) {
    const double size = std::abs(p[axis]);
    if (std::isfinite(size)) largest_ = std::max(largest_, size);
  }
}

absl::Status CoordinateCheck::Error(std::string_view verb, size_t count) const {
  return absl::InvalidArgumentError(absl::StrCat(
      "vertex ", first_, " ", std::string(verb), " (", Number(point_.x), ", ",
      Number(point_.y), ", ", Number(point_.z), "), and ",
      is_finite_ ? RangeAdvice(largest_)
                 : std::string("coordinates have to be finite, and at most "
                               "2^200 (1.6e60) in size: repair or remove it"),
      "; ", offenders_, " of ", count, " vertices are beyond"));
}

absl::Status CheckCoordinates(std::string_view verb,
                              std::span<const Vec3> vertices) {
  CoordinateCheck check;
  for (size_t i = 0; i < vertices.size(); ++i) check.Add(i, vertices[i]);
  return check.ok() ? absl::OkStatus() : check.Error(verb, vertices.size());
}

}  // namespace orbox::mesh_internal
