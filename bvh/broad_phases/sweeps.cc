// SPDX-License-Identifier: Apache-2.0

// Kinds that compare boxes along one axis, or all of them.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phase/internal/sweep.h"
#include "orbox/bvh/broad_phases/internal/endpoints.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"

namespace orbox {
namespace {

// Compares every two bodies.
class AllPairs final : public Phase {
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    const BoxMap map(MapBoundsOf(bodies));
    rows_.Resize(bodies.count());
    size_t row = 0;
    for (BodyId body = 0; body < bodies.id_end(); ++body) {
      if (bodies.Contains(body)) rows_.Set(row++, map(bodies.box(body)), body);
    }
    pairs->clear();
    AppendMeeting(rows_, SweepOrder::kNone, &bodies, pairs);
    Sort(pairs);
  }

  SweepRows rows_;
};

// Boxes sorted by their beginning along one axis. Each box is compared with
// those that begin before its end.
class SortedPairwise final : public Phase {
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    const BoxMap map(BoundsOf(bodies));
    const size_t axis = AxisOfGreatestVariance(bodies);
    boxes_.clear();
    for (BodyId body = 0; body < bodies.id_end(); ++body) {
      if (!bodies.Contains(body)) continue;
      const Aabbf box = map(bodies.box(body));
      Aabbf turned;
      for (size_t k = 0; k < 3; ++k) {
        turned.lo[k] = box.lo[(axis + k) % 3];
        turned.hi[k] = box.hi[(axis + k) % 3];
      }
      boxes_.push_back({turned, body});
    }
    std::sort(
        boxes_.begin(), boxes_.end(), [](const Numbered& a, const Numbered& b) {
          return BeginsBefore(a.box.lo.x, a.box.hi.x, b.box.lo.x, b.box.hi.x);
        });
    rows_.Resize(boxes_.size());
    for (size_t i = 0; i < boxes_.size(); ++i) {
      rows_.Set(i, boxes_[i].box, boxes_[i].body);
    }
    pairs->clear();
    AppendMeeting(rows_, SweepOrder::kAscending, &bodies, pairs);
    Sort(pairs);
  }

  struct Numbered {
    Aabbf box;
    BodyId body;
  };

  std::vector<Numbered> boxes_;
  SweepRows rows_;
};

// Sweep and prune along one axis: the endpoints are sorted in each frame.
class FreshSort final : public Phase {
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    const size_t axis = AxisOfGreatestVariance(bodies);
    std::vector<Endpoint> endpoints = EndpointsOf(bodies, axis);
    std::sort(endpoints.begin(), endpoints.end());
    SweepEndpoints(endpoints, bodies, axis, pairs);
  }
};

// Sweep and prune along one axis: the endpoints are kept and corrected by
// insertion sort, which is fast if few have swapped places.
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

std::unique_ptr<BroadPhase> MakeAllPairs() {
  return std::make_unique<AllPairs>();
}

std::unique_ptr<BroadPhase> MakeSortedPairwise() {
  return std::make_unique<SortedPairwise>();
}

std::unique_ptr<BroadPhase> MakeSweepFreshSort() {
  return std::make_unique<FreshSort>();
}

std::unique_ptr<BroadPhase> MakeSweepInsertionSort() {
  return std::make_unique<InsertionSort>();
}

}  // namespace orbox
