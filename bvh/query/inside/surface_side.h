// SPDX-License-Identifier: Apache-2.0

// Sides of a surface that need not be closed, such as a terrain: above is in
// front of its faces, below is behind them.
//
//   const SurfaceSideField field = SurfaceSideField::Of(tree);
//   if (field.Side(p) == SurfaceSide::kAbove) ...
//   auto all = field.Side(points, {.threads = 4});  // a batch
//   if (!all.ok()) return all.status();
//
// A side is not an inside: it says nothing about parts of the surface that are
// farther away. Use signed_distance.h for closed meshes, and winding_number.h
// for solids with holes.
//
// The side of a point p is the sign of the product of p - c with the
// pseudonormal at c, the point of the surface closest to p. The pseudonormal
// within a face is its normal, along an edge the sum of the normals of its
// triangles, and at a vertex the sum of the normals of its triangles, weighted
// by their angles (Baerentzen and Aanaes, "Signed distance computation using
// the angle weighted pseudonormal", 2005). Vertices with equal coordinates are
// one. Neighbours have to face the same way: at an edge that does not have two
// triangles that do, only the closest triangle counts. Beyond a border, the
// plane or the pseudonormal at the border continues the surface. A triangle
// without area takes the pseudonormals of its corners.
//
// Among faces equally far away, the side is that of the one that ClosestPoint
// (closest_point.h) reports. Signs at faces and edges are exact; that at a
// vertex is rounded. For a closed mesh that does not cross itself, kBelow is
// the inside if its faces face outward.
//
// Each query has a form with run options (query_options.h). A batch has the
// results of its single queries, in order. Its errors are those of
// ClosestPoint. Results are absent if the mesh has no triangles.
//
// Costs a closest point each, and O(n log n) for the field, with 30 bytes per
// triangle. Immutable, thread-safe, and cheap to copy, because copies share the
// data.
#ifndef ORBOX_BVH_QUERY_INSIDE_SURFACE_SIDE_H_
#define ORBOX_BVH_QUERY_INSIDE_SURFACE_SIDE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

enum class SurfaceSide : int8_t {
  kBelow = -1,
  kOn = 0,  // on the surface, or level with it beyond its border
  kAbove = 1,
};

class ORBOX_EXPORT SurfaceSideField {
 public:
  // The field of a posed tree has a tree of its own, over the moved vertices. A
  // pose that mirrors keeps the front (query/points/surface_normal.h).
  static SurfaceSideField Of(TreeAtPose tree);

  std::optional<SurfaceSide> Side(const Vec3& p) const;
  absl::StatusOr<std::optional<SurfaceSide>> Side(
      const Vec3& p, const RunOptions& options) const;
  absl::StatusOr<std::vector<std::optional<SurfaceSide>>> Side(
      std::span<const Vec3> points, const RunOptions& options = {}) const;

  // Returns the side of p if its closest point is known.
  SurfaceSide Side(const Vec3& p, const SurfacePoint& closest) const;

  const Tree& tree() const;

 private:
  struct Data;
  std::optional<SurfaceSide> SideAt(
      const Vec3& p, const std::optional<SurfacePoint>& closest) const;
  explicit SurfaceSideField(std::shared_ptr<const Data> data)
      : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_SURFACE_SIDE_H_
