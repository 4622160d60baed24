// SPDX-License-Identifier: Apache-2.0

// How one posed tree's space looks from another's, and how far floats that are
// taken across may be off.
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

// A tree's space and what takes the model to the world: lengths come out at
// least `scale` times as large, and at most `stretch` times that. For what is a
// similarity but for `skew` (posed_tree.h), `stretch` is 1. Space and pose have
// to live as long as this.
struct PosedSpace {
  const TreeSpace& space;
  const Pose& pose;
  double scale = 1;
  double skew = 0;
  double stretch = 1;

  // World units a unit of tree space, at least.
  double WorldUnit() const { return scale * space.unscale; }
};

struct RelativeSpace {
  // x -> scale * turn x + shift, turn row by row and orthonormal but for skews;
  // where is_skewed, only such that it shortens no vector.
  Matrix3<float> turn;
  float shift[3];
  float scale;

  // Where is_skewed, the inverse of `turn`, which lengthens no vector (unset
  // otherwise), and what lengths are multiplied by at most, which otherwise is
  // `scale`.
  bool is_skewed;
  Matrix3<float> back;
  float stretch;

  // Distances in the target's space may come out too large by up to this: the
  // rounding of the map itself, of float arithmetic on volumes that went
  // through it, and the skew of the poses. Infinite where floats cannot tell
  // the two trees' points apart at all.
  float slack;

  // The map in double, which single points are taken across by; and how far a
  // coordinate of a leaf's vertex, taken across without rounding, and one of a
  // leaf of the target may be off together. Infinite as `slack` is.
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
  // In place, since a copy would be read in other pieces than it was written
  // in; both at once, since they have half of the work in common.
  static void SetBoth(const PosedSpace& a, const PosedSpace& b,
                      RelativeSpace* a_in_b, RelativeSpace* b_in_a);
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_RELATIVE_SPACE_H_
