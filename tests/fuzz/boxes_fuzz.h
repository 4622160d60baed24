// SPDX-License-Identifier: Apache-2.0

// Differential fuzzing of broad phases: boxes come, move and go from frame to
// frame, and every kind finds the pairs that comparing all of them finds. A
// violation aborts.
#ifndef ORBOX_TESTS_FUZZ_BOXES_FUZZ_H_
#define ORBOX_TESTS_FUZZ_BOXES_FUZZ_H_

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include "orbox/bvh/broad_phases/broad_phases.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/require.h"
#include "tests/support/moving_boxes.h"

namespace orbox {

// One broad phase of each kind, all with equal updates.
class EveryPhase {
 public:
  EveryPhase() {
    for (const BroadPhaseRow& row : kBroadPhases) {
      phases_.push_back(MakeBroadPhase(row.kind));
    }
  }

  void Check(const moving_boxes::Boxes& boxes, unsigned seed);

 private:
  std::vector<std::unique_ptr<BroadPhase>> phases_;
  moving_boxes::Boxes before_;
};

// Boxes alone: more of them than there are bodies with triangles.
void FuzzBoxes(FuzzInput& in);

// Implementation.

inline void EveryPhase::Check(const moving_boxes::Boxes& boxes, unsigned seed) {
  const std::vector<BodyPair> expected = moving_boxes::Pairs(boxes);
  for (size_t i = 0; i < phases_.size(); ++i) {
    moving_boxes::ApplyChanges(before_, boxes, seed, phases_[i].get());
    const std::span<const BodyPair> pairs = phases_[i]->pairs();
    const bool is_right = std::equal(pairs.begin(), pairs.end(),
                                     expected.begin(), expected.end());
    if (!is_right) std::fprintf(stderr, "%s\n", kBroadPhases[i].name.data());
    Require(is_right, "which boxes meet, whatever the broad phase");
  }
  before_ = boxes;
}

inline void FuzzBoxes(FuzzInput& in) {
  EveryPhase phases;
  moving_boxes::Boxes boxes;
  const auto any_box = [&in] {
    const Vec3 p = in.Point();
    const Vec3 q = in.Below(2) == 0 ? p + Abs(in.Direction()) : in.Point();
    return Aabb{Min(p, q), Max(p, q)};
  };
  for (int frame = 0; frame < 6 && !in.is_at_end(); ++frame) {
    for (size_t n = in.Below(32); n > 0 && !in.is_at_end(); --n) {
      const BodyId body = static_cast<BodyId>(in.Below(48));
      const auto at = boxes.find(body);
      if (at != boxes.end() && in.Below(4) == 0) {
        boxes.erase(at);
        continue;
      }
      Aabb box = any_box();
      if (at != boxes.end() && in.Below(2) == 0) {
        const Vec3 by = in.Direction() * 0.125;
        box = {at->second.lo + by, at->second.hi + by};
      }
      if (IsValid(box)) boxes[body] = box;
    }
    phases.Check(boxes, in.Byte());
  }
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_BOXES_FUZZ_H_
