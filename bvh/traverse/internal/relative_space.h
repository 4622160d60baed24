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

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/matrix3.h"

namespace orbox {

// Returns a lower bound of the length of a unit of the tree's space in the
// world.
inline double WorldUnit(const PosedTree& t) {
  return t.scale() * t.tree().space().unscale;
}

struct RelativeSpace {
  // The map x -> scale * turn x + shift. `turn` is stored row by row. It is
  // orthonormal up to the skews of the poses. If is_skewed, it is only certain
  // that `turn` shortens no vector.
  Matrix3<float> turn;
  float shift[3];
  float scale;

  // If is_skewed: `back` is the inverse of `turn`, which lengthens no vector,
  // and `stretch` is an upper bound of the factor of lengths. Otherwise `back`
  // is unset and `stretch` is `scale`.
  bool is_skewed;
  Matrix3<float> back;
  float stretch;

  // Upper bound of the amount by which distances in the target's space may be
  // too large. The reasons are the rounding of the map itself, float arithmetic
  // on mapped volumes, and the skew of the poses. Infinite if is_too_coarse.
  float slack;

  // The map in double, for single points. `vertex_error` bounds the sum of two
  // errors of a coordinate: that of a leaf's vertex, mapped without rounding,
  // and that of a vertex of the target. It is infinite if `slack` is.
  Matrix3<double> precise_turn;  // including the scale
  double precise_shift[3];
  float vertex_error;

  // Returns true if floats do not resolve the points of the two trees.
  bool is_too_coarse() const { return std::isinf(slack); }

  static RelativeSpace Of(const PosedTree& from, const PosedTree& to) {
    RelativeSpace there;
    RelativeSpace back;
    SetBoth(from, to, &there, &back);
    return there;
  }
  // Computes both maps, because they share half of the work. Writes directly to
  // the results, because a copy would be read in pieces of other sizes than it
  // was written in.
  static void SetBoth(const PosedTree& a, const PosedTree& b,
                      RelativeSpace* a_in_b, RelativeSpace* b_in_a);
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_RELATIVE_SPACE_H_
