// How far is a point from a closed surface, and is it inside?
//
//   absl::StatusOr<SignedDistanceField> field =
//       SignedDistanceField::Create(tree);
//   if (!field.ok()) return field.status();     // open, or not facing one way
//   double d = field->Distance(p);              // negative inside, 0 on it
//   bool inside = field->IsInside(p);
//
// Requires a mesh that is closed and oriented: along each edge, as many
// triangles go one way as the other. Which side they face does not matter, nor
// do holes: inside is where a ray to infinity crosses the surface an odd number
// of times. IsInside decides that exactly, for any such mesh and any finite
// point. Distance tells the sign from the closest triangle, by its plane, its
// edge or the pseudonormal of its vertex (surface_sides.h), and where that
// leaves doubt, by the same exact count; so its sign is exact, too, provided
// that the surface does not cross or overlap itself. Where it does, it is that
// of the side which the closest triangle shows. For open meshes, see
// winding_number.h.
//
// The distance itself is that of closest_point.h. A value that shares its data,
// about 50 bytes a triangle beside the tree; immutable and thread-safe. Create
// takes O(n log n).
#ifndef ORBOX_BVH_QUERY_SIGNED_DISTANCE_H_
#define ORBOX_BVH_QUERY_SIGNED_DISTANCE_H_

#include <limits>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class ORBOX_EXPORT SignedDistanceField {
 public:
  // kFailedPrecondition for a mesh that is open or whose triangles do not agree
  // on a front, with the number of edges where that shows; kResourceExhausted.
  static absl::StatusOr<SignedDistanceField> Create(const Tree& tree);

  // As ClosestPoint (closest_point.h), with a negative distance inside.
  std::optional<SurfacePoint> ClosestPoint(
      const Vec3& p,
      double max_distance = std::numeric_limits<double>::infinity(),
      TraversalStatistics* statistics = nullptr) const;

  // NaN for a point that is not finite.
  double Distance(const Vec3& p,
                  TraversalStatistics* statistics = nullptr) const;

  // Strictly inside; points of the surface are not, nor any that is not finite.
  bool IsInside(const Vec3& p, TraversalStatistics* statistics = nullptr) const;

  const Tree& tree() const;

 private:
  struct Data;
  explicit SignedDistanceField(std::shared_ptr<const Data> data)
      : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_SIGNED_DISTANCE_H_
