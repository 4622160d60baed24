// SPDX-License-Identifier: Apache-2.0

// Part of space that triangles are tested against: a ball, a box, an oriented
// box, or the intersection of half-spaces.
//
//   std::vector<uint32_t> ids = AllOverlaps(tree, Sphere{{0, 0, 1}, 0.1});
//   const std::vector<Aabb> boxes = {{{0, 0, 0}, {1, 1, 1}}};
//   absl::StatusOr<Lists<uint32_t>> lists = AllOverlaps(tree, boxes);
//
// Each of these shapes converts to a Region, and a list of one kind of shape to
// Regions, so each query is declared only once. Both types are cheap to copy.
// They take over the contents of a temporary array. Any other array is viewed,
// as by a std::span. It has to outlive the Region of half-spaces or the Regions
// made from it, and their copies.
//
// A region is not valid if it contains a NaN, if a radius or half extent is
// negative, or if a center, axis, normal or half extent is infinite. For such a
// region, a query that returns a plain value ends the program with a message.
// Other queries return kInvalidArgument. A radius, an offset of a half-space
// and a side of an Aabb may be infinite. An Aabb with lo above hi is the empty
// set.
#ifndef ORBOX_BVH_QUERY_REGION_H_
#define ORBOX_BVH_QUERY_REGION_H_

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "orbox/overlap/base/require.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/half_spaces.h"

namespace orbox {

namespace region_internal {

// clang-format off: it takes the brackets for comparisons.
template <typename Array, typename Shape>
concept ListOf = std::convertible_to < const std::remove_cvref_t<Array>
&, std::span < const Shape >> ;
// clang-format on

// True if `Array`, deduced for a forwarding reference, is a temporary that owns
// its elements.
template <typename Array>
concept OwnsItsShapes =
    !std::is_lvalue_reference_v<Array> && !std::ranges::borrowed_range<Array>;

// Shapes of an array. Contains the array if it was a temporary.
template <typename Shape>
struct Listed {
  std::span<const Shape> shapes;
  std::shared_ptr<const std::vector<Shape>> owned;  // null if viewed
};

template <typename Shape, typename Array>
Listed<Shape> ListedIn(Array&& array) {
  if constexpr (!OwnsItsShapes<Array>) {
    return {array, nullptr};
  } else {
    std::shared_ptr<const std::vector<Shape>> owned;
    if constexpr (std::same_as<Array, std::vector<Shape>>) {
      owned = std::make_shared<const std::vector<Shape>>(
          std::forward<Array>(array));
    } else {
      owned = std::make_shared<const std::vector<Shape>>(std::begin(array),
                                                         std::end(array));
    }
    const std::span<const Shape> shapes = *owned;
    return {shapes, std::move(owned)};
  }
}

}  // namespace region_internal

class Region {
 public:
  using Shape = std::variant<Sphere, Aabb, Obb, HalfSpaces>;

  // Implicit conversions are intended: queries take shapes directly.
  Region(const Sphere& ball) : shape_(ball) {}  // NOLINT
  Region(const Aabb& box) : shape_(box) {}      // NOLINT
  Region(const Obb& box) : shape_(box) {}       // NOLINT
  Region(HalfSpaces set) : shape_(set) {}       // NOLINT
  // Converts from an array or a vector of half-spaces.
  template <typename Array>
  requires region_internal::ListOf<Array, HalfSpace> &&
      (!std::same_as<std::remove_cvref_t<Array>, HalfSpaces>)
          Region(Array&& set)  // NOLINT
      : Region(region_internal::ListedIn<HalfSpace>(std::forward<Array>(set))) {
  }

  const Shape& shape() const { return shape_; }

 private:
  explicit Region(region_internal::Listed<HalfSpace> set)
      : shape_(set.shapes), half_spaces_(std::move(set.owned)) {}

  Shape shape_;
  std::shared_ptr<const std::vector<HalfSpace>> half_spaces_;
};

// The regions of a batch.
class Regions {
 public:
  // Converts from a span, a vector or an array of Sphere, Aabb, Obb, HalfSpaces
  // or Region.
  template <typename Array>
  requires region_internal::ListOf<Array, Sphere> ||
      region_internal::ListOf<Array, Aabb> ||
      region_internal::ListOf<Array, Obb> ||
      region_internal::ListOf<Array, HalfSpaces> ||
      region_internal::ListOf<Array, Region>
      Regions(Array&& shapes)  // NOLINT
      : list_(region_internal::ListedIn<
              std::remove_cvref_t<decltype(*std::data(shapes))>>(
            std::forward<Array>(shapes))) {}

  size_t size() const {
    return std::visit([](const auto& list) { return list.shapes.size(); },
                      list_);
  }
  // Requires i < size(); otherwise ends the program with a message.
  Region operator[](size_t i) const {
    RequireIndex(i, size(), "Regions::operator[]", "regions");
    return std::visit([i](const auto& list) { return Region(list.shapes[i]); },
                      list_);
  }

 private:
  std::variant<region_internal::Listed<Sphere>, region_internal::Listed<Aabb>,
               region_internal::Listed<Obb>,
               region_internal::Listed<HalfSpaces>,
               region_internal::Listed<Region>>
      list_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_REGION_H_
