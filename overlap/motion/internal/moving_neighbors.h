// SPDX-License-Identifier: Apache-2.0

// A test if neighbours in a mesh certainly touch nowhere except at their common
// corners. The filter of moving_triangles.h for triangles with common corners.
// Private.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_NEIGHBORS_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_NEIGHBORS_H_

#include <array>

#include "orbox/overlap/motion/internal/moving_features.h"

namespace orbox {

// Requires two triangles whose first corners are common. Returns true if a
// plane of fixed direction through the common corner has the other corners of
// one triangle on one side and those of the other on the other side all the
// time. Here and below, coordinates must be at most 1 in magnitude.
bool StayApartAtCorner(const std::array<MovingPoint, 3>& s,
                       const std::array<MovingPoint, 3>& t);

// Requires two triangles with a common edge between the first two corners of
// each. Returns true if a plane through this edge, which rotates with it,
// separates the third corners all the time.
bool StayApartAtEdge(const std::array<MovingPoint, 3>& s,
                     const std::array<MovingPoint, 3>& t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_NEIGHBORS_H_
