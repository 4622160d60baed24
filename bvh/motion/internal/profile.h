// SPDX-License-Identifier: Apache-2.0

// Where does each triangle of two moving bodies stay, in a plane of two
// coordinates that is the same for both? Private.
//
//   if (const auto profiles = ProfilesOf(a, b, {1, 2}, {7})) ...
//
// The coordinates are such that neither body's motion changes those of its
// points, or hardly:
// - where bodies turn about one axis, or only one turns: the distance from that
//   axis, and the height along it, as on the drawing of a turned part. A
//   profile is a rectangle around the ring in which a triangle stays;
// - where none turns: the two across the way that one goes as seen from the
//   other, as on the drawing of a rail. A profile is the triangle's shadow. So
//   it is across the axis, where both turn alike and one slides along it.
#ifndef ORBOX_BVH_MOTION_INTERNAL_PROFILE_H_
#define ORBOX_BVH_MOTION_INTERNAL_PROFILE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A convex polygon, maybe flat: `count` corners (x, y, 0), in their order
// around it; 3 or 4.
struct Profile {
  std::array<Vec3, 4> corners;
  size_t count = 0;
};

// Triangles touch at no time if their profiles are farther apart
// than the margin, which accounts for rounding and for what is not quite
// conserved.
struct Profiles {
  std::vector<Profile> of_a;
  std::vector<Profile> of_b;
  double margin = 0;
};

// Nothing where there are no such coordinates: both turn and their axes are not
// nearly one line, or none moves as seen from the other. Otherwise those of the
// triangles with these ids, in their order. O(n + m).
std::optional<Profiles> ProfilesOf(const MovingTree& a, const MovingTree& b,
                                   const std::vector<uint32_t>& ids_of_a,
                                   const std::vector<uint32_t>& ids_of_b);

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_INTERNAL_PROFILE_H_
