// SPDX-License-Identifier: Apache-2.0

// The smallest and the largest factor by which a linear map stretches vectors.
// Private.
#ifndef ORBOX_BVH_POSED_INTERNAL_SINGULAR_VALUES_H_
#define ORBOX_BVH_POSED_INTERNAL_SINGULAR_VALUES_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// `least` is a lower bound, or 0 if no larger bound is certain. `largest` is an
// upper bound.
struct SingularValues {
  double least;
  double largest;
};

// Returns the singular values of the matrix with these columns (or rows, which
// gives equal singular values). They are the square roots of the eigenvalues of
// its Gram matrix, computed by Jacobi's rotations (1846). The bounds are within
// 2^-30 if the values differ by a factor of at most 2^8. Requires squares that
// neither overflow nor underflow.
ORBOX_EXPORT SingularValues SingularValuesOf(const Vec3 (&columns)[3]);

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_SINGULAR_VALUES_H_
