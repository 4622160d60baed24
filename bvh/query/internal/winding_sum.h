// SPDX-License-Identifier: Apache-2.0

// The winding number of a point as a sum over patches that cover the surface,
// refined until its error is small enough. Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_WINDING_SUM_H_
#define ORBOX_BVH_QUERY_INTERNAL_WINDING_SUM_H_

#include <span>

#include "orbox/bvh/query/internal/winding_moments.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// As WindingNumberField::At and IsInside (winding_number.h) have it. Both
// require a finite point.
ORBOX_EXPORT double WindingNumberAt(const WindingMoments& moments,
                                    const Vec3& p, double max_error,
                                    const Execution& run);
bool IsWindingAboveHalf(const WindingMoments& moments, const Vec3& p,
                        const Execution& run);

// What `p` sees of the patches of some rows, in units of their space: the
// numbers, and bounds of their errors, infinite where it is too near. Both have
// eight places a row.
ORBOX_EXPORT void SeePatches(std::span<const MomentRow> rows, const Vec3& p,
                             double* numbers, double* errors);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_WINDING_SUM_H_
