// SPDX-License-Identifier: Apache-2.0

// Filter of the triangles of two moving bodies that may touch at all, for
// bodies that turn about one axis or slide along each other. Without it, a
// shaft in its bearing or a slide on its rail would be followed in steps as
// short as their gap. Private.
//
//   if (watch.IsTime(step, t, apart, nearest)) {
//     const auto near = ProfileNeighborsOf(a, b);
//     if (near && near->of_a.empty()) ...          // they never touch
//   }
//
// A triangle touches no triangle of the other body, at any time, if its profile
// (profile.h) is near none of the other body's profiles. A tree of profiles
// finds those that are near.
#ifndef ORBOX_BVH_MOTION_INTERNAL_PROFILE_FILTER_H_
#define ORBOX_BVH_MOTION_INTERNAL_PROFILE_FILTER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/posed/triangle_pair.h"

namespace orbox {

// Decides when the filter runs, at most once. It runs after many steps, or if
// many are expected because the pace is slow; between surfaces that are close
// everywhere, each step takes long. It runs only if it would separate the
// nearest triangles, unless the steps become very many. Requires bodies that
// outlive it.
class SlideWatch {
 public:
  // `size` is about that of the larger body.
  SlideWatch(const MovingTree& a, const MovingTree& b, double size);

  // Called before each step, with its number from 1, the time at which it
  // begins, and the distance and the nearest triangles at the step before.
  // Returns true at most once.
  bool IsTime(int step, double t, double apart, TrianglePair nearest);

 private:
  bool IsSlow(int step, double t, double apart);

  const MovingTree& a_;
  const MovingTree& b_;
  int many_steps_;
  double close_;
  bool has_compared_ = false;
  // The pace of the last few steps: the time and the distance at which they
  // began, and the number of consecutive paces that were slow.
  double pace_from_ = 0;
  double pace_apart_ = 0;
  int slow_paces_ = 0;
};

// Ids, ascending, of the triangles that may touch one of the other body.
struct ProfileNeighbors {
  std::vector<uint32_t> of_a;
  std::vector<uint32_t> of_b;
};

// Returns nothing if the motions have no profiles, or if memory runs out. Takes
// O((n + m) log (n + m)).
std::optional<ProfileNeighbors> ProfileNeighborsOf(const MovingTree& a,
                                                   const MovingTree& b);

// Some triangles of a body, as a body of their own.
struct BodySubset {
  MovingTree body;
  std::vector<uint32_t> ids;  // ids of its triangles in the whole body

  // Returns nothing if memory runs out. Takes O(n log n).
  static std::optional<BodySubset> Of(const MovingTree& whole,
                                      std::vector<uint32_t> ids);
};

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_INTERNAL_PROFILE_FILTER_H_
