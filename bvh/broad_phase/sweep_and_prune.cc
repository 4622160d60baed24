// Sweep and prune along one axis: the endpoints are sorted anew in each frame,
// or are kept and put in order by insertion, which is quick where hardly any
// have changed places.
#include <algorithm>

#include "orbox/bvh/broad_phase/endpoints.h"
#include "orbox/bvh/broad_phase/kinds.h"
#include "orbox/bvh/broad_phase/phase.h"

namespace orbox {
namespace {

class FreshSort final : public Phase {
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    const size_t axis = AxisOfGreatestVariance(bodies);
    std::vector<Endpoint> endpoints = EndpointsOf(bodies, axis);
    std::sort(endpoints.begin(), endpoints.end());
    SweepEndpoints(endpoints, bodies, axis, pairs);
  }
};

class InsertionSort final : public Phase {
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    Follow(bodies);
    SweepEndpoints(endpoints_, bodies, axis_, pairs);
  }

  void Follow(const Bodies& bodies) {
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
    // Insertion takes a box past all others on the average: so many at a time
    // are sorted anew.
    if (added.size() * added.size() > bodies.count()) {
      axis_ = AxisOfGreatestVariance(bodies);
      endpoints_ = EndpointsOf(bodies, axis_);
      std::sort(endpoints_.begin(), endpoints_.end());
      return;
    }
    if (some_are_gone) {
      std::erase_if(endpoints_, [this](const Endpoint& e) {
        return is_known_[e.body] == 0;
      });
    }
    for (const BodyId body : added) {
      endpoints_.push_back({0, body, 0});
      endpoints_.push_back({0, body, 1});
    }
    for (Endpoint& e : endpoints_) {
      const Aabb& box = bodies.box(e.body);
      e.at = (e.is_end != 0 ? box.hi : box.lo)[axis_];
    }
    for (size_t i = 1; i < endpoints_.size(); ++i) {
      const Endpoint e = endpoints_[i];
      size_t place = i;
      for (; place > 0 && e < endpoints_[place - 1]; --place) {
        endpoints_[place] = endpoints_[place - 1];
      }
      endpoints_[place] = e;
    }
  }

  size_t axis_ = 0;
  std::vector<Endpoint> endpoints_;
  std::vector<uint8_t> is_known_;
};

}  // namespace

std::unique_ptr<BroadPhase> MakeSweepFreshSort() {
  return std::make_unique<FreshSort>();
}

std::unique_ptr<BroadPhase> MakeSweepInsertionSort() {
  return std::make_unique<InsertionSort>();
}

}  // namespace orbox
