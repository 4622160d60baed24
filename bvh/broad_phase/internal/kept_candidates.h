// Pairs that may meet within the next frames, kept as long as that is so: each
// body has a room, its box and where it is going for a while, and the
// candidates are the pairs whose rooms meet (lists of neighbours, Verlet,
// "Computer experiments on classical fluids", 1967). A frame then tests the
// candidates alone, in an order that is sorted already; bodies that have left
// their rooms are looked for one by one. Private.
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
#include "orbox/bvh/broad_phase/internal/mapped_boxes.h"
#include "orbox/bvh/broad_phase/internal/sweep.h"

namespace orbox {

class KeptCandidates {
 public:
  // To be filled for the next Build, by number: within kMapEnd, as all boxes
  // are; Nothing() where no body is.
  MappedBoxes& rooms() { return rooms_; }

  // Starts with these rooms. False, with nothing kept, where they crowd so that
  // there would be too many candidates or too much to do.
  bool Build();

  // Brings `boxes`, by number, up to date with what a frame touched: Nothing()
  // for bodies that are gone or out of their rooms. False where so many are out
  // that the rooms are to be made anew; boxes are then for nothing.
  bool Follow(const Bodies& bodies, const BoxMap& map, MappedBoxes* boxes);

  // After a Follow with true, or Build.
  void FindPairs(const Bodies& bodies, const BoxMap& map,
                 const MappedBoxes& boxes, std::vector<BodyPair>* pairs);

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
