// SPDX-License-Identifier: Apache-2.0

// A replacement for boost::geometry::index::rtree over the triangles of a mesh.
//
//   namespace bgi = boost::geometry::index;
//   TriangleIndex<> index(tree);   // its values: std::pair<Aabb, uint32_t>
//   TriangleIndex<std::pair<Box, unsigned>> like_yours(tree);
//   index.query(bgi::intersects(box) && bgi::satisfies(f), out);
//   for (auto it = index.qbegin(bgi::nearest(p, 5)); it != index.qend(); ++it)
//     use(*it);
//   index.exact().query(bgi::nearest(p, 5), out);
//
// A value is the box of a triangle and its id. TriangleIndex queries the boxes,
// like an rtree of these values. Boost.Geometry's functions decide, without
// converting the given geometry. It supports the rtree's predicates and && of
// them: contains, covered_by, covers, disjoint, intersects, overlaps, within,
// satisfies, their negations, and one nearest, for all geometries of the rtree.
// If the rtree deviates from those functions, TriangleIndex follows the
// functions. For example, the rtree misses flat boxes for !within a box that
// contains one of its nodes. Values are in no particular order, and those of
// nearest are nearest first. At equal distances, the values with the lowest ids
// are returned, ascending; the rtree returns any of them.
//
// exact() queries the triangles instead of their boxes, which an rtree cannot
// do: intersects and disjoint (with a point or a box), within and covered_by (a
// box), nearest (a point), satisfies. It is exact like
// query/regions/region_overlap.h and k_nearest.h, for points and boxes in
// double (ToVec3, ToAabb). Values ascend by id, and those of nearest are
// nearest first.
//
// Differences from the rtree: an index is made from a tree and does not change
// (no insert, no remove). A copy is cheap and shares its data. Any number of
// threads may query it, if the predicates allow that. A box with coordinates in
// float is the triangle's box rounded outward.
//
// Construction takes O(n). Memory: one value and about 20 bytes per triangle.
// An iterator allocates memory, and a copy of an iterator does when it
// advances. query() allocates only for nearest. exact().qbegin() finds all
// values before it returns. Iterators are valid during the life of their index
// or of a copy of it.
#ifndef ORBOX_BVH_BOOST_GEOMETRY_INDEX_H_
#define ORBOX_BVH_BOOST_GEOMETRY_INDEX_H_

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "orbox/bvh/boost_geometry/concepts.h"
#include "orbox/bvh/boost_geometry/predicates.h"
#include "orbox/bvh/boost_geometry/search.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

template <typename Value>
class ExactTriangles;

// `Value` is std::pair<Box, Id>: a box of Boost.Geometry in three cartesian
// dimensions, of float or double, and a type to which ids convert.
template <typename Value = std::pair<Aabb, uint32_t>>
class TriangleIndex {
 public:
  using value_type = Value;
  using indexable_type = typename Value::first_type;
  using bounds_type = indexable_type;
  using size_type = size_t;
  using const_reference = const Value&;
  using const_iterator = const Value*;
  using const_query_iterator = boost_geometry_internal::QueryIterator<Value>;

  // Creates an index without values.
  TriangleIndex() : TriangleIndex(std::make_shared<Boxes>()) {}
  explicit TriangleIndex(const Tree& tree)
      : TriangleIndex(std::make_shared<Boxes>(tree)) {}

  size_type size() const { return boxes_->values.size(); }
  bool empty() const { return boxes_->values.empty(); }
  // Returns the bounding box of all values. `lo` is above `hi` if there are
  // none.
  bounds_type bounds() const { return boxes_->bounds(); }

  // Return all values, in no particular order.
  const_iterator begin() const { return boxes_->values.data(); }
  const_iterator end() const { return begin() + size(); }

  // Writes the values that satisfy the predicates to `out`. Returns their
  // number.
  template <typename Predicates, typename OutputIterator>
  size_type query(const Predicates& predicates, OutputIterator out) const;

  // Returns an iterator over the results of a query. It finds them as it
  // advances.
  template <typename Predicates>
  const_query_iterator qbegin(const Predicates& predicates) const;
  const_query_iterator qend() const { return {}; }

  // Returns an object that queries the triangles instead of their boxes.
  // Requires an index of a tree.
  ExactTriangles<Value> exact() const { return ExactTriangles<Value>(boxes_); }

 private:
  using Boxes = boost_geometry_internal::ValueTree<Value>;

  explicit TriangleIndex(std::shared_ptr<const Boxes> boxes)
      : boxes_(std::move(boxes)) {}

  std::shared_ptr<const Boxes> boxes_;
};

// Queries of triangles. Created by TriangleIndex::exact().
template <typename Value>
class ExactTriangles {
 public:
  using value_type = Value;
  using const_query_iterator = boost_geometry_internal::QueryIterator<Value>;

  template <typename Predicates, typename OutputIterator>
  size_t query(const Predicates& predicates, OutputIterator out) const;

  template <typename Predicates>
  const_query_iterator qbegin(const Predicates& predicates) const;
  const_query_iterator qend() const { return {}; }

 private:
  friend class TriangleIndex<Value>;
  using Boxes = boost_geometry_internal::ValueTree<Value>;

  explicit ExactTriangles(std::shared_ptr<const Boxes> boxes)
      : boxes_(std::move(boxes)) {}

  template <typename... Ps>
  std::vector<const Value*> Find(const std::tuple<Ps...>& all) const;

  // Returns the nearest triangles among those that satisfy the other
  // predicates.
  template <typename... Ps>
  std::vector<const Value*> FindNearest(const std::tuple<Ps...>& all) const;

  std::shared_ptr<const Boxes> boxes_;
};

// Implementation only below.

template <typename Value>
template <typename Predicates, typename OutputIterator>
size_t TriangleIndex<Value>::query(const Predicates& predicates,
                                   OutputIterator out) const {
  auto search = boost_geometry_internal::SearchFor(
      *boxes_, boost_geometry_internal::AsTuple(predicates));
  size_t count = 0;
  search.ForEach([&](const Value& value) {
    *out = value;
    ++out;
    ++count;
  });
  return count;
}

template <typename Value>
template <typename Predicates>
boost_geometry_internal::QueryIterator<Value> TriangleIndex<Value>::qbegin(
    const Predicates& predicates) const {
  return const_query_iterator(boost_geometry_internal::SearchFor(
      *boxes_, boost_geometry_internal::AsTuple(predicates)));
}

template <typename Value>
template <typename Predicates, typename OutputIterator>
size_t ExactTriangles<Value>::query(const Predicates& predicates,
                                    OutputIterator out) const {
  const auto found = Find(boost_geometry_internal::AsTuple(predicates));
  for (const Value* value : found) {
    *out = *value;
    ++out;
  }
  return found.size();
}

template <typename Value>
template <typename Predicates>
boost_geometry_internal::QueryIterator<Value> ExactTriangles<Value>::qbegin(
    const Predicates& predicates) const {
  return const_query_iterator(boost_geometry_internal::ListSearch<Value>(
      Find(boost_geometry_internal::AsTuple(predicates))));
}

template <typename Value>
template <typename... Ps>
std::vector<const Value*> ExactTriangles<Value>::Find(
    const std::tuple<Ps...>& all) const {
  namespace internal = boost_geometry_internal;
  std::vector<const Value*> found;
  if (!boxes_->tree) return found;
  if constexpr (internal::NearestAt<Ps...>() < sizeof...(Ps)) {
    return FindNearest(all);
  } else if constexpr (internal::IntersectsAt<Ps...>() < sizeof...(Ps)) {
    // The predicate for which the mesh's tree is queried.
    const auto& first = std::get<internal::IntersectsAt<Ps...>()>(all);
    const Mesh& mesh = boxes_->tree->mesh();
    for (const uint32_t id :
         AllOverlaps(*boxes_->tree,
                     internal::BoundsOfGeometry<double>(first.geometry))) {
      const Value* value = boxes_->ValueOf(id);
      if (sizeof...(Ps) == 1 ||
          internal::FulfilledBy(all, *value, mesh.triangle(id))) {
        found.push_back(value);
      }
    }
    return found;
  } else {
    internal::SpatialSearch<internal::Of::kTriangles, Value, Ps...> search(
        *boxes_, all);
    search.ForEach([&](const Value& value) { found.push_back(&value); });
    std::sort(found.begin(), found.end(), [&](const Value* a, const Value* b) {
      return boxes_->TriangleOf(a) < boxes_->TriangleOf(b);
    });
    return found;
  }
}

template <typename Value>
template <typename... Ps>
std::vector<const Value*> ExactTriangles<Value>::FindNearest(
    const std::tuple<Ps...>& all) const {
  namespace internal = boost_geometry_internal;
  const auto& nearest = std::get<internal::NearestAt<Ps...>()>(all);
  const Vec3 p = ToVec3(nearest.point_or_relation);
  const Mesh& mesh = boxes_->tree->mesh();
  const size_t count = nearest.count;
  std::vector<const Value*> found;
  // Queries more and more of the nearest triangles, until enough of them
  // satisfy the other predicates.
  size_t wanted = std::min(count, mesh.triangle_count());
  while (found.size() < count) {
    found.clear();
    const std::vector<SurfacePoint> points = KNearest(*boxes_->tree, p, wanted);
    for (const SurfacePoint& point : points) {
      const Value* value = boxes_->ValueOf(point.triangle);
      if (!internal::FulfilledBy(all, *value, mesh.triangle(point.triangle))) {
        continue;
      }
      found.push_back(value);
      if (found.size() == count) break;
    }
    if (points.size() < wanted || wanted == mesh.triangle_count()) break;
    wanted = std::min(2 * wanted, mesh.triangle_count());
  }
  return found;
}

}  // namespace orbox

#endif  // ORBOX_BVH_BOOST_GEOMETRY_INDEX_H_
