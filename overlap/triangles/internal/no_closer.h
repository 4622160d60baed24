// SPDX-License-Identifier: Apache-2.0

// A certain test that two triangles are no closer than a distance.
//
//   // Distance(s, t).distance >= least
//   if (AreNoCloser(s, t, least)) continue;
//
// Serves searches for the closest of many pairs that are about equally close
// and whose exact distance is costly, for example parallel faces over each
// other. Decides by the distances of the corners of one triangle from the plane
// of the other, in double and, if that is not enough, in double-double. The
// result true is certain; false means undecided. Private.
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
