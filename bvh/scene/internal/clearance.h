// SPDX-License-Identifier: Apache-2.0

// How clear a moving part is, from earlier poses: nothing was within a distance
// of it, and it has moved less since. Private.
//
//   Clearance clearance(part.mesh().bounds(), distance);
//   for (const Pose& pose : motion) {
//     clearance.MoveTo(pose);
//     if (clearance.IsCertain()) continue;            // nothing is that near
//     if (clearance.LookAhead(scene, probe, run, &body)) continue;  // nor here
//   }
#ifndef ORBOX_BVH_SCENE_INTERNAL_CLEARANCE_H_
#define ORBOX_BVH_SCENE_INTERNAL_CLEARANCE_H_

#include <algorithm>
#include <optional>

#include "orbox/bvh/scene/internal/motion_bound.h"
#include "orbox/bvh/scene/internal/probe.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class Clearance {
 public:
  // `part` contains the mesh before any pose.
  Clearance(const Aabb& part, double within) : part_(part), within_(within) {}

  // Call this at each pose in turn.
  void MoveTo(const Pose& pose) {
    step_ = has_last_ ? MotionBound(part_, last_, pose) : kInfinity;
    last_ = pose;
    has_last_ = true;
    clear_ = DifferenceBelow(clear_, step_);
  }

  // Whether certainly no body is within the distance.
  bool IsCertain() const { return clear_ > 0; }

  // PosedTree::Create takes this pose if it takes the one before.
  bool IsNextToLast() const { return step_ < kInfinity; }

  // Whether no body is within the distance plus some more, so that later poses
  // are certain. Otherwise `guess` becomes such a body, and the next few poses
  // do not look ahead.
  bool LookAhead(const Scene& scene, const Probe& probe, const Execution& run,
                 BodyId* guess) {
    if (pause_ > 0) {
      --pause_;
      return false;
    }
    const double ahead = steps_ * step_;
    const double reach = SumAbove(within_, ahead);
    if (!(reach < kInfinity)) return false;
    const std::optional<BodyId> near =
        FindWithin(scene, probe, reach, *guess, run);
    if (near) {
      *guess = *near;
      steps_ = std::max(steps_ / 2, kFewestSteps);
      pause_ = last_pause_ = std::min(2 * last_pause_ + 1, kLongestPause);
      return false;
    }
    last_pause_ = 0;
    clear_ = ahead;
    steps_ = std::min(steps_ * 2, kMostSteps);
    return true;
  }

 private:
  // The number of steps of the motion to look ahead. With more, a look finds
  // more that is near; with fewer, there are more looks.
  static constexpr double kFewestSteps = 4;
  static constexpr double kMostSteps = 64;

  static constexpr int kLongestPause = 15;

  Aabb part_;
  double within_;
  Pose last_;
  bool has_last_ = false;
  double step_ = kInfinity;
  double clear_ = -kInfinity;
  double steps_ = kFewestSteps;
  int pause_ = 0;
  int last_pause_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_CLEARANCE_H_
