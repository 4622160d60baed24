// SPDX-License-Identifier: Apache-2.0

// The boxes of the bodies of a broad phase, by number, the bodies that a frame
// has changed, and samples of bodies. A call that throws changes nothing.
// Private.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_BODIES_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_BODIES_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/base/require.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class Bodies {
 public:
  void Insert(BodyId body, const Aabb& box) {
    if (body >= states_.size()) {
      // States are resized last, because they define which numbers exist.
      boxes_.resize(size_t{body} + 1);
      states_.resize(size_t{body} + 1);
    }
    RequireThat(!Contains(body), "BroadPhase::Insert", "the body is there",
                "call Move for its new box");
    Touch(body);
    states_[body] |= kPresent;
    ++count_;
    boxes_[body] = box;
  }
  void Move(BodyId body, const Aabb& box) {
    RequirePresent(body, "BroadPhase::Move");
    Touch(body);
    boxes_[body] = box;
  }
  void Remove(BodyId body) {
    RequirePresent(body, "BroadPhase::Remove");
    Touch(body);
    states_[body] &= ~kPresent;
    --count_;
  }

  bool Contains(BodyId body) const {
    return body < states_.size() && (states_[body] & kPresent) != 0;
  }
  // Requires Contains(body).
  const Aabb& box(BodyId body) const { return boxes_[body]; }

  // The number of bodies, and the highest number ever used plus one.
  size_t count() const { return count_; }
  BodyId id_end() const { return static_cast<BodyId>(states_.size()); }

  // Returns the bodies inserted, moved or removed since the last ForgetTouched,
  // each once, in the order of the calls.
  const std::vector<BodyId>& touched() const { return touched_; }
  // Marks all present bodies as moved.
  void TouchAll() {
    for (BodyId body = 0; body < id_end(); ++body) {
      if (Contains(body)) Touch(body);
    }
  }
  void ForgetTouched() {
    for (const BodyId body : touched_) states_[body] &= ~kTouched;
    touched_.clear();
  }

 private:
  static constexpr uint8_t kPresent = 1;
  static constexpr uint8_t kTouched = 2;

  void RequirePresent(BodyId body, const char* where) const {
    RequireThat(Contains(body), where, "the body is not there",
                "call Insert first");
  }

  void Touch(BodyId body) {
    if ((states_[body] & kTouched) != 0) return;
    touched_.push_back(body);
    states_[body] |= kTouched;
  }

  std::vector<Aabb> boxes_;
  std::vector<uint8_t> states_;
  std::vector<BodyId> touched_;
  size_t count_ = 0;
};

// A deterministic sample of the bodies, for estimates.
class BodySample {
 public:
  // About `wanted` of `count` bodies; all if there are no more.
  BodySample(size_t wanted, size_t count)
      : limit_(wanted >= count
                   ? std::numeric_limits<uint32_t>::max()
                   : static_cast<uint32_t>(
                         (static_cast<uint64_t>(wanted) << 32) / count)) {}

  // Multiples of the golden ratio are spread evenly, so that no period of the
  // body numbers biases the sample (Knuth, "The Art of Computer Programming",
  // volume 3, 6.4).
  bool Has(BodyId body) const { return body * 0x9e3779b1u <= limit_; }

 private:
  uint32_t limit_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_BODIES_H_
