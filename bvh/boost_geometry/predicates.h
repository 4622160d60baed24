// SPDX-License-Identifier: Apache-2.0

// Boost's predicates for boost_geometry/index.h. Tests if a box or a triangle
// satisfies them, and finds volumes in which none can satisfy them.
//
//   auto all = AsTuple(bgi::within(box) && bgi::satisfies(f));
//   Reach<double> reach = ReachOf<double>(all);  // contains all results
//   bool yes = FulfilledBy(all, value);
//
// For boxes, Boost.Geometry's functions decide (intersects, within, ...),
// without converting the given geometry. So results are equal to the rtree's.
// Users of the index do not need this header.
#ifndef ORBOX_BVH_BOOST_GEOMETRY_PREDICATES_H_
#define ORBOX_BVH_BOOST_GEOMETRY_PREDICATES_H_

#include <algorithm>
#include <boost/geometry/algorithms/covered_by.hpp>
#include <boost/geometry/algorithms/disjoint.hpp>
#include <boost/geometry/algorithms/envelope.hpp>
#include <boost/geometry/algorithms/intersects.hpp>
#include <boost/geometry/algorithms/overlaps.hpp>
#include <boost/geometry/algorithms/within.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/tuple/tuple.hpp>
#include <concepts>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>

#include "orbox/bvh/boost_geometry/concepts.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox::boost_geometry_internal {

namespace bg = boost::geometry;
namespace predicates = boost::geometry::index::detail::predicates;

// Returns `a && b && c` as a std::tuple. In Boost, the type of `a && b && c` is
// a list or, in newer versions, a std::tuple.
template <typename P>
std::tuple<P> AsTuple(const P& predicate) {
  return std::tuple<P>(predicate);
}
template <typename... Ps>
std::tuple<Ps...> AsTuple(const std::tuple<Ps...>& all) {
  return all;
}
inline std::tuple<> AsTuple(const boost::tuples::null_type&) { return {}; }
template <typename Head, typename Tail>
auto AsTuple(const boost::tuples::cons<Head, Tail>& all) {
  return std::tuple_cat(AsTuple(all.get_head()), AsTuple(all.get_tail()));
}

template <typename P>
struct IsNearest : std::false_type {};
template <typename G>
struct IsNearest<predicates::nearest<G>> : std::true_type {};

// Returns the position of the nearest<> among Ps, or the number of Ps if there
// is none.
template <typename... Ps>
constexpr size_t NearestAt() {
  constexpr bool is[] = {IsNearest<Ps>::value..., true};
  size_t at = 0;
  while (!is[at]) ++at;
  return at;
}

// IntersectsAt returns the position of the first `intersects` with a point or a
// box, or the number of Ps if there is none.
template <typename P>
struct IsIntersects : std::false_type {};
template <typename G>
struct IsIntersects<
    predicates::spatial_predicate<G, predicates::intersects_tag, false>>
    : std::bool_constant<BoostPoint<G> || BoostBox<G>> {};
template <typename... Ps>
constexpr size_t IntersectsAt() {
  constexpr bool is[] = {IsIntersects<Ps>::value..., true};
  size_t at = 0;
  while (!is[at]) ++at;
  return at;
}

// True if each box inside ReachOf<T> of P satisfies P. This holds for
// intersects and covered_by if the reach is exactly P's box.
template <typename T, typename P>
struct IsFulfilledIfCovered : std::false_type {};
template <typename T, typename G, typename Tag>
struct IsFulfilledIfCovered<T, predicates::spatial_predicate<G, Tag, false>>
    : std::bool_constant<
          BoostBox<G> &&
          std::floating_point<typename bg::coordinate_type<G>::type> &&
          std::numeric_limits<typename bg::coordinate_type<G>::type>::digits <=
              std::numeric_limits<T>::digits &&
          (std::same_as<Tag, predicates::intersects_tag> ||
           std::same_as<Tag, predicates::covered_by_tag>)> {};

// A box. Boxes that are disjoint from it do not satisfy all predicates.
template <typename T>
struct Reach {
  BasicVec3<T> lo{-std::numeric_limits<T>::infinity(),
                  -std::numeric_limits<T>::infinity(),
                  -std::numeric_limits<T>::infinity()};
  BasicVec3<T> hi{std::numeric_limits<T>::infinity(),
                  std::numeric_limits<T>::infinity(),
                  std::numeric_limits<T>::infinity()};
};

template <typename T, typename G>
BasicAabb<T> BoundsOfGeometry(const G& geometry) {
  if constexpr (BoostBox<G>) {
    return ToAabb<T>(geometry);
  } else {
    // A point becomes the box from the point to itself.
    using Coordinate = typename bg::coordinate_type<G>::type;
    using Box =
        bg::model::box<bg::model::point<Coordinate, 3, bg::cs::cartesian>>;
    return ToAabb<T>(bg::return_envelope<Box>(geometry));
  }
}

template <typename T, typename P>
void Narrow(const P&, Reach<T>*) {}
// Narrows the reach by a predicate that requires a common point: any except
// `disjoint`, not negated.
template <typename T, typename G, typename Tag>
void Narrow(const predicates::spatial_predicate<G, Tag, false>& p,
            Reach<T>* reach) {
  if constexpr (!std::same_as<Tag, predicates::disjoint_tag>) {
    const BasicAabb<T> bounds = BoundsOfGeometry<T>(p.geometry);
    for (size_t axis = 0; axis < 3; ++axis) {
      // NaN does not narrow the reach, as in Boost's comparisons.
      if (bounds.lo[axis] > reach->lo[axis]) reach->lo[axis] = bounds.lo[axis];
      if (bounds.hi[axis] < reach->hi[axis]) reach->hi[axis] = bounds.hi[axis];
    }
  }
}

template <typename T, typename... Ps>
Reach<T> ReachOf(const std::tuple<Ps...>& all) {
  Reach<T> reach;
  std::apply([&](const Ps&... p) { (Narrow(p, &reach), ...); }, all);
  return reach;
}

// Tests a box of an index against one predicate.
template <typename Tag, typename Box, typename G>
bool Related(const Box& box, const G& g) {
  if constexpr (std::same_as<Tag, predicates::contains_tag>) {
    return bg::within(g, box);
  } else if constexpr (std::same_as<Tag, predicates::covered_by_tag>) {
    return bg::covered_by(box, g);
  } else if constexpr (std::same_as<Tag, predicates::covers_tag>) {
    return bg::covered_by(g, box);
  } else if constexpr (std::same_as<Tag, predicates::disjoint_tag>) {
    return bg::disjoint(box, g);
  } else if constexpr (std::same_as<Tag, predicates::overlaps_tag>) {
    return bg::overlaps(box, g);
  } else if constexpr (std::same_as<Tag, predicates::within_tag>) {
    return bg::within(box, g);
  } else {
    static_assert(std::same_as<Tag, predicates::intersects_tag>);
    return bg::intersects(box, g);
  }
}

template <typename G, typename Tag, bool kNegated, typename Value>
bool Fulfils(const predicates::spatial_predicate<G, Tag, kNegated>& p,
             const Value& value) {
  return Related<Tag>(value.first, p.geometry) != kNegated;
}
template <typename F, bool kNegated, typename Value>
bool Fulfils(const predicates::satisfies<F, kNegated>& p, const Value& value) {
  return static_cast<bool>(p.fun(value)) != kNegated;
}
template <typename G, typename Value>
bool Fulfils(const predicates::nearest<G>&, const Value&) {
  return true;
}

template <typename... Ps, typename Value>
bool FulfilledBy(const std::tuple<Ps...>& all, const Value& value) {
  return std::apply([&](const Ps&... p) { return (Fulfils(p, value) && ...); },
                    all);
}

// Tests the triangle, instead of its box, against one predicate.
template <typename G>
bool Meets(const Triangle& t, const G& geometry) {
  static_assert(BoostBox<G> || BoostPoint<G>,
                "triangles are asked about points and boxes");
  Aabb box = BoundsOfGeometry<double>(geometry);
  if (!(box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z)) {
    return false;  // empty, or NaN
  }
  // Vertices are finite, so the largest double has the effect of infinity.
  constexpr double kMax = std::numeric_limits<double>::max();
  for (size_t axis = 0; axis < 3; ++axis) {
    if (box.lo[axis] > kMax || box.hi[axis] < -kMax) return false;
    box.lo[axis] = std::clamp(box.lo[axis], -kMax, kMax);
    box.hi[axis] = std::clamp(box.hi[axis], -kMax, kMax);
  }
  return Overlaps(box, t);
}

template <typename G, typename Tag, bool kNegated, typename Value>
bool TriangleFulfils(const predicates::spatial_predicate<G, Tag, kNegated>& p,
                     const Value&, const Triangle& t) {
  if constexpr (std::same_as<Tag, predicates::intersects_tag>) {
    return Meets(t, p.geometry) != kNegated;
  } else if constexpr (std::same_as<Tag, predicates::disjoint_tag>) {
    return Meets(t, p.geometry) == kNegated;
  } else {
    static_assert((std::same_as<Tag, predicates::within_tag> ||
                   std::same_as<Tag, predicates::covered_by_tag>)&&BoostBox<G>,
                  "of triangles themselves: intersects, disjoint, within(box), "
                  "covered_by(box), nearest(point), satisfies");
    // A box contains a triangle if and only if it contains the triangle's box.
    return Related<Tag>(BoundsOf(t), p.geometry) != kNegated;
  }
}
template <typename P, typename Value>
bool TriangleFulfils(const P& p, const Value& value, const Triangle&) {
  return Fulfils(p, value);
}

template <typename... Ps, typename Value>
bool FulfilledBy(const std::tuple<Ps...>& all, const Value& value,
                 const Triangle& t) {
  return std::apply(
      [&](const Ps&... p) { return (TriangleFulfils(p, value, t) && ...); },
      all);
}

}  // namespace orbox::boost_geometry_internal

#endif  // ORBOX_BVH_BOOST_GEOMETRY_PREDICATES_H_
