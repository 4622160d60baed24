// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/posed_box.h"

#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {

double BoxGap(const PosedTree& a, const PosedTree& b) {
  const auto box_of = [](const PosedTree& t) {
    const Aabb& box = t.tree().mesh().bounds();
    return t.is_moved() ? PosedBox(box, t.pose()) : box;
  };
  const auto of_a = box_of(a);
  if (!of_a) return 0;
  const auto of_b = box_of(b);
  return of_b ? AxisGap(*of_a, *of_b) : 0;
}

}  // namespace orbox
