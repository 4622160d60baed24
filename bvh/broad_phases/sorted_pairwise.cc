// SPDX-License-Identifier: Apache-2.0

// Boxes sorted by their beginning along one axis. Each is compared with those
// that follow, up to its end.
#include <algorithm>

#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phase/internal/sweep.h"
#include "orbox/bvh/broad_phases/internal/endpoints.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"

namespace orbox {
namespace {

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

}  // namespace

std::unique_ptr<BroadPhase> MakeSortedPairwise() {
  return std::make_unique<SortedPairwise>();
}

}  // namespace orbox
