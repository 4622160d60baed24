// SPDX-License-Identifier: Apache-2.0

// Common points of two triangles in one plane. Private: the part of contact.h
// whose result is a polygon. Decides by signs in a projection. Each coordinate
// is the exact one, rounded to nearest.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_PLANE_CONTACT_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_PLANE_CONTACT_H_

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/internal/triangle_planes.h"

namespace orbox {

// Requires triangles with area in one plane, and their projection. Raises *used
// to the stage that decided.
TriangleContact ContactInPlane(const Triangle& s, const Triangle& t,
                               const PlaneProjection& in, Arithmetic* used);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_PLANE_CONTACT_H_
