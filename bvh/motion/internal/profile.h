// SPDX-License-Identifier: Apache-2.0

// Profiles of the triangles of two moving bodies. A profile is the region of a
// plane in which a triangle stays during the motion. Both bodies share the
// plane's two coordinates. Private.
//
//   if (const auto profiles = ProfilesOf(a, b, {1, 2}, {7})) ...
//
// The coordinates are chosen such that the motions do not change them, or only
// slightly:
// - If both bodies turn about one axis, or only one turns: the distance from
//   that axis, and the height along it. A profile is a rectangle that contains
//   the ring in which a triangle stays.
// - If neither turns: the two coordinates across the relative motion. A profile
//   is the projection of the triangle. If both turn alike and one slides along
//   the axis, the coordinates are those across the axis.
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

// A convex polygon, which may be flat. It has `count` corners (x, y, 0), 3 or
// 4, in order around it.
struct Profile {
  std::array<Vec3, 4> corners;
  size_t count = 0;
};

// Profiles of triangles of both bodies. Two triangles never touch if their
// profiles are farther apart than the margin. The margin covers rounding and
// small changes of the coordinates.
struct Profiles {
  std::vector<Profile> of_a;
  std::vector<Profile> of_b;
  double margin = 0;
};

// Returns the profiles of the triangles with these ids, in order. Returns
// nothing if there are no suitable coordinates. This is the case if both bodies
// turn and their axes are not nearly one line, or if neither moves relative to
// the other. O(n + m).
std::optional<Profiles> ProfilesOf(const MovingTree& a, const MovingTree& b,
                                   const std::vector<uint32_t>& ids_of_a,
                                   const std::vector<uint32_t>& ids_of_b);

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_INTERNAL_PROFILE_H_
