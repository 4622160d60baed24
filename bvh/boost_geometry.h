// Orbox for users of Boost.Geometry, in one header.
//
//   // In place of bgi::rtree<Value, bgi::rstar<16>> index(values):
//   orbox::TriangleIndex<Value> index(tree);
//
//   auto hit = ClosestPoint(tree, boost_point);
//   std::vector<uint32_t> ids = CollectInRange(tree, boost_box);
//
// boost_geometry/concepts.h: our types registered as Boost.Geometry's.
// boost_geometry/index.h: a stand-in for bgi::rtree over triangles.
// Here: queries that take any point or box of Boost.Geometry in three cartesian
// dimensions. They answer as the queries of the same names (query/*.h) for the
// point or box in double. That is the same one if its coordinates are float,
// double or int32_t. Otherwise the point is rounded to nearest and the box
// outward, so that no overlapping triangle is missed.
//
// This header needs Boost; bvh.h does not.
#ifndef ORBOX_BVH_BOOST_GEOMETRY_H_
#define ORBOX_BVH_BOOST_GEOMETRY_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "orbox/bvh/boost_geometry/concepts.h"  // IWYU pragma: export
#include "orbox/bvh/boost_geometry/index.h"     // IWYU pragma: export
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/k_nearest.h"
#include "orbox/bvh/query/range.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// The queries themselves take our types.
template <typename G>
concept ForeignPoint = BoostPoint<G> && !std::same_as<G, Vec3>;
template <typename G>
concept ForeignBox = BoostBox<G> && !std::same_as<G, Aabb>;

template <ForeignPoint P>
std::optional<SurfacePoint> ClosestPoint(
    const Tree& tree, const P& p,
    double max_distance = std::numeric_limits<double>::infinity(),
    TraversalStatistics* statistics = nullptr) {
  return ClosestPoint(tree, ToVec3(p), max_distance, statistics);
}

template <ForeignPoint P>
std::vector<SurfacePoint> KNearest(
    const Tree& tree, const P& p, size_t k,
    double max_distance = std::numeric_limits<double>::infinity(),
    TraversalStatistics* statistics = nullptr) {
  return KNearest(tree, ToVec3(p), k, max_distance, statistics);
}

template <ForeignBox B>
void VisitRange(const Tree& tree, const B& box, TriangleVisitor visitor,
                TraversalStatistics* statistics = nullptr) {
  VisitRange(tree, ToAabb(box), visitor, statistics);
}

template <ForeignBox B>
std::vector<uint32_t> CollectInRange(
    const Tree& tree, const B& box, TraversalStatistics* statistics = nullptr) {
  return CollectInRange(tree, ToAabb(box), statistics);
}

template <ForeignBox B>
void AppendInRange(const Tree& tree, const B& box, std::vector<uint32_t>* ids,
                   IdOrder order = IdOrder::kAscending,
                   TraversalStatistics* statistics = nullptr) {
  AppendInRange(tree, ToAabb(box), ids, order, statistics);
}

template <ForeignBox B>
size_t CountInRange(const Tree& tree, const B& box,
                    TraversalStatistics* statistics = nullptr) {
  return CountInRange(tree, ToAabb(box), statistics);
}

template <ForeignBox B>
bool AnyInRange(const Tree& tree, const B& box,
                TraversalStatistics* statistics = nullptr) {
  return AnyInRange(tree, ToAabb(box), statistics);
}

}  // namespace orbox

#endif  // ORBOX_BVH_BOOST_GEOMETRY_H_
