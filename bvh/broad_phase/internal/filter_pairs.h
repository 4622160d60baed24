// SPDX-License-Identifier: Apache-2.0

// Filters a list of pairs for those that overlap. Private.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_FILTER_PAIRS_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_FILTER_PAIRS_H_

#include <span>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/broad_phase/internal/bodies.h"
#include "orbox/bvh/broad_phase/internal/box_map.h"

namespace orbox {

// Sets `pairs` to the candidates whose boxes overlap, in their order. `exact`
// decides for boxes that touch.
void KeepMeeting(std::span<const BodyPair> candidates, const MappedBoxes& boxes,
                 const Bodies& exact, std::vector<BodyPair>* pairs);

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_FILTER_PAIRS_H_
