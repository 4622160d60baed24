// SPDX-License-Identifier: Apache-2.0

// Tests if neighbours in a mesh certainly touch nowhere except at their common
// corners. moving_triangles.h uses them as a filter for triangles with common
// corners. Private.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_NEIGHBORS_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_NEIGHBORS_H_

#include <array>

#include "orbox/overlap/motion/internal/moving_features.h"

namespace orbox {

// Returns true if a plane of fixed direction through the common corner
// separates the other corners of one triangle from those of the other all the
// time. Requires that the common corner is the first of each triangle. For both
// functions, coordinates must be at most 1 in magnitude.
bool StayApartAtCorner(const std::array<MovingPoint, 3>& s,
                       const std::array<MovingPoint, 3>& t);

// Returns true if a plane through the common edge, which rotates with it,
// separates the third corners all the time. Requires that the common edge is
// between the first two corners of each triangle.
bool StayApartAtEdge(const std::array<MovingPoint, 3>& s,
                     const std::array<MovingPoint, 3>& t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_NEIGHBORS_H_
