// SPDX-License-Identifier: Apache-2.0

// When to ask of something that moves how far it is clear, so that later steps
// of its motion need not ask. Private.
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
  // How many steps to look ahead. With more, a look takes longer; with fewer,
  // there are more looks.
  static constexpr double kSteps = 16;
  // What is clear for fewer is near: it would be looked at again at once. A
  // look ends as soon as it has found that.
  static constexpr double kFewestSteps = 2;

  // Whether to do without a look this time, after some that found it near.
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
