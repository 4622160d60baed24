// SPDX-License-Identifier: Apache-2.0

// Fast path for single queries with plain arguments, such as tuples of floats.
// Reading plain arguments takes about a microsecond. All other arguments are
// passed to the Python layer, which converts them or reports errors.
//
//   Answer FirstOne(const Tree& tree, const nb::tuple& parts) {
//     const std::optional<Ray> ray = PlainQuery<Ray>(parts);
//     if (!ray) return nb::none();
//     return NumpyRowOrMissing(ClosestHit(tree, *ray));
//   }
//
// The result is None if arguments are not plain or not valid.
#ifndef ORBOX_TOOLS_PYTHON_PLAIN_H_
#define ORBOX_TOOLS_PYTHON_PLAIN_H_

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/swept_sphere.h"
#include "tools/python/arrays.h"

namespace orbox::python {

// Reads `width` finite numbers, where `width` is 1, 3 or 9. Accepts a float or
// an integer; a tuple, a list or an array of doubles, with three numbers or
// three rows of three. Returns false for anything else, without an exception.
// Requires the lock.
bool ReadPlain(nb::handle from, double* to, size_t width);

// Reads a plain limit of a length, which is not negative and may be infinite.
std::optional<double> PlainLimit(nb::handle from);

// Reads a whole number from 0 to below 2^31.
std::optional<size_t> PlainCount(nb::handle from);

// Numbers of doubles in the arguments that describe a query, by type of query.
// The doubles are consecutive at the start of the query's memory. Its other
// members keep their initial values.
template <typename Query>
struct PlainParts;

template <>
struct PlainParts<Vec3> {
  static constexpr std::array<size_t, 1> kWidths = {3};
  static bool IsUsable(const Vec3& /*point*/) { return true; }
};
template <>
struct PlainParts<Ray> {
  static constexpr std::array<size_t, 2> kWidths = {3, 3};
  static bool IsUsable(const Ray& ray) { return !(ray.direction == Vec3()); }
};
template <>
struct PlainParts<Sphere> {
  static constexpr std::array<size_t, 2> kWidths = {3, 1};
  static bool IsUsable(const Sphere& ball) { return IsValid(ball); }
};
template <>
struct PlainParts<SweptSphere> {
  static constexpr std::array<size_t, 3> kWidths = {3, 3, 1};
  static bool IsUsable(const SweptSphere& ball) { return IsValid(ball); }
};
template <>
struct PlainParts<Aabb> {
  static constexpr std::array<size_t, 2> kWidths = {3, 3};
  static bool IsUsable(const Aabb& box) { return IsValid(box); }
};
template <>
struct PlainParts<Obb> {
  static constexpr std::array<size_t, 3> kWidths = {3, 9, 3};
  static bool IsUsable(const Obb& box) { return IsValid(box); }
};

// Returns the query that the arguments describe. Returns nothing if one of them
// is not plain or the query is not valid.
template <typename Query>
std::optional<Query> PlainQuery(const nb::tuple& parts) {
  using Parts = PlainParts<Query>;
  if (parts.size() != Parts::kWidths.size()) return std::nullopt;
  std::array<double, sizeof(Query) / sizeof(double)> numbers;
  size_t count = 0;
  for (const size_t width : Parts::kWidths) count += width;
  double* to = numbers.data();
  for (size_t i = 0; i < Parts::kWidths.size(); ++i) {
    if (!ReadPlain(parts[i], to, Parts::kWidths[i])) return std::nullopt;
    to += Parts::kWidths[i];
  }
  Query query{};
  static_assert(std::is_trivially_copyable_v<Query>);
  std::memcpy(static_cast<void*>(&query), numbers.data(),
              count * sizeof(double));
  if (!Parts::IsUsable(query)) return std::nullopt;
  return query;
}

// Returns call(), called without the lock. For queries that may have many
// results.
template <typename Question>
auto Unlocked(const Question& call) {
  const nb::gil_scoped_release unlocked;
  return call();
}

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_PLAIN_H_
