// SPDX-License-Identifier: Apache-2.0

// By how much a linear map lengthens vectors, at least and at most. Private.
#ifndef ORBOX_BVH_POSED_INTERNAL_SINGULAR_VALUES_H_
#define ORBOX_BVH_POSED_INTERNAL_SINGULAR_VALUES_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Bounds: `least` from below, 0 where it is not certain that there is more;
// `largest` from above.
struct SingularValues {
  double least;
  double largest;
};

// The singular values of the matrix with these columns (or rows, which is the
// same): the square roots of the eigenvalues of its Gram matrix, by Jacobi's
// rotations (1846), to within 2^-30 where the values are not more than 2^8
// apart. Requires squares that neither overflow nor underflow.
ORBOX_EXPORT SingularValues SingularValuesOf(const Vec3 (&columns)[3]);

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_SINGULAR_VALUES_H_
