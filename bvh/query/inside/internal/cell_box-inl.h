// SPDX-License-Identifier: Apache-2.0

// Tests the children of a node against a small box of points. One test decides
// for all points of the box. They continue with the accepted children.
//
//   uint32_t lanes = MayOverlap(node, box) & LanesBelow(node.count);
//
// Private; compiled once per instruction set (lanes-inl.h).
#if defined(ORBOX_BVH_QUERY_INSIDE_INTERNAL_CELL_BOX_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_INSIDE_INTERNAL_CELL_BOX_INL_H_
#undef ORBOX_BVH_QUERY_INSIDE_INTERNAL_CELL_BOX_INL_H_
#else
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_CELL_BOX_INL_H_
#endif

#include <cmath>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/internal/lanes/box_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// A box in tree space, in float.
struct CellBox {
  float lo[3];
  float hi[3];
};

// Enlargement of points and boxes. The error of a point is 2^-25, and so is the
// rounding error of a sum with this constant.
inline constexpr float kCellSlack = 0x1p-22f;

// Returns the children of a node whose volumes may overlap the box. Requires
// that the box is within [-1, 1]^3.
HWY_INLINE uint32_t MayOverlap(const Node& node, const CellBox& box) {
  float center[3];
  float half[3];
  for (int k = 0; k < 3; ++k) {
    center[k] = (box.lo[k] + box.hi[k]) * 0.5f;
    half[k] = (box.hi[k] - box.lo[k]) * 0.5f + kCellSlack;
  }
  if (node.kind == VolumeKind::kSphere) {
    TurnedBox aligned = {};
    for (int k = 0; k < 3; ++k) {
      aligned.center[k] = center[k];
      aligned.half[k] = aligned.hull[k] = half[k];
    }
    // The error of the distance is 12 u times at most 2. The error of a center
    // is u.
    return Bits(BoxDistanceToSpheres<Orientation::kAligned>(
                    aligned, node.rows) <= Set8(0x1p-18f));
  }
  // Bounding box of the cell in the node's frame. Each sum of three products
  // has an error of 4 u times sqrt(3).
  float lo[3];
  float hi[3];
  for (int k = 0; k < 3; ++k) {
    const float* const f = node.frame[k];
    const float c = f[0] * center[0] + f[1] * center[1] + f[2] * center[2];
    const float h = std::abs(f[0]) * half[0] + std::abs(f[1]) * half[1] +
                    std::abs(f[2]) * half[2] + 0x1p-19f;
    lo[k] = c - h;
    hi[k] = c + h;
  }
  M8 meets = Load8(node.rows[0]) <= Set8(hi[0]);
  meets = meets & (Load8(node.rows[1]) <= Set8(hi[1]));
  meets = meets & (Load8(node.rows[2]) <= Set8(hi[2]));
  meets = meets & (Load8(node.rows[3]) >= Set8(lo[0]));
  meets = meets & (Load8(node.rows[4]) >= Set8(lo[1]));
  meets = meets & (Load8(node.rows[5]) >= Set8(lo[2]));
  return Bits(meets);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_CELL_BOX_INL_H_
