// SPDX-License-Identifier: Apache-2.0

// Signed distances of points to a closed surface.
//
//   absl::StatusOr<SignedDistanceField> field =
//       SignedDistanceField::Create(tree);
//   if (!field.ok()) return field.status();  // open: close_holes.h may help
//   double d = field->Distance(p);           // negative inside, 0 on it
//   bool inside = field->IsInside(p);
//   auto all = field->Distance(points, {.threads = 4});  // a batch
//   if (!all.ok()) return all.status();
//
// Requires a closed mesh. Inside is defined in inside.h: by a winding number
// that is not 0. Parity decides instead if the rule of the field is kParity, or
// if the faces of the mesh do not agree (DoFacesAgree, inside_rule.h).
//
// The distance is that of closest_point.h, to the surface of the mesh. If
// shells overlap, that includes walls within their union: a point near such a
// wall has a small negative distance, however far it is from the outside.
// DistanceToBoundary ignores walls: it is the distance to the end of the
// inside. Usually its bounds are the two doubles next to the exact distance.
// The exception is a point inside that is closest to a wall or to a triangle
// that crosses another one. Its bounds differ by about 2^-32 of the mesh's
// size, and 2^-45 of its largest coordinate.
//
// ClosestPoint and Distance find the sign from the closest triangle: from its
// plane, its edge or the pseudonormal of its vertex, and from the sides on
// which the inside is. If that leaves the sign undecided, or if the closest
// triangle crosses, touches or covers another one, an exact winding number
// decides. If faces do not agree, an exact count of crossings decides each
// sign, and distances to the boundary are those to the surface. So the sign is
// exact for every closed mesh. Use winding_number.h for open meshes.
//
// Each query has a form with run options (query_options.h). A batch has the
// results of its single queries, in order. Its errors are those of
// query_options.h, and kInvalidArgument for more than 2^32 - 1 points.
//
// Immutable, thread-safe, and cheap to copy, because copies share the data:
// about 30 bytes per triangle in addition to the tree. Create finds the
// self-intersections. It takes O(n log n), about twice as long as the build of
// the tree if few triangles cross others.
#ifndef ORBOX_BVH_QUERY_INSIDE_SIGNED_DISTANCE_H_
#define ORBOX_BVH_QUERY_INSIDE_SIGNED_DISTANCE_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/distance_bounds.h"

namespace orbox {

struct Watch;

class ORBOX_EXPORT SignedDistanceField {
 public:
  // Creates a field. Returns kFailedPrecondition, with the number of open
  // edges, for an open mesh; or kResourceExhausted. The field of a posed tree
  // builds a tree over the moved vertices.
  static absl::StatusOr<SignedDistanceField> Create(
      TreeAtPose tree, InsideRule rule = InsideRule::kWinding);

  // Returns a field of the same mesh with another rule. It shares all data.
  SignedDistanceField With(InsideRule rule) const { return {data_, rule}; }

  // Closest points, as returned by ClosestPoint (closest_point.h), with a
  // negative distance inside.
  std::optional<SurfacePoint> ClosestPoint(
      const Vec3& p, double max_distance = kNoLimit) const;
  absl::StatusOr<std::optional<SurfacePoint>> ClosestPoint(
      const Vec3& p, double max_distance, const RunOptions& options) const;
  absl::StatusOr<std::vector<std::optional<SurfacePoint>>> ClosestPoint(
      std::span<const Vec3> points, double max_distance,
      const RunOptions& options = {}) const;
  absl::StatusOr<std::vector<std::optional<SurfacePoint>>> ClosestPoint(
      std::span<const Vec3> points, const RunOptions& options = {}) const {
    return ClosestPoint(points, kNoLimit, options);
  }

  // The distance of ClosestPoint; NaN if ClosestPoint finds nothing.
  double Distance(const Vec3& p, double max_distance = kNoLimit) const;
  absl::StatusOr<double> Distance(const Vec3& p, double max_distance,
                                  const RunOptions& options) const;
  absl::StatusOr<std::vector<double>> Distance(
      std::span<const Vec3> points, double max_distance,
      const RunOptions& options = {}) const;
  absl::StatusOr<std::vector<double>> Distance(
      std::span<const Vec3> points, const RunOptions& options = {}) const {
    return Distance(points, kNoLimit, options);
  }

  // Encloses the signed distance to the boundary of the solid. Negative inside
  // and for points on walls. {0, 0} only for points on the boundary. `upper` is
  // 0 if p is on the surface and may be on the boundary. The first point that
  // needs the walls finds and stores them, in O(n log n).
  DistanceInterval DistanceToBoundary(const Vec3& p) const;
  absl::StatusOr<DistanceInterval> DistanceToBoundary(
      const Vec3& p, const RunOptions& options) const;
  absl::StatusOr<std::vector<DistanceInterval>> DistanceToBoundary(
      std::span<const Vec3> points, const RunOptions& options = {}) const;

  // Returns true if p is strictly inside, as IsInside of inside.h does. The
  // results of a batch are 1 or 0.
  bool IsInside(const Vec3& p) const;
  absl::StatusOr<bool> IsInside(const Vec3& p, const RunOptions& options) const;
  absl::StatusOr<std::vector<uint8_t>> IsInside(
      std::span<const Vec3> points, const RunOptions& options = {}) const;

  const Tree& tree() const;

 private:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  struct Data;
  SignedDistanceField(std::shared_ptr<const Data> data, InsideRule rule)
      : data_(std::move(data)), rule_(rule) {}

  std::optional<SurfacePoint> Find(const Vec3& p, double max_distance,
                                   const Watch& watch) const;
  DistanceInterval FindToBoundary(const Vec3& p, const Watch& watch) const;

  std::shared_ptr<const Data> data_;
  InsideRule rule_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_SIGNED_DISTANCE_H_
