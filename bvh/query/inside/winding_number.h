// SPDX-License-Identifier: Apache-2.0

// Generalised winding numbers: the number of times that a surface winds around
// a point. About 1 inside and 0 outside; values between 0 and 1 near holes. A
// test of inside or outside for meshes that are not closed.
//
//   const WindingNumberField field = WindingNumberField::Of(tree);
//   double w = field.At(p, /*max_error=*/1e-6);
//   bool inside = field.IsInside(p);                // w > 1/2
//   auto all = field.IsInside(points, {.threads = 4});  // a batch
//   if (!all.ok()) return all.status();
//
// The generalised winding number is the sum of the solid angles under which the
// triangles are seen from their backs, over 4 pi (Jacobson, Kavan and
// Sorkine-Hornung, "Robust inside-outside segmentation using generalized
// winding numbers", 2013). Groups of triangles far away are approximated by
// their moments, with an error bound (Barill et al., "Fast winding numbers for
// soups and clouds", 2018). At refines the value until the sum of all error
// bounds is below the permitted error. IsInside refines it until the number is
// certainly above or below 1/2. Sides of faces are decided exactly. The error
// is at most the permitted one plus rounding: about 1e-12, except for points
// that close to an edge. Within it, a value may depend on the tree's build.
//
// Any mesh is allowed; its triangles have to face outward. IsInside and
// WindingNumber of inside.h are exact, and faster, for closed meshes.
//
// Each query has a form with run options (query_options.h). A batch has the
// results of its single queries, in order. Its errors are those of
// query_options.h, and kInvalidArgument for more than 2^32 - 1 points.
//
// Cost: creation takes O(n log n) and about 50 bytes per triangle. Queries take
// O(log n) to O(n), more for points near the surface and for small errors.
// Immutable, thread-safe, and cheap to copy, because copies share the data.
#ifndef ORBOX_BVH_QUERY_INSIDE_WINDING_NUMBER_H_
#define ORBOX_BVH_QUERY_INSIDE_WINDING_NUMBER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class ORBOX_EXPORT WindingNumberField {
 public:
  // The field of a posed tree has a tree of its own, over the moved vertices.
  // If the pose mirrors, triangles that face outward face inward in the field:
  // its numbers have the opposite sign.
  static WindingNumberField Of(TreeAtPose tree);

  // Upper bound of the error of a value, unless another one is given.
  static constexpr double kMaxError = 1e-3;

  // Returns the winding number about p. For a point of the surface, this is the
  // value of one of its sides or a value between them. If max_error is 0 or
  // less, all triangles are summed.
  double At(const Vec3& p, double max_error = kMaxError) const;
  absl::StatusOr<double> At(const Vec3& p, double max_error,
                            const RunOptions& options) const;
  absl::StatusOr<std::vector<double>> At(std::span<const Vec3> points,
                                         double max_error,
                                         const RunOptions& options = {}) const;
  absl::StatusOr<std::vector<double>> At(std::span<const Vec3> points,
                                         const RunOptions& options = {}) const {
    return At(points, kMaxError, options);
  }

  // Returns true if the winding number is above 1/2. The results of a batch are
  // 1 or 0.
  bool IsInside(const Vec3& p) const;
  absl::StatusOr<bool> IsInside(const Vec3& p, const RunOptions& options) const;
  absl::StatusOr<std::vector<uint8_t>> IsInside(
      std::span<const Vec3> points, const RunOptions& options = {}) const;

  const Tree& tree() const;

 private:
  struct Data;
  explicit WindingNumberField(std::shared_ptr<const Data> data)
      : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_WINDING_NUMBER_H_
