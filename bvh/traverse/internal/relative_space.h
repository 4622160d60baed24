// SPDX-License-Identifier: Apache-2.0

// The map between the spaces of two posed trees, and the error bounds of floats
// that are mapped by it.
//
//   RelativeSpace a_in_b = RelativeSpace::Of(a, b);  // takes a's space to b's
//   RelativeSpace::SetBoth(a, b, &a_in_b, &b_in_a);  // and back
//
// Private. Computed once per query, in double.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_RELATIVE_SPACE_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_RELATIVE_SPACE_H_

#include <cmath>

#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/matrix3.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// A tree's space, and its pose in the world. The pose multiplies lengths by at
// least `scale`, and by at most `scale` * `stretch`. If it is a similarity
// except for `skew` (posed_tree.h), `stretch` is 1. Space and pose must outlive
// this object.
struct PosedSpace {
  const TreeSpace& space;
  const Pose& pose;
  double scale = 1;
  double skew = 0;
  double stretch = 1;

  // Lower bound of the length of a unit of tree space in the world.
  double WorldUnit() const { return scale * space.unscale; }
};

struct RelativeSpace {
  // The map x -> scale * turn x + shift. `turn` is stored row by row. It is
  // orthonormal up to the poses' skews; if is_skewed, it only shortens no
  // vector.
  Matrix3<float> turn;
  float shift[3];
  float scale;

  // If is_skewed, the inverse of `turn`, which lengthens no vector, and the
  // upper bound of the factor of lengths. Otherwise `back` is unset and
  // `stretch` is `scale`.
  bool is_skewed;
  Matrix3<float> back;
  float stretch;

  // Upper bound of the error by which distances in the target's space may be
  // too large: rounding of the map itself, float arithmetic on mapped volumes,
  // and the skew of the poses. Infinite if floats do not resolve the two trees'
  // points at all.
  float slack;

  // The map in double, for single points; and the error bound of a coordinate
  // of a leaf's vertex, mapped without rounding, together with one of a leaf of
  // the target. The bound is infinite if `slack` is.
  Matrix3<double> precise_turn;  // with the scale
  double precise_shift[3];
  float vertex_error;

  bool is_far() const { return std::isinf(slack); }

  static RelativeSpace Of(const PosedSpace& from, const PosedSpace& to) {
    RelativeSpace there;
    RelativeSpace back;
    SetBoth(from, to, &there, &back);
    return there;
  }
  // Writes in place, because a copy would be read in pieces of other sizes than
  // it was written in. Computes both, because they share half of the work.
  static void SetBoth(const PosedSpace& a, const PosedSpace& b,
                      RelativeSpace* a_in_b, RelativeSpace* b_in_a);
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_RELATIVE_SPACE_H_
