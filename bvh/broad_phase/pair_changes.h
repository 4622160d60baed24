// SPDX-License-Identifier: Apache-2.0

// Pairs that begin, stay and end from one frame to the next.
//
//   PairChanges changes = ChangesOf(before, phase->pairs());
//   for (const BodyPair& p : changes.begun) ...
//
// Pure and thread-safe.
#ifndef ORBOX_BVH_BROAD_PHASE_PAIR_CHANGES_H_
#define ORBOX_BVH_BROAD_PHASE_PAIR_CHANGES_H_

#include <span>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Each list ascends.
struct PairChanges {
  std::vector<BodyPair> begun;
  std::vector<BodyPair> staying;
  std::vector<BodyPair> ended;
};

// Returns the differences of two lists of pairs. Requires lists that ascend
// without duplicates, as BroadPhase::pairs() do. O(pairs).
ORBOX_EXPORT PairChanges ChangesOf(std::span<const BodyPair> before,
                                   std::span<const BodyPair> after);

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_PAIR_CHANGES_H_
