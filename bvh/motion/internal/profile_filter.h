// SPDX-License-Identifier: Apache-2.0

// Which triangles of two moving bodies may touch at all, where the bodies turn
// about one axis or slide along each other? Private: what keeps a shaft in its
// bearing, and a slide on its rail, from being followed in steps as short as
// their gap.
//
//   if (watch.IsTime(step, t, apart, nearest)) {
//     const auto near = ProfileNeighborsOf(a, b);
//     if (near && near->of_a.empty()) ...          // they never touch
//   }
//
// A triangle whose profile (profile.h) comes near none of the other body's
// touches none of its triangles, at no time; which do is asked of a tree of
// profiles.
#ifndef ORBOX_BVH_MOTION_INTERNAL_PROFILE_FILTER_H_
#define ORBOX_BVH_MOTION_INTERNAL_PROFILE_FILTER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/posed/triangle_pair.h"

namespace orbox {

// When to ask, once: after many steps, or where many are to come, which take
// long between surfaces that are close everywhere; but only if that parts what
// is nearest, unless steps become very many. Requires bodies that outlive it.
class SlideWatch {
 public:
  // `size` is about that of the larger body.
  SlideWatch(const MovingTree& a, const MovingTree& b, double size);

  // Before each step, by its number from 1, with the time at which it begins,
  // and the distance and the nearest triangles at the step before. True at most
  // once.
  bool IsTime(int step, double t, double apart, TrianglePair nearest);

 private:
  bool IsSlow(int step, double t, double apart);

  const MovingTree& a_;
  const MovingTree& b_;
  int many_steps_;
  double close_;
  bool has_asked_ = false;
  // The pace of the last few steps: when they began, and how far apart; and how
  // many such paces were slow, one after the other.
  double pace_from_ = 0;
  double pace_apart_ = 0;
  int slow_paces_ = 0;
};

// Ids, ascending, of the triangles that may come to touch one of the other
// body's.
struct ProfileNeighbors {
  std::vector<uint32_t> of_a;
  std::vector<uint32_t> of_b;
};

// Nothing where the motions have no profiles, and where memory runs out. Takes
// O((n + m) log (n + m)).
std::optional<ProfileNeighbors> ProfileNeighborsOf(const MovingTree& a,
                                                   const MovingTree& b);

// Some triangles of a body, as a body of their own.
struct PartOfBody {
  MovingTree body;
  std::vector<uint32_t> ids;  // what its triangles are in the whole

  // Nothing where memory runs out. Takes O(n log n).
  static std::optional<PartOfBody> Of(const MovingTree& whole,
                                      std::vector<uint32_t> ids);
};

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_INTERNAL_PROFILE_FILTER_H_
