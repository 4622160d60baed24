// How often does a surface wind around a point? About 1 inside and 0 outside,
// and in between where the surface has holes: inside and outside for meshes
// that are not closed.
//
//   const WindingNumberField field = WindingNumberField::Of(tree);
//   double w = field.At(p, /*max_error=*/1e-3);
//   bool inside = field.IsInside(p);                   // w > 1/2
//
// The generalised winding number is the sum of the solid angles under which the
// triangles are seen from their backs, over 4 pi (Jacobson, Kavan and
// Sorkine-Hornung, "Robust inside-outside segmentation using generalized
// winding numbers", 2013). What is far away is summed up by its moments (Barill
// et al., "Fast winding numbers for soups and clouds", 2018), of which the
// error is bounded: the value is refined until the sum of all bounds is below
// the error asked for, or tells on which side of 1/2 the number is. So errors
// are those asked for, plus rounding, about 1e-12 but for points that are as
// near to the surface as that.
//
// Any mesh will do, closed or not; triangles have to face outward. For closed
// ones, SignedDistanceField::IsInside (signed_distance.h) is exact, and faster.
// Within its error a value may depend on the tree's build options. Of() takes
// O(n log n) and some 50 bytes a triangle; queries take O(log n) to O(n), by
// how near the surface and the error are. A value that shares its data;
// immutable and thread-safe.
#ifndef ORBOX_BVH_QUERY_WINDING_NUMBER_H_
#define ORBOX_BVH_QUERY_WINDING_NUMBER_H_

#include <memory>
#include <utility>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class ORBOX_EXPORT WindingNumberField {
 public:
  static WindingNumberField Of(const Tree& tree);

  // With an error of at most `max_error`; 0 or less sums over every triangle.
  // Points of the surface have the value of one of its sides, or one between.
  // NaN for a point that is not finite.
  double At(const Vec3& p, double max_error = 1e-3,
            TraversalStatistics* statistics = nullptr) const;

  // Whether the winding number is above 1/2; false for a point that is not
  // finite.
  bool IsInside(const Vec3& p, TraversalStatistics* statistics = nullptr) const;

  const Tree& tree() const;

 private:
  struct Data;
  explicit WindingNumberField(std::shared_ptr<const Data> data)
      : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_WINDING_NUMBER_H_
