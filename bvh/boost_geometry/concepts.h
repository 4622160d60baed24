// SPDX-License-Identifier: Apache-2.0

// Adapts our types for Boost.Geometry, and Boost.Geometry's types for us.
//
//   double d = boost::geometry::distance(Vec3{0, 0, 0}, p);  // p: any point
//   Aabb box = ToAabb(any_boost_box);
//   for (const Triangle& t : TrianglesOf(mesh)) ...
//
// This header needs Boost (1.74 or newer). Only headers called
// boost_geometry*.h include it.
//
// Registered for Boost.Geometry, in double and in float: vectors as points in
// cartesian space, Aabb as box, Triangle as an open ring of three points (its
// first corner is not repeated), read only. For rings in three dimensions,
// Boost.Geometry supports functions that visit points: num_points,
// for_each_point, envelope, perimeter and similar ones. Its areas and distances
// are only for the plane. A mesh is a range of triangles, TrianglesOf(mesh),
// for Boost.Range and <ranges>.
//
// All functions are pure and thread-safe.
#ifndef ORBOX_BVH_BOOST_GEOMETRY_CONCEPTS_H_
#define ORBOX_BVH_BOOST_GEOMETRY_CONCEPTS_H_

#include <boost/geometry/algorithms/envelope.hpp>
#include <boost/geometry/core/access.hpp>
#include <boost/geometry/core/closure.hpp>
#include <boost/geometry/core/coordinate_dimension.hpp>
#include <boost/geometry/core/coordinate_system.hpp>
#include <boost/geometry/core/coordinate_type.hpp>
#include <boost/geometry/core/point_type.hpp>
#include <boost/geometry/core/tag.hpp>
#include <boost/geometry/core/tags.hpp>
#include <boost/geometry/geometries/register/box.hpp>
#include <boost/geometry/geometries/register/point.hpp>
#include <boost/geometry/geometries/register/ring.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/range/const_iterator.hpp>
#include <boost/range/mutable_iterator.hpp>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Boost.Geometry's points and boxes of three cartesian dimensions, with any
// coordinate type; including our own types.
template <typename G>
concept BoostPoint = std::same_as<typename boost::geometry::tag<G>::type,
                                  boost::geometry::point_tag> &&
                     boost::geometry::dimension<G>::value == 3;
template <typename G>
concept BoostBox = std::same_as<typename boost::geometry::tag<G>::type,
                                boost::geometry::box_tag> &&
                   boost::geometry::dimension<G>::value == 3;

// Returns the point. Coordinates that are not doubles are rounded to nearest.
template <BoostPoint P>
Vec3 ToVec3(const P& p);

// Returns the smallest box with coordinates in T that contains `box`. It is
// equal to `box` if T holds its coordinates; double holds those in float,
// double and int32_t. NaN stays NaN.
template <std::floating_point T = double, BoostBox B>
BasicAabb<T> ToAabb(const B& box);

// Returns the triangles in the order of their ids: a random-access range of
// values that shares the mesh's data. Iterators are valid during the life of
// the range.
class MeshTriangles;
inline MeshTriangles TrianglesOf(const Mesh& mesh);

// Returns the largest T that is at most x, or the smallest that is at least x.
template <std::floating_point T, typename X>
T RoundedDown(const X& x);
template <std::floating_point T, typename X>
T RoundedUp(const X& x);

// Implemented by hand, because Clang 14 rejects the views of GCC's <ranges>.
class MeshTriangles {
 public:
  class iterator
      : public boost::iterator_facade<
            iterator, Triangle, boost::random_access_traversal_tag, Triangle> {
   public:
    // Boost's facade counts as an input iterator for the standard library,
    // because dereferencing returns values. <ranges> allows values, but
    // requires that operator[] returns values, too.
    using iterator_concept = std::random_access_iterator_tag;

    iterator() = default;
    iterator(const Mesh* mesh, size_t id) : mesh_(mesh), id_(id) {}
    Triangle operator[](ptrdiff_t n) const { return *(*this + n); }

   private:
    friend class boost::iterator_core_access;
    Triangle dereference() const { return mesh_->triangle(id_); }
    bool equal(const iterator& other) const { return id_ == other.id_; }
    void increment() { ++id_; }
    void decrement() { --id_; }
    void advance(ptrdiff_t n) { id_ += static_cast<size_t>(n); }
    ptrdiff_t distance_to(const iterator& other) const {
      return static_cast<ptrdiff_t>(other.id_ - id_);
    }

    const Mesh* mesh_ = nullptr;
    size_t id_ = 0;
  };
  using const_iterator = iterator;

  explicit MeshTriangles(const Mesh& mesh) : mesh_(mesh) {}
  iterator begin() const { return {&mesh_, 0}; }
  iterator end() const { return {&mesh_, size()}; }
  size_t size() const { return mesh_.triangle_count(); }
  bool empty() const { return size() == 0; }
  Triangle operator[](size_t id) const { return mesh_.triangle(id); }

 private:
  Mesh mesh_;
};

inline MeshTriangles TrianglesOf(const Mesh& mesh) {
  return MeshTriangles(mesh);
}

// Iterator over a triangle's corners a, b, c.
template <typename T>
class TriangleCornerIterator
    : public boost::iterator_facade<TriangleCornerIterator<T>,
                                    const BasicVec3<T>,
                                    boost::random_access_traversal_tag> {
 public:
  TriangleCornerIterator() = default;
  TriangleCornerIterator(const BasicTriangle<T>* triangle, ptrdiff_t corner)
      : triangle_(triangle), corner_(corner) {}

 private:
  friend class boost::iterator_core_access;
  const BasicVec3<T>& dereference() const {
    return (*triangle_)[static_cast<size_t>(corner_)];
  }
  bool equal(const TriangleCornerIterator& other) const {
    return corner_ == other.corner_;
  }
  void increment() { ++corner_; }
  void decrement() { --corner_; }
  void advance(ptrdiff_t n) { corner_ += n; }
  ptrdiff_t distance_to(const TriangleCornerIterator& other) const {
    return other.corner_ - corner_;
  }

  const BasicTriangle<T>* triangle_ = nullptr;
  ptrdiff_t corner_ = 0;
};

// Lets Boost.Range find the corners of const and non-const triangles. Without
// this overload, Boost's own templates match better for non-const ones.
template <typename T>
TriangleCornerIterator<T> range_begin(BasicTriangle<T>& t) {
  return {&t, 0};
}
template <typename T>
TriangleCornerIterator<T> range_end(BasicTriangle<T>& t) {
  return {&t, 3};
}
template <typename T>
TriangleCornerIterator<T> range_begin(const BasicTriangle<T>& t) {
  return {&t, 0};
}
template <typename T>
TriangleCornerIterator<T> range_end(const BasicTriangle<T>& t) {
  return {&t, 3};
}

// Implementation only below.

template <BoostPoint P>
Vec3 ToVec3(const P& p) {
  namespace bg = boost::geometry;
  return {static_cast<double>(bg::get<0>(p)),
          static_cast<double>(bg::get<1>(p)),
          static_cast<double>(bg::get<2>(p))};
}

template <std::floating_point T, BoostBox B>
BasicAabb<T> ToAabb(const B& box) {
  namespace bg = boost::geometry;
  return {{RoundedDown<T>(bg::get<bg::min_corner, 0>(box)),
           RoundedDown<T>(bg::get<bg::min_corner, 1>(box)),
           RoundedDown<T>(bg::get<bg::min_corner, 2>(box))},
          {RoundedUp<T>(bg::get<bg::max_corner, 0>(box)),
           RoundedUp<T>(bg::get<bg::max_corner, 1>(box)),
           RoundedUp<T>(bg::get<bg::max_corner, 2>(box))}};
}

namespace boost_geometry_internal {

// Compares `rounded`, which is x rounded to T, with x. Returns -1, 0 or 1.
template <std::floating_point T, typename X>
int CompareRounded(T rounded, const X& x) {
  using Limits = std::numeric_limits<X>;
  if constexpr (Limits::is_integer && Limits::is_bounded) {
    // A value above the largest X cannot be converted back to X.
    if (rounded >= std::ldexp(T{1}, Limits::digits)) return 1;
    const X back = static_cast<X>(rounded);
    return back > x ? 1 : (back < x ? -1 : 0);
  } else {
    const X back(rounded);
    return back > x ? 1 : (back < x ? -1 : 0);
  }
}

}  // namespace boost_geometry_internal

template <std::floating_point T, typename X>
T RoundedDown(const X& x) {
  const T rounded = static_cast<T>(x);
  return boost_geometry_internal::CompareRounded(rounded, x) > 0
             ? std::nextafter(rounded, -std::numeric_limits<T>::infinity())
             : rounded;
}

template <std::floating_point T, typename X>
T RoundedUp(const X& x) {
  const T rounded = static_cast<T>(x);
  return boost_geometry_internal::CompareRounded(rounded, x) < 0
             ? std::nextafter(rounded, std::numeric_limits<T>::infinity())
             : rounded;
}

}  // namespace orbox

BOOST_GEOMETRY_REGISTER_POINT_3D(orbox::Vec3, double,
                                 boost::geometry::cs::cartesian, x, y, z)
BOOST_GEOMETRY_REGISTER_POINT_3D(orbox::Vec3f, float,
                                 boost::geometry::cs::cartesian, x, y, z)
BOOST_GEOMETRY_REGISTER_BOX(orbox::Aabb, orbox::Vec3, lo, hi)
BOOST_GEOMETRY_REGISTER_BOX(orbox::Aabbf, orbox::Vec3f, lo, hi)

namespace boost {

template <typename T>
struct range_mutable_iterator<orbox::BasicTriangle<T>> {
  using type = orbox::TriangleCornerIterator<T>;
};
template <typename T>
struct range_const_iterator<orbox::BasicTriangle<T>> {
  using type = orbox::TriangleCornerIterator<T>;
};

namespace geometry::traits {

template <typename T>
struct tag<orbox::BasicTriangle<T>> {
  using type = ring_tag;
};
template <typename T>
struct closure<orbox::BasicTriangle<T>> {
  static const closure_selector value = open;
};

}  // namespace geometry::traits
}  // namespace boost

#endif  // ORBOX_BVH_BOOST_GEOMETRY_CONCEPTS_H_
