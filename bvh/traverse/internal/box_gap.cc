// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/box_gap.h"

#include "orbox/bvh/traverse/internal/posed_box.h"

namespace orbox {

double BoxGap(const PosedTree& a, const PosedTree& b) {
  const auto of_a = PosedBox(a.tree().mesh().bounds(), a.pose());
  const auto of_b = PosedBox(b.tree().mesh().bounds(), b.pose());
  return of_a && of_b ? AxisGap(*of_a, *of_b) : 0;
}

}  // namespace orbox
