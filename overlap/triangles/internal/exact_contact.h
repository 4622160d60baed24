// SPDX-License-Identifier: Apache-2.0

// The last stage of contact.h: common points of triangles, decided by the
// ladder. Private. Each coordinate is the exact one, rounded to nearest. Raises
// *used to the stage that decided.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_CONTACT_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_CONTACT_H_

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/internal/triangle_planes.h"

namespace orbox {

// Returns the common points of two triangles in one plane: a polygon. Decides
// by signs in a projection. Each coordinate is the exact one, rounded to
// nearest. Requires triangles with area in one plane, and their projection.
// Raises *used to the stage that decided.
TriangleContact ContactInPlane(const Triangle& s, const Triangle& t,
                               const PlaneProjection& in, Arithmetic* used);

}  // namespace orbox

namespace orbox::exact {

// Requires sorted triangles (triangle_order.h), one of them without area. For
// two triangles with area in one plane, see ContactInPlane.
TriangleContact ContactOf(const Triangle& s, const Triangle& t,
                          Arithmetic* used);

// Requires a sorted triangle.
bool Contains(const Triangle& t, const Vec3& p, Arithmetic* used);

// Returns the point in which the edge pq crosses the plane of t. Requires p and
// q strictly on opposite sides of the plane.
Vec3 CrossingPoint(const Vec3& p, const Vec3& q, const Triangle& t,
                   Arithmetic* used);

}  // namespace orbox::exact

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_CONTACT_H_
