// SPDX-License-Identifier: Apache-2.0

// Links orbox::broad_phases: every kind finds the pair of boxes that touch.
#include <cstdio>
#include <memory>

#include "orbox/bvh/broad_phases/broad_phases.h"

int main() {
  for (const orbox::BroadPhaseRow& row : orbox::kBroadPhases) {
    const std::unique_ptr<orbox::BroadPhase> phase =
        orbox::MakeBroadPhase(row.kind);
    phase->Insert(0, {{0, 0, 0}, {1, 1, 1}});
    phase->Insert(1, {{1, 0, 0}, {2, 1, 1}});
    phase->Insert(2, {{3, 0, 0}, {4, 1, 1}});
    phase->Update();
    std::printf("%s: %zu pairs\n", row.name.data(), phase->pairs().size());
    if (phase->pairs().size() != 1) return 1;
  }
  return 0;
}
