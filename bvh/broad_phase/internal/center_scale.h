// SPDX-License-Identifier: Apache-2.0

// Positions of bodies' centres, measured in lengths of nearby bodies: a
// monotone map of each axis, steep where bodies are small and many, flat where
// there are none. On this scale, clusters of any size and distance resolve as
// well as bodies of one size in a cube.
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
  // Upper bound of the cells along an axis, as a power of two. The longest axis
  // has one cell per body length. Cells have equal lengths on all axes.
  static constexpr int kMaxCellBits = 16;

  // O(n). A sample of O(sqrt(n)) bodies represents all.
  explicit CenterScale(const Bodies& bodies);

  // Returns the cell of the box's centre, below 2^kMaxCellBits. Monotone, up to
  // rounding.
  uint32_t Cell(const Aabb& box, size_t axis) const {
    const double half = HalfOf(box, axis);
    const Knot& from = is_straight_ ? lines_[axis] : KnotBefore(half, axis);
    const double cell = from.place + (half - from.at) * from.slope;
    return static_cast<uint32_t>(std::min(std::max(cell, 0.0), last_cell_));
  }

 private:
  // Start of a linear piece of the map.
  struct Knot {
    double at = 0;  // half of a centre: differences of halves do not overflow
    double place = 0;  // on the scale
    double slope = 0;  // to the next knot
  };

  // Half of the box's centre.
  static double HalfOf(const Aabb& box, size_t axis) {
    return box.lo[axis] * 0.25 + box.hi[axis] * 0.25;
  }

  // Last step of the constructor, after all knots are known.
  void SetSlopes(double cells_per_place);

  // Returns the last knot at or before `half`, except the last knot of the
  // axis.
  const Knot& KnotBefore(double half, size_t axis) const;

  std::vector<Knot> knots_[3];
  // True in the usual case: the map is nearly a line and needs no search for a
  // knot.
  bool is_straight_ = true;
  Knot lines_[3];
  double last_cell_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_CENTER_SCALE_H_
