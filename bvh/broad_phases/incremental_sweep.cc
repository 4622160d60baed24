// SPDX-License-Identifier: Apache-2.0

// Sweep and prune that keeps its pairs and updates them when endpoints swap
// places (Cohen et al., "I-COLLIDE", 1995). If the beginning of a box moves
// below the end of another one, an overlap begins on that axis. If an end moves
// below a beginning, an overlap ends. With three axes, the kept pairs overlap
// on all axes. With one axis, the kept pairs overlap along it, and each frame
// tests the other two.
#include <algorithm>
#include <iterator>

#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phases/internal/endpoints.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"
#include "orbox/overlap/boxes/box_box.h"

namespace orbox {
namespace {

class IncrementalSweep final : public Phase {
 public:
  explicit IncrementalSweep(size_t axes) : axes_(axes) {}

 private:
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    const Attendance::Changes changes = attendance_.Update(bodies);
    if (changes.AreMany(bodies)) {
      StartAgain(bodies);
    } else {
      Follow(bodies, changes);
    }
    pairs->clear();
    std::copy_if(kept_.begin(), kept_.end(), std::back_inserter(*pairs),
                 [&](const BodyPair& pair) {
                   return axes_ == 3 ||
                          Overlaps(bodies.box(pair.a), bodies.box(pair.b));
                 });
  }

  void Forget() noexcept override {
    for (std::vector<Endpoint>& endpoints : endpoints_) endpoints.clear();
    attendance_ = {};
    kept_.clear();
    begun_.clear();
    ended_.clear();
  }

  void Follow(const Bodies& bodies, const Attendance::Changes& changes) {
    if (changes.some_are_gone) {
      std::erase_if(kept_, [this](const BodyPair& pair) {
        return attendance_.IsGone(pair.a) || attendance_.IsGone(pair.b);
      });
    }
    for (size_t k = 0; k < axes_; ++k) {
      const size_t axis = AxisOf(k);
      FollowBodies(bodies, attendance_, changes, axis, &endpoints_[k]);
      SortByInsertion(&endpoints_[k],
                      [&](const Endpoint& e, const Endpoint& other) {
                        NotePassing(e, other, bodies, axis);
                      });
    }
    ApplyEvents();
  }

  // Records that `e` comes before `other` from this frame on.
  void NotePassing(const Endpoint& e, const Endpoint& other,
                   const Bodies& bodies, size_t axis) {
    if (e.is_end == other.is_end || e.body == other.body) return;
    const BodyPair pair = {std::min(e.body, other.body),
                           std::max(e.body, other.body)};
    if (e.is_end != 0) {
      ended_.push_back(pair);
    } else if (IsToBeKept(bodies.box(pair.a), bodies.box(pair.b), axis)) {
      begun_.push_back(pair);
    }
  }

  bool IsToBeKept(const Aabb& a, const Aabb& b, size_t axis) const {
    return axes_ == 3 ? Overlaps(a, b)
                      : a.lo[axis] <= b.hi[axis] && b.lo[axis] <= a.hi[axis];
  }

  // Removes duplicates: a pair that begins on several axes in one frame is
  // recorded once for each axis. No pair both begins and ends, because a pair
  // begins only if its boxes overlap in this frame.
  void ApplyEvents() {
    Sort(&begun_);
    begun_.erase(std::unique(begun_.begin(), begun_.end()), begun_.end());
    Sort(&ended_);
    going_on_.clear();
    std::set_difference(kept_.begin(), kept_.end(), ended_.begin(),
                        ended_.end(), std::back_inserter(going_on_));
    kept_.clear();
    std::set_union(going_on_.begin(), going_on_.end(), begun_.begin(),
                   begun_.end(), std::back_inserter(kept_));
    begun_.clear();
    ended_.clear();
  }

  void StartAgain(const Bodies& bodies) {
    axis_ = AxisOfGreatestVariance(bodies);
    for (size_t k = 0; k < axes_; ++k) {
      endpoints_[k] = EndpointsOf(bodies, AxisOf(k));
      std::sort(endpoints_[k].begin(), endpoints_[k].end());
    }
    if (axes_ == 3) {
      SweepEndpoints(endpoints_[0], bodies, AxisOf(0), &kept_);
      return;
    }
    kept_.clear();
    std::vector<BodyId> begun;
    for (const Endpoint& e : endpoints_[0]) {
      if (e.is_end != 0) {
        begun.erase(std::find(begun.begin(), begun.end(), e.body));
        continue;
      }
      for (const BodyId other : begun) {
        kept_.push_back({std::min(e.body, other), std::max(e.body, other)});
      }
      begun.push_back(e.body);
    }
    Sort(&kept_);
  }

  size_t AxisOf(size_t k) const { return (axis_ + k) % 3; }

  const size_t axes_;
  size_t axis_ = 0;
  std::vector<Endpoint> endpoints_[3];
  Attendance attendance_;
  std::vector<BodyPair> kept_;
  std::vector<BodyPair> begun_;
  std::vector<BodyPair> ended_;
  std::vector<BodyPair> going_on_;
};

}  // namespace

std::unique_ptr<BroadPhase> MakeIncrementalSweepOneAxis() {
  return std::make_unique<IncrementalSweep>(1);
}

std::unique_ptr<BroadPhase> MakeIncrementalSweep() {
  return std::make_unique<IncrementalSweep>(3);
}

}  // namespace orbox
