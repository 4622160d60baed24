// SPDX-License-Identifier: Apache-2.0

// Filter of the triangles of two moving bodies that may touch at all, for
// bodies that turn about one axis or slide along each other. Without the
// filter, the steps for a shaft in its bearing, or a slide on its rail, would
// be as short as the gap between them. Private.
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

// Decides when the filter runs, at most once. The filter runs after many steps,
// or if many are expected because progress is slow. Steps between surfaces that
// are close everywhere take long. It runs only if it would separate the nearest
// triangles, or if the number of steps becomes very large. The bodies must
// outlive this object.
class SlideWatch {
 public:
  // `size` is the approximate size of the larger body.
  SlideWatch(const MovingTree& a, const MovingTree& b, double size);

  // Returns true if the filter should run, at most once. Called before each
  // step, with its number from 1, the time at which it begins, and the distance
  // and the nearest triangles at the previous step.
  bool IsTime(int step, double t, double apart, TrianglePair nearest);

 private:
  bool IsSlow(int step, double t, double apart);

  const MovingTree& a_;
  const MovingTree& b_;
  int many_steps_;
  double close_;
  bool has_compared_ = false;
  // Progress over the last few steps: the time and the distance at their start,
  // and the number of consecutive slow periods.
  double pace_from_ = 0;
  double pace_apart_ = 0;
  int slow_paces_ = 0;
};

// Ascending ids of the triangles that may touch a triangle of the other body.
struct ProfileNeighbors {
  std::vector<uint32_t> of_a;
  std::vector<uint32_t> of_b;
};

// Returns nothing if the motions have no profiles, or if memory runs out. Takes
// O((n + m) log (n + m)).
std::optional<ProfileNeighbors> ProfileNeighborsOf(const MovingTree& a,
                                                   const MovingTree& b);

// Some triangles of a body, as a separate body.
struct BodySubset {
  MovingTree body;
  std::vector<uint32_t> ids;  // ids of its triangles in the whole body

  // Returns nothing if memory runs out. Takes O(n log n).
  static std::optional<BodySubset> Of(const MovingTree& whole,
                                      std::vector<uint32_t> ids);
};

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_INTERNAL_PROFILE_FILTER_H_
