// SPDX-License-Identifier: Apache-2.0

// A certain test that two triangles are no closer than a distance.
//
//   // Distance(s, t).distance >= least
//   if (AreNoCloser(s, t, least)) continue;
//
// For searches for the closest of many pairs that are about equally close, for
// example parallel faces over each other, whose exact distance is costly. The
// distances of the corners of one triangle from the plane of the other decide:
// in double and, if that is not enough, in double-double. True is certain;
// false says nothing. Private.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_NO_CLOSER_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_NO_CLOSER_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Returns true if the exact distance certainly rounds to `distance` or more.
ORBOX_EXPORT bool AreNoCloser(const Triangle& s, const Triangle& t,
                              double distance);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_NO_CLOSER_H_
