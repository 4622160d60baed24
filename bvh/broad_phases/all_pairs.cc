// SPDX-License-Identifier: Apache-2.0

// Compares every two bodies.
#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phase/internal/sweep.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"

namespace orbox {
namespace {

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

}  // namespace

std::unique_ptr<BroadPhase> MakeAllPairs() {
  return std::make_unique<AllPairs>();
}

}  // namespace orbox
