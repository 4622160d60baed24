// SPDX-License-Identifier: Apache-2.0

// Pairs that may overlap within the next frames, kept while that is true. Each
// body has a room: its box, enlarged by its expected path for some frames. The
// candidates are the pairs with overlapping rooms (neighbour lists, Verlet,
// "Computer experiments on classical fluids", 1967). A frame then tests only
// the candidates, in an order that is already sorted. Bodies that have left
// their rooms are searched one by one. Private.
//
//   if (kept.Follow(bodies, map, &boxes)) {
//     kept.FindPairs(bodies, map, boxes, &pairs);
//   } else ...  // time to build it again
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_KEPT_CANDIDATES_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_KEPT_CANDIDATES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/broad_phase/internal/bodies.h"
#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/bvh/broad_phase/internal/columns.h"
#include "orbox/bvh/broad_phase/internal/sweep.h"

namespace orbox {

class KeptCandidates {
 public:
  // Fill the rooms by body number before the next Build: within kMapEnd, like
  // all boxes; Nothing() for absent bodies.
  MappedBoxes& rooms() { return rooms_; }

  // Finds the candidates of these rooms. Returns false and keeps nothing if
  // there would be more than `most_candidates`, or too many steps.
  bool Build(size_t most_candidates);

  // Updates `boxes`, by body number, after a frame. Bodies that are gone or out
  // of their rooms become Nothing(). Returns false if so many are out that
  // rooms have to be rebuilt; `boxes` is then incomplete.
  bool Follow(const Bodies& bodies, const BoxMap& map, MappedBoxes* boxes);

  // Requires that the last Follow or Build returned true.
  void FindPairs(const Bodies& bodies, const BoxMap& map,
                 const MappedBoxes& boxes, std::vector<BodyPair>* pairs);

  // Number of sweep steps that Build took, and number of candidates.
  size_t steps() const { return columns_.steps(); }
  size_t candidates() const { return candidates_.size(); }

 private:
  void FindPairsOfThoseOut(const Bodies& bodies, const BoxMap& map,
                           const MappedBoxes& boxes);

  MappedBoxes rooms_;
  Columns columns_;  // of rooms
  std::vector<BodyPair> candidates_;
  std::vector<BodyId> out_;
  std::vector<uint8_t> is_out_;  // by number
  size_t spent_ = 0;             // on bodies that are out, in bodies and frames
  std::vector<BodyPair> found_;
  std::vector<BodyPair> scratch_;
  SweepRows rows_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_KEPT_CANDIDATES_H_
