// SPDX-License-Identifier: Apache-2.0

// Winding number of a point as a sum over patches that cover the surface.
// Patches are refined until the error of the sum is small enough. Private.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_WINDING_SUM_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_WINDING_SUM_H_

#include <span>

#include "orbox/bvh/query/inside/internal/winding_moments.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Implementations of WindingNumberField::At and IsInside (winding_number.h).
// Both require a finite point.
ORBOX_EXPORT double WindingNumberAt(const WindingMoments& moments,
                                    const Vec3& p, double max_error,
                                    const Watch& watch);
bool IsWindingAboveHalf(const WindingMoments& moments, const Vec3& p,
                        const Watch& watch);

// Winding numbers of the patches of some rows about `p`, and bounds of their
// errors, in units of the rows' space. An error is infinite if `p` is too near.
// Both arrays have eight values a row.
ORBOX_EXPORT void SeePatches(std::span<const MomentRow> rows, const Vec3& p,
                             double* numbers, double* errors);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_WINDING_SUM_H_
