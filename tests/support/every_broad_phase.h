// SPDX-License-Identifier: Apache-2.0

// A fixture for tests of broad phases, whichever kind they are, and their
// pairs:
//
//   INSTANTIATE_TEST_SUITE_P(BroadPhases, EveryBroadPhase,
//                            testing::ValuesIn(kBroadPhases), NameOfKind);
//   TEST_P(EveryBroadPhase, DoesThis) { const auto phase = Make(); ... }
#ifndef ORBOX_TESTS_SUPPORT_EVERY_BROAD_PHASE_H_
#define ORBOX_TESTS_SUPPORT_EVERY_BROAD_PHASE_H_

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/broad_phases/broad_phases.h"

namespace orbox {

class EveryBroadPhase : public testing::TestWithParam<BroadPhaseRow> {
 protected:
  std::unique_ptr<BroadPhase> Make() const {
    return MakeBroadPhase(GetParam().kind);
  }
};

inline std::string NameOfKind(
    const testing::TestParamInfo<BroadPhaseRow>& row) {
  return std::string(row.param.name);
}

inline std::vector<BodyPair> PairsOf(const BroadPhase& phase) {
  return {phase.pairs().begin(), phase.pairs().end()};
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_EVERY_BROAD_PHASE_H_
