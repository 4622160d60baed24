// SPDX-License-Identifier: Apache-2.0

// Do neighbours in a mesh certainly touch nowhere except at their common
// corners? The filter of moving_triangles.h for triangles with common corners.
// Private.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_NEIGHBORS_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_NEIGHBORS_H_

#include <array>

#include "orbox/overlap/motion/internal/moving_features.h"

namespace orbox {

// For two triangles with a common corner, the first of each: whether a plane
// through it, of fixed direction, has the other corners of one on one side and
// those of the other on the other side all the time. Requires coordinates of at
// most 1 in magnitude, here and below.
bool StayApartAtCorner(const std::array<MovingPoint, 3>& s,
                       const std::array<MovingPoint, 3>& t);

// For two with a common edge, between the first two corners of each: whether a
// plane through it, which turns with it, separates the third corners all the
// time.
bool StayApartAtEdge(const std::array<MovingPoint, 3>& s,
                     const std::array<MovingPoint, 3>& t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_NEIGHBORS_H_
