// Sweep and prune that keeps its pairs, and learns of changes from endpoints
// that change places: where a beginning passes an end downwards, an overlap
// begins on that axis; where an end passes a beginning, one ends (Cohen et al.,
// "I-COLLIDE", 1995). On three axes, pairs that meet are kept; on one, those
// that overlap along it, and the other axes are looked at in each frame.
#include <algorithm>
#include <iterator>

#include "orbox/bvh/broad_phase/endpoints.h"
#include "orbox/bvh/broad_phase/kinds.h"
#include "orbox/bvh/broad_phase/phase.h"
#include "orbox/bvh/broad_phase/radix_sort.h"
#include "orbox/overlap/box_box.h"

namespace orbox {
namespace {

class IncrementalSweep final : public Phase {
 public:
  explicit IncrementalSweep(size_t axes) : axes_(axes) {}

 private:
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    if (NoteWhoIsHere(bodies)) {
      for (size_t k = 0; k < axes_; ++k) MoveEndpoints(bodies, k);
      ApplyEvents();
    } else {
      StartAgain(bodies);
    }
    pairs->clear();
    std::copy_if(kept_.begin(), kept_.end(), std::back_inserter(*pairs),
                 [&](const BodyPair& pair) {
                   return axes_ == 3 ||
                          Overlaps(bodies.box(pair.a), bodies.box(pair.b));
                 });
  }

  // Adds endpoints of bodies that are new, and drops those of bodies that are
  // gone. False where so many are new that all is to be sorted anew.
  bool NoteWhoIsHere(const Bodies& bodies) {
    is_known_.resize(bodies.id_end(), 0);
    std::vector<BodyId> added;
    bool some_are_gone = false;
    for (const BodyId body : bodies.touched()) {
      if (!bodies.Contains(body)) {
        some_are_gone |= is_known_[body] != 0;
        is_known_[body] = 0;
      } else if (is_known_[body] == 0) {
        is_known_[body] = 1;
        added.push_back(body);
      }
    }
    if (added.size() * added.size() > bodies.count()) return false;
    if (some_are_gone) {
      for (std::vector<Endpoint>& endpoints : endpoints_) {
        std::erase_if(endpoints, [this](const Endpoint& e) {
          return is_known_[e.body] == 0;
        });
      }
      std::erase_if(kept_, [this](const BodyPair& pair) {
        return (is_known_[pair.a] & is_known_[pair.b]) == 0;
      });
    }
    // At the end, from where they pass whatever they meet.
    for (size_t k = 0; k < axes_; ++k) {
      for (const BodyId body : added) {
        endpoints_[k].push_back({0, body, 0});
        endpoints_[k].push_back({0, body, 1});
      }
    }
    return true;
  }

  void MoveEndpoints(const Bodies& bodies, size_t k) {
    const size_t axis = AxisOf(k);
    std::vector<Endpoint>& endpoints = endpoints_[k];
    for (Endpoint& e : endpoints) {
      const Aabb& box = bodies.box(e.body);
      e.at = (e.is_end != 0 ? box.hi : box.lo)[axis];
    }
    for (size_t i = 1; i < endpoints.size(); ++i) {
      const Endpoint e = endpoints[i];
      size_t place = i;
      for (; place > 0 && e < endpoints[place - 1]; --place) {
        endpoints[place] = endpoints[place - 1];
        NotePassing(e, endpoints[place], bodies, axis);
      }
      endpoints[place] = e;
    }
  }

  // `e` comes before `other` from now on.
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

  // A pair that begins on several axes at a time is noted as often. None both
  // begins and ends: what begins is what overlaps after all.
  void ApplyEvents() {
    SortBodyPairs(&begun_, &scratch_);
    begun_.erase(std::unique(begun_.begin(), begun_.end()), begun_.end());
    SortBodyPairs(&ended_, &scratch_);
    scratch_.clear();
    std::set_difference(kept_.begin(), kept_.end(), ended_.begin(),
                        ended_.end(), std::back_inserter(scratch_));
    kept_.clear();
    std::set_union(scratch_.begin(), scratch_.end(), begun_.begin(),
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
    SortBodyPairs(&kept_, &scratch_);
  }

  size_t AxisOf(size_t k) const { return (axis_ + k) % 3; }

  const size_t axes_;
  size_t axis_ = 0;
  std::vector<Endpoint> endpoints_[3];
  std::vector<uint8_t> is_known_;
  std::vector<BodyPair> kept_;
  std::vector<BodyPair> begun_;
  std::vector<BodyPair> ended_;
  std::vector<BodyPair> scratch_;
};

}  // namespace

std::unique_ptr<BroadPhase> MakeIncrementalSweepOneAxis() {
  return std::make_unique<IncrementalSweep>(1);
}

std::unique_ptr<BroadPhase> MakeIncrementalSweep() {
  return std::make_unique<IncrementalSweep>(3);
}

}  // namespace orbox
