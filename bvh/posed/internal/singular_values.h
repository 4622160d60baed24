// SPDX-License-Identifier: Apache-2.0

// The least and the largest factor by which a linear map stretches vectors.
// Private.
#ifndef ORBOX_BVH_POSED_INTERNAL_SINGULAR_VALUES_H_
#define ORBOX_BVH_POSED_INTERNAL_SINGULAR_VALUES_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Bounds: `least` is a lower bound, 0 if no larger one is certain. `largest` is
// an upper bound.
struct SingularValues {
  double least;
  double largest;
};

// Returns the singular values of the matrix with these columns (or rows, which
// has equal singular values): the square roots of the eigenvalues of its Gram
// matrix, by Jacobi's rotations (1846). They are within 2^-30 if the values
// differ by a factor of at most 2^8. Requires squares that neither overflow nor
// underflow.
ORBOX_EXPORT SingularValues SingularValuesOf(const Vec3 (&columns)[3]);

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_SINGULAR_VALUES_H_
