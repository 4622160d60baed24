// SPDX-License-Identifier: Apache-2.0

// A part of space that triangles are tested against: a ball, a box, an oriented
// box, or what a set of half-spaces has in common.
//
//   std::vector<uint32_t> ids = AllOverlaps(tree, Sphere{{0, 0, 1}, 0.1});
//   const std::vector<Aabb> boxes = {{{0, 0, 0}, {1, 1, 1}}};
//   absl::StatusOr<Lists<uint32_t>> lists = AllOverlaps(tree, boxes);
//
// A Region converts from each of the shapes, and Regions from a list of one
// kind of them, so that each query is declared once. Both are cheap to copy.
// Neither copies half-spaces: the array that a Region of half-spaces, or a
// Regions, is made from has to outlive it.
//
// A region is not valid with a NaN, a negative radius or half extent, or an
// infinite center, axis or normal: a query that returns a plain value ends the
// program with a message, a batch returns kInvalidArgument. A radius, an offset
// of a half-space and a side of an Aabb may be infinite. An Aabb with lo above
// hi is the empty set.
#ifndef ORBOX_BVH_QUERY_REGION_H_
#define ORBOX_BVH_QUERY_REGION_H_

#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>
#include <variant>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/half_spaces.h"

namespace orbox {

class Region {
 public:
  using Shape = std::variant<Sphere, Aabb, Obb, HalfSpaces>;

  // Conversions are meant: queries take shapes as they are.
  Region(const Sphere& ball) : shape_(ball) {}  // NOLINT
  Region(const Aabb& box) : shape_(box) {}      // NOLINT
  Region(const Obb& box) : shape_(box) {}       // NOLINT
  Region(HalfSpaces set) : shape_(set) {}       // NOLINT
  // From an array or a vector of half-spaces.
  template <typename Array>
  requires std::convertible_to<const Array&, HalfSpaces> &&
      (!std::same_as<Array, HalfSpaces>)Region(const Array& set)
      : Region(HalfSpaces(set)) {}  // NOLINT

  const Shape& shape() const { return shape_; }

 private:
  Shape shape_;
};

// The regions of a batch. Requires that the array it is made from outlives it.
class Regions {
 public:
  // From a span, a vector or an array of Sphere, Aabb, Obb, HalfSpaces or
  // Region.
  template <typename Array>
  requires std::convertible_to<const Array&, std::span<const Sphere>> ||
      std::convertible_to<const Array&, std::span<const Aabb>> ||
      std::convertible_to<const Array&, std::span<const Obb>> ||
      std::convertible_to<const Array&, std::span<const HalfSpaces>> ||
      std::convertible_to<const Array&, std::span<const Region>>
      Regions(const Array& shapes)  // NOLINT
      : list_(
            std::span<const std::remove_cvref_t<decltype(*std::data(shapes))>>(
                shapes)) {}

  size_t size() const {
    return std::visit([](auto shapes) { return shapes.size(); }, list_);
  }
  // Requires i < size().
  Region operator[](size_t i) const {
    return std::visit([i](auto shapes) { return Region(shapes[i]); }, list_);
  }

 private:
  std::variant<std::span<const Sphere>, std::span<const Aabb>,
               std::span<const Obb>, std::span<const HalfSpaces>,
               std::span<const Region>>
      list_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_REGION_H_
