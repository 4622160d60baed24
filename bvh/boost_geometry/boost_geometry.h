// SPDX-License-Identifier: Apache-2.0

// Orbox for users of Boost.Geometry, in one header.
//
//   // In place of bgi::rtree<Value, bgi::rstar<16>> index(values):
//   orbox::TriangleIndex<Value> index(tree);
//
//   auto hit = ClosestPoint(tree, boost_point);
//   std::vector<uint32_t> ids = AllOverlaps(tree, boost_box);
//
// boost_geometry/concepts.h: our types registered as Boost.Geometry's.
// boost_geometry/index.h: a stand-in for bgi::rtree over triangles.
//
// This header declares queries that take any point or box of Boost.Geometry in
// three cartesian dimensions. They convert the point or box to double and call
// the queries of these names (query/*.h). The conversion is exact for
// coordinates in float, double or int32_t. Otherwise a point is rounded to
// nearest and a box outward, so that no overlapping triangle is missed.
//
// This header needs Boost; bvh.h does not.
#ifndef ORBOX_BVH_BOOST_GEOMETRY_BOOST_GEOMETRY_H_
#define ORBOX_BVH_BOOST_GEOMETRY_BOOST_GEOMETRY_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/boost_geometry/concepts.h"  // IWYU pragma: export
#include "orbox/bvh/boost_geometry/index.h"     // IWYU pragma: export
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Excludes our own types, which the queries take directly.
template <typename G>
concept ForeignPoint = BoostPoint<G> && !std::same_as<G, Vec3>;
template <typename G>
concept ForeignBox = BoostBox<G> && !std::same_as<G, Aabb>;

template <ForeignPoint P>
std::optional<SurfacePoint> ClosestPoint(
    const Tree& tree, const P& p,
    double max_distance = std::numeric_limits<double>::infinity()) {
  return ClosestPoint(tree, ToVec3(p), max_distance);
}

template <ForeignPoint P>
std::vector<SurfacePoint> KNearest(
    const Tree& tree, const P& p, size_t k,
    double max_distance = std::numeric_limits<double>::infinity()) {
  return KNearest(tree, ToVec3(p), k, max_distance);
}

template <ForeignBox B>
bool AnyOverlap(const Tree& tree, const B& box) {
  return AnyOverlap(tree, Region(ToAabb(box)));
}
template <ForeignBox B>
absl::StatusOr<bool> AnyOverlap(const Tree& tree, const B& box,
                                const RunOptions& options) {
  return AnyOverlap(tree, Region(ToAabb(box)), options);
}

template <ForeignBox B>
size_t CountOverlaps(const Tree& tree, const B& box) {
  return CountOverlaps(tree, Region(ToAabb(box)));
}
template <ForeignBox B>
absl::StatusOr<size_t> CountOverlaps(const Tree& tree, const B& box,
                                     const RunOptions& options) {
  return CountOverlaps(tree, Region(ToAabb(box)), options);
}

template <ForeignBox B>
std::vector<uint32_t> AllOverlaps(const Tree& tree, const B& box) {
  return AllOverlaps(tree, Region(ToAabb(box)));
}
template <ForeignBox B>
absl::StatusOr<std::vector<uint32_t>> AllOverlaps(const Tree& tree,
                                                  const B& box,
                                                  const RunOptions& options) {
  return AllOverlaps(tree, Region(ToAabb(box)), options);
}

template <ForeignBox B>
void VisitOverlaps(const Tree& tree, const B& box, TriangleVisitor visitor) {
  VisitOverlaps(tree, Region(ToAabb(box)), visitor);
}
template <ForeignBox B>
absl::Status VisitOverlaps(const Tree& tree, const B& box,
                           TriangleVisitor visitor, const RunOptions& options) {
  return VisitOverlaps(tree, Region(ToAabb(box)), visitor, options);
}

template <ForeignBox B>
void AppendOverlaps(const Tree& tree, const B& box, std::vector<uint32_t>* ids,
                    IdOrder order = IdOrder::kAscending) {
  AppendOverlaps(tree, Region(ToAabb(box)), ids, order);
}
template <ForeignBox B>
absl::Status AppendOverlaps(const Tree& tree, const B& box,
                            std::vector<uint32_t>* ids, IdOrder order,
                            const RunOptions& options) {
  return AppendOverlaps(tree, Region(ToAabb(box)), ids, order, options);
}

}  // namespace orbox

#endif  // ORBOX_BVH_BOOST_GEOMETRY_BOOST_GEOMETRY_H_
