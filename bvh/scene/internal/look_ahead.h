// SPDX-License-Identifier: Apache-2.0

// Decides when to compute the clearance of something that moves. A large
// clearance saves the queries of the next steps of the motion. Private.
//
//   if (!look.Pauses()) {
//     const double reach = distance + LookAhead::kSteps * step;
//     const double least = distance + LookAhead::kFewestSteps * step;
//     const double apart = RoughDistance(a, b, least, reach, statistics);
//     if (apart > least) {
//       look.FoundClear();          // until it has moved by apart - distance
//     } else {
//       look.FoundNear();
//     }
//   }
#ifndef ORBOX_BVH_SCENE_INTERNAL_LOOK_AHEAD_H_
#define ORBOX_BVH_SCENE_INTERNAL_LOOK_AHEAD_H_

#include <algorithm>

namespace orbox {

class LookAhead {
 public:
  // Number of steps to look ahead. With more, each look takes longer. With
  // fewer, more looks are necessary.
  static constexpr double kSteps = 16;
  // A clearance of fewer steps counts as near, because it would have to be
  // computed again immediately. A look ends as soon as it detects this.
  static constexpr double kFewestSteps = 2;

  // Returns true if the caller should skip this look. Looks are skipped for a
  // while after one that found something near.
  bool Pauses() {
    if (pause_ == 0) return false;
    --pause_;
    return true;
  }
  void FoundNear() {
    pause_ = last_pause_ = std::min(2 * last_pause_ + 1, kLongestPause);
  }
  void FoundClear() { last_pause_ = 0; }

 private:
  static constexpr int kLongestPause = 15;

  int pause_ = 0;
  int last_pause_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_LOOK_AHEAD_H_
