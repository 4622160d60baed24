// SPDX-License-Identifier: Apache-2.0

// When to ask of something that moves whether more than is asked is clear, so
// that later steps of its motion need not ask. Private.
//
//   if (!look.Pauses()) {
//     const double ahead = look.steps() * step;
//     if (IsAnyWithin(pair, distance + ahead, statistics)) {
//       look.FoundNear();
//     } else {
//       look.FoundClear();          // until it has moved so far
//     }
//   }
#ifndef ORBOX_BVH_SCENE_INTERNAL_LOOK_AHEAD_H_
#define ORBOX_BVH_SCENE_INTERNAL_LOOK_AHEAD_H_

#include <algorithm>

namespace orbox {

class LookAhead {
 public:
  // With more, a look finds more that is near; with fewer, there are more
  // looks.
  static constexpr double kFewestSteps = 4;
  static constexpr double kMostSteps = 32;

  // How many steps to look ahead.
  double steps() const { return steps_; }

  // Whether to do without a look this time, after some that found it near.
  bool Pauses() {
    if (pause_ == 0) return false;
    --pause_;
    return true;
  }
  void FoundNear() {
    steps_ = std::max(steps_ / 2, kFewestSteps);
    pause_ = last_pause_ = std::min(2 * last_pause_ + 1, kLongestPause);
  }
  void FoundClear() {
    steps_ = std::min(steps_ * 2, kMostSteps);
    last_pause_ = 0;
  }

 private:
  static constexpr int kLongestPause = 15;

  double steps_ = kFewestSteps;
  int pause_ = 0;
  int last_pause_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_LOOK_AHEAD_H_
