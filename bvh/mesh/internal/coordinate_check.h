// SPDX-License-Identifier: Apache-2.0

// Checks that vertices are in the range of numbers of models (shapes/range.h),
// and reports those that are not.
//
//   CoordinateCheck check;
//   for (size_t i = 0; i < vertices.size(); ++i) check.Add(i, vertices[i]);
//   if (!check.ok()) return check.Error("is", vertices.size());
#ifndef ORBOX_BVH_MESH_INTERNAL_COORDINATE_CHECK_H_
#define ORBOX_BVH_MESH_INTERNAL_COORDINATE_CHECK_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/range.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::mesh_internal {

// Returns the limit and the remedy for numbers up to `largest`: "coordinates
// are at most 2^200 (1.6e60) in size: scale the model by 2^-33".
ORBOX_EXPORT std::string RangeAdvice(double largest);
ORBOX_EXPORT std::string RangeAdvice(const Vec3& p);

class ORBOX_EXPORT CoordinateCheck {
 public:
  // Requires ascending `i`.
  void Add(size_t i, const Vec3& p) {
    if (IsBeyond(p)) AddOffender(i, p);
  }
  bool ok() const { return offenders_ == 0; }
  // Returns kInvalidArgument with the message "vertex 3 <verb> (1e70, 0, 0),
  // and ...". It also states how many of the `count` vertices are out of range.
  // Requires !ok().
  absl::Status Error(std::string_view verb, size_t count) const;

 private:
  void AddOffender(size_t i, const Vec3& p);

  size_t first_ = 0;
  Vec3 point_;
  size_t offenders_ = 0;
  bool is_finite_ = true;
  double largest_ = 0;  // largest magnitude of finite coordinates of offenders
};

// Returns OK, or the error of a check of all vertices.
ORBOX_EXPORT absl::Status CheckCoordinates(std::string_view verb,
                                           std::span<const Vec3> vertices);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_COORDINATE_CHECK_H_
