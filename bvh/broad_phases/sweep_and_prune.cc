// SPDX-License-Identifier: Apache-2.0

// Sweep and prune along one axis. The endpoints are either sorted in each
// frame, or kept and corrected by insertion sort, which is fast if few have
// swapped places.
#include <algorithm>

#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phases/internal/endpoints.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"

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

  void Forget() noexcept override {
    endpoints_.clear();
    attendance_ = {};
  }

  void Follow(const Bodies& bodies) {
    const Attendance::Changes changes = attendance_.Update(bodies);
    if (changes.AreMany(bodies)) {
      axis_ = AxisOfGreatestVariance(bodies);
      endpoints_ = EndpointsOf(bodies, axis_);
      std::sort(endpoints_.begin(), endpoints_.end());
      return;
    }
    FollowBodies(bodies, attendance_, changes, axis_, &endpoints_);
    SortByInsertion(&endpoints_, [](const Endpoint&, const Endpoint&) {});
  }

  size_t axis_ = 0;
  std::vector<Endpoint> endpoints_;
  Attendance attendance_;
};

}  // namespace

std::unique_ptr<BroadPhase> MakeSweepFreshSort() {
  return std::make_unique<FreshSort>();
}

std::unique_ptr<BroadPhase> MakeSweepInsertionSort() {
  return std::make_unique<InsertionSort>();
}

}  // namespace orbox
