// SPDX-License-Identifier: Apache-2.0

// Are two triangles certainly no closer than a distance?
//
//   // Distance(s, t).distance >= least
//   if (AreNoCloser(s, t, least)) continue;
//
// For searches for the closest of many pairs that are about as close as each
// other: parallel faces that lie over each other, say, whose distance is costly
// to find. The plane of either triangle tells, by how far the other's corners
// are from it: in double and, where that is not enough, in double-double. Yes
// is certain; no says nothing. Private.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_NO_CLOSER_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_NO_CLOSER_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Whether the exact distance certainly rounds to `distance` or more.
ORBOX_EXPORT bool AreNoCloser(const Triangle& s, const Triangle& t,
                              double distance);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_NO_CLOSER_H_
