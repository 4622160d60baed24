// SPDX-License-Identifier: Apache-2.0

// Tests one box against eight boxes.
//
//   AabbBlock<8> children = ...;                            // batch.h
//   uint32_t near = TestBlock(box, children);               // two AABBs: exact
//   uint32_t maybe = TestBlock(Sat::kLite, turned, children);
//   if (near >> i & 1) ...                                  // box i
//
// Bit i is equal, on every instruction set, to the result of box_box.h in float
// for box i: Overlaps for two AABBs, OverlapsSat or OverlapsSatLite if one is
// oriented. The requirements (valid boxes) and guarantees of these functions
// apply. Two AABBs are decided exactly. With an oriented box, a negative result
// is certain, and a positive result may be wrong within the margin derived in
// box_box.h. Touching counts as overlap. Pure and thread-safe; nothing
// allocates.
//
// Cost: 0.7 ns per test for AABBs, 2 to 5 ns with oriented boxes. One OBB
// against one OBB takes 14 ns by SAT lite and 21 ns by full SAT (batch_bench,
// AVX-512). Full SAT stops after the faces if they separate all eight.
#ifndef ORBOX_OVERLAP_BOXES_BOX_BATCH_H_
#define ORBOX_OVERLAP_BOXES_BOX_BATCH_H_

#include <cstdint>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/boxes/batch.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

enum class Sat {
  kFull,  // all 15 axes: OverlapsSat
  kLite,  // the 6 face normals: OverlapsSatLite
};

ORBOX_EXPORT uint32_t TestBlock(const Aabbf& box, const AabbBlock<8>& boxes);

ORBOX_EXPORT uint32_t TestBlock(Sat axes, const Aabbf& box,
                                const ObbBlock<8>& boxes);
ORBOX_EXPORT uint32_t TestBlock(Sat axes, const Obbf& box,
                                const AabbBlock<8>& boxes);
ORBOX_EXPORT uint32_t TestBlock(Sat axes, const Obbf& box,
                                const ObbBlock<8>& boxes);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_BOX_BATCH_H_
