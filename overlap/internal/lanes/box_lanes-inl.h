// SPDX-License-Identifier: Apache-2.0

// Lower bounds of the distance from one shape to eight boxes or eight spheres
// at once. Traversals prune inner nodes by these bounds. The tests of a sphere
// and eight boxes are in overlap/boxes/internal/sphere_box_lanes-inl.h.
//
//   F8 gap = DistanceToBoxes<Orientation::kOriented>(box, node.rows);
//
// Private; compiled once per instruction set (lanes-inl.h). Boxes are rows lo
// x, y, z, hi x, y, z. Spheres are rows center x, y, z, radius. The single
// shape is given in the frame of the rows. Values are computed in float without
// a correction for rounding. Each function states its error, in units of u =
// 2^-24, and the caller widens its limit by this error.
#if defined(ORBOX_OVERLAP_INTERNAL_LANES_BOX_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_LANES_BOX_LANES_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_LANES_BOX_LANES_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_LANES_BOX_LANES_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

using Rows = const float (*HWY_RESTRICT)[8];

// Returns the distance from the point to each sphere, negative inside. Error 6
// u times the sum of the distance to the centre and the radius.
F8 DistanceToSpheres(const V8& p, Rows rows);

// A box that is rotated relative to the rows: its centre, its unit axes, its
// half extents along them, and the half extents of its bounding box in the
// rows' frame.
struct TurnedBox {
  float center[3];
  float axes[3][3];
  float half[3];
  float hull[3];
};

enum class Orientation {
  kAligned,   // the axes are those of the rows: `axes` is not read
  kOriented,  // any axes
};

// Returns a lower bound of the distance to each box: the larger one of the
// bound along the rows' three axes and the bound along the turned box's three
// axes (separating axes, "SAT lite", van den Bergen 1997). The bound along
// three orthogonal axes is the root of the sum of the squared gaps. If no axis
// separates, returns the smallest overlap along one of the six axes, negated.
// Error 12 u times the largest coordinate involved, if the axes have length 1
// within 4 u.
template <Orientation kOrientation>
F8 DistanceToBoxes(const TurnedBox& box, Rows rows);

// Returns the distance from the turned box to each sphere, negative if they
// overlap. Error 12 u times the largest coordinate involved.
template <Orientation kOrientation>
F8 BoxDistanceToSpheres(const TurnedBox& box, Rows rows);

// Returns the largest gap along the nine cross products of the axes, to one box
// of the rows' frame. The full SAT has these axes in addition to those of
// DistanceToBoxes. A margin for rounding is subtracted, because the cross
// product of near-parallel axes is mostly rounding error and must show no gap.
// Only for statistics; not vectorised.
float LargestCrossAxisGap(const TurnedBox& box, const float lo[3],
                          const float hi[3]);

// Implementation.

HWY_INLINE F8 DistanceToSpheres(const V8& p, Rows rows) {
  const V8 v = Load8x3(rows) - p;
  return Sqrt(Dot(v, v)) - Load8(rows[3]);
}

template <Orientation kOrientation>
HWY_INLINE F8 DistanceToBoxes(const TurnedBox& box, Rows rows) {
  const F8 zero = Zero8();
  F8 squared = zero;
  F8 separation = Set8(std::numeric_limits<float>::lowest());
  for (int k = 0; k < 3; ++k) {
    const F8 lo = Set8(box.center[k] - box.hull[k]);
    const F8 hi = Set8(box.center[k] + box.hull[k]);
    const F8 along = Max(Load8(rows[k]) - hi, lo - Load8(rows[k + 3]));
    separation = Max(separation, along);
    const F8 gap = Max(along, zero);
    squared = squared + gap * gap;
  }
  if constexpr (kOrientation == Orientation::kOriented) {
    const F8 half = Set8(0.5f);
    F8 offset[3];
    F8 extent[3];
    for (int k = 0; k < 3; ++k) {
      const F8 lo = Load8(rows[k]);
      const F8 hi = Load8(rows[k + 3]);
      offset[k] = Set8(box.center[k]) - (lo + hi) * half;
      extent[k] = (hi - lo) * half;
    }
    F8 turned = zero;
    for (int j = 0; j < 3; ++j) {
      F8 reach = Set8(box.half[j]);
      F8 along = zero;
      for (int k = 0; k < 3; ++k) {
        const F8 axis = Set8(box.axes[j][k]);
        along = along + offset[k] * axis;
        reach = reach + extent[k] * Abs(axis);
      }
      along = Abs(along) - reach;
      separation = Max(separation, along);
      const F8 gap = Max(along, zero);
      turned = turned + gap * gap;
    }
    squared = Max(squared, turned);
  }
  return Select(squared > zero, Sqrt(squared), separation);
}

template <Orientation kOrientation>
HWY_INLINE F8 BoxDistanceToSpheres(const TurnedBox& box, Rows rows) {
  const V8 v = Load8x3(rows) - Set8x3(box.center);
  F8 squared = Zero8();
  for (int j = 0; j < 3; ++j) {
    F8 along = j == 0 ? v.x : (j == 1 ? v.y : v.z);
    if constexpr (kOrientation == Orientation::kOriented) {
      along = Dot(v, Set8x3(box.axes[j]));
    }
    const F8 gap = Max(Abs(along) - Set8(box.half[j]), Zero8());
    squared = squared + gap * gap;
  }
  return Sqrt(squared) - Load8(rows[3]);
}

HWY_INLINE float LargestCrossAxisGap(const TurnedBox& box, const float lo[3],
                                     const float hi[3]) {
  // The margin of box_box.h. As in that file, the centre is taken relative to
  // the other box before it is halved. For near-parallel axes, both sides of
  // the comparison are small, and the margin decides.
  float t[3];
  float extent[3];
  float margin = std::numeric_limits<float>::min();
  for (int i = 0; i < 3; ++i) {
    const float from = box.center[i] - hi[i];
    const float to = box.center[i] - lo[i];
    t[i] = 0.5f * from + 0.5f * to;
    extent[i] = 0.5f * to - 0.5f * from;
    margin += extent[i] + box.half[i] + std::abs(t[i]);
  }
  margin *= 256 * std::numeric_limits<float>::epsilon();
  float largest = 0;
  for (int j = 0; j < 3; ++j) {
    const float* const u = box.axes[j];
    for (int k = 0; k < 3; ++k) {
      // The cross product of u with the k-th unit vector has no k-th component.
      const int p = (k + 1) % 3;
      const int q = (k + 2) % 3;
      float axis[3] = {0, 0, 0};
      axis[p] = u[q];
      axis[q] = -u[p];
      const float length = std::sqrt(axis[p] * axis[p] + axis[q] * axis[q]);
      if (length == 0) continue;
      float along = 0;
      float reach = margin;
      for (int i = 0; i < 3; ++i) {
        along += axis[i] * t[i];
        reach += std::abs(axis[i]) * extent[i];
      }
      for (int i = 0; i < 3; ++i) {
        const float* const w = box.axes[i];
        reach += box.half[i] * std::abs(axis[p] * w[p] + axis[q] * w[q]);
      }
      largest = std::max(largest, (std::abs(along) - reach) / length);
    }
  }
  return largest;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_BOX_LANES_INL_H_
