// SPDX-License-Identifier: Apache-2.0

// Positions of bodies' centres, measured in lengths of the bodies around them:
// a monotone map of each axis, steep where bodies are small and many, flat
// where there are none. On this scale, clusters of any size and distance
// resolve as well as bodies of one size in a cube.
//
//   const CenterScale scale(bodies);
//   const uint32_t cell = scale.Cell(box, 0);       // along x
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_CENTER_SCALE_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_CENTER_SCALE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/broad_phase/internal/bodies.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class CenterScale {
 public:
  // The most cells along an axis, as a power of two. The longest axis has one
  // for each length of a body; cells have the same length on all axes.
  static constexpr int kMaxCellBits = 16;

  // O(n). A sample of O(sqrt(n)) bodies represents all.
  explicit CenterScale(const Bodies& bodies);

  // The cell of the box's centre, below 2^kMaxCellBits. Monotone, up to
  // rounding.
  uint32_t Cell(const Aabb& box, size_t axis) const {
    const double half = HalfOf(box, axis);
    const Knot& from = is_straight_ ? lines_[axis] : KnotBefore(half, axis);
    const double cell = from.place + (half - from.at) * from.slope;
    return static_cast<uint32_t>(std::min(std::max(cell, 0.0), last_cell_));
  }

 private:
  // Where a piece of the map begins that is a line.
  struct Knot {
    double at = 0;     // half of a centre: halves' differences do not overflow
    double place = 0;  // on the scale
    double slope = 0;  // to the next knot
  };

  // Half of the box's centre.
  static double HalfOf(const Aabb& box, size_t axis) {
    return box.lo[axis] * 0.25 + box.hi[axis] * 0.25;
  }

  // What is left of the constructor, once all knots are known.
  void SetSlopes(double cells_per_place);

  // The last knot that is not after it, excluding the last of all.
  const Knot& KnotBefore(double half, size_t axis) const;

  std::vector<Knot> knots_[3];
  // The usual case: the map is nearly a line, and needs no lookup.
  bool is_straight_ = true;
  Knot lines_[3];
  double last_cell_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_CENTER_SCALE_H_
