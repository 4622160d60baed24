// SPDX-License-Identifier: Apache-2.0

// Sorts pairs of bodies in ascending order, in linear time. Private.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_SORT_BODY_PAIRS_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_SORT_BODY_PAIRS_H_

#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Sorts by a, then by b. `scratch` is memory that a caller may keep for the
// next call.
ORBOX_EXPORT void SortBodyPairs(std::vector<BodyPair>* pairs,
                                std::vector<BodyPair>* scratch);

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_SORT_BODY_PAIRS_H_
