// SPDX-License-Identifier: Apache-2.0

// Limits of the distances of pairs in a traversal of two trees, in b's units
// (two_trees-inl.h). Private.
//
//   limits.Set(bound);                       // in the world
//   if (key > limits.prune()) ...            // prune the pair
//   leaves.Near(i, limits.near());
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LIMITS_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LIMITS_H_

#include <algorithm>
#include <limits>

#include "orbox/bvh/tree/internal/rounding.h"

namespace orbox {

class PairLimits {
 public:
  PairLimits() = default;

  // `to_units` converts distances in the world to b's units. Points within a
  // distance in the world are within `stretch` times that distance in b's
  // space. Keys may be too large by `slack`.
  PairLimits(double to_units, float stretch, float slack)
      : to_units_(to_units), stretch_(stretch), slack_(slack) {}

  // Sets the bound: pairs farther apart than `bound` are not needed.
  void Set(double bound) {
    SetNear(bound);
    SetPrune();
    const double limit = bound * to_units_;
    // Not certain in a stretched space, or out of the range of float.
    certain_ =
        stretch_ == 1 && limit < 0x1p60 ? RoundDown(limit * (1 - 0x1p-40)) : -1;
  }

  // Sets the bound, and lowers it to an upper bound of the distance of some
  // pair seen.
  void SetAndNarrow(double bound) {
    SetNear(bound);
    Narrow();
    SetPrune();
  }

  // Lowers the limit of near triangles, for the remaining pairs of two leaves.
  void Narrow() { near_ = std::min(near_, upper_ * stretch_); }

  // The limit of near triangles, and the limit of keys.
  float near() const { return near_; }
  float prune() const { return prune_; }

  // Upper bound of the amount by which keys may be too large.
  float slack() const { return slack_; }

  // The lowest upper bound, in b's units, of the distance of a pair seen so
  // far. Leaves lower it, also by pairs that are never measured.
  float* upper() { return &upper_; }

  // Returns true if the distance of some pair seen is certainly within the
  // bound.
  bool IsSomeWithin() const { return upper_ <= certain_; }

  double InWorld(float distance) const { return distance / to_units_; }

 private:
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();

  void SetNear(double bound) {
    const double limit = bound * to_units_;
    near_ = limit < 0x1p60 ? RoundUp(limit * (1 + 0x1p-20)) : kInfinity;
  }
  void SetPrune() { prune_ = RoundUp(static_cast<double>(near_) + slack_); }

  double to_units_ = 1;
  float stretch_ = 1;
  float slack_ = 0;
  float near_ = 0;
  float prune_ = 0;
  float certain_ = -1;
  float upper_ = kInfinity;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LIMITS_H_
