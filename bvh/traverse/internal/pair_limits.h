// SPDX-License-Identifier: Apache-2.0

// How far apart pairs of a traversal of two trees may be, in b's units
// (two_trees-inl.h). Private.
//
//   limits.Set(bound);                       // in the world
//   if (key > limits.prune()) ...            // nothing below it interests
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

  // `to_units` takes distances in the world to b's units. What is no further
  // apart in the world may be up to `stretch` times as far apart there. Keys
  // may be too large by `slack`.
  PairLimits(double to_units, float stretch, float slack)
      : to_units_(to_units), stretch_(stretch), slack_(slack) {}

  // Pairs further apart than `bound` do not interest.
  void Set(double bound) {
    SetNear(bound);
    SetPrune();
    const double limit = bound * to_units_;
    // A stretched space and the range of float cannot tell.
    certain_ =
        stretch_ == 1 && limit < 0x1p60 ? RoundDown(limit * (1 - 0x1p-40)) : -1;
  }

  // The same, and none that is further apart than some pair that was seen.
  void SetAndNarrow(double bound) {
    SetNear(bound);
    Narrow();
    SetPrune();
  }

  // The second half of that, for what is left of two leaves.
  void Narrow() { near_ = std::min(near_, upper_ * stretch_); }

  // The limits of triangles that are near, and of keys.
  float near() const { return near_; }
  float prune() const { return prune_; }

  // By how much keys may be too large.
  float slack() const { return slack_; }

  // What some pair seen is certainly within, offered or not; for the leaves to
  // lower.
  float* upper() { return &upper_; }

  // Whether some pair seen is certainly within the bound.
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
