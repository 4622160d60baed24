// SPDX-License-Identifier: Apache-2.0

// Bounds the balls inside one solid. Private: a bound for all regions that the
// solid shares with others.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_LARGEST_BALL_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_LARGEST_BALL_H_

#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

// Returns a diameter that no ball inside the solid exceeds: usually that of the
// largest ball and 1/128 of it more; infinity if searches give up. The first
// call for a mesh searches, and the mesh stores the result for all poses. Walls
// inside the solid do not count, except by parity. Requires a closed solid.
double LargestBallIn(const Solid& solid, const Execution& run);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_LARGEST_BALL_H_
