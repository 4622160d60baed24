// SPDX-License-Identifier: Apache-2.0

// Profiles of the triangles of two moving bodies: the regions in which they
// stay, in a plane of two coordinates common to both bodies. Private.
//
//   if (const auto profiles = ProfilesOf(a, b, {1, 2}, {7})) ...
//
// Neither body's motion changes the coordinates of its points, or changes them
// only a little:
// - If both bodies turn about one axis, or only one turns: the distance from
//   that axis, and the height along it, as on the drawing of a turned part. A
//   profile is a rectangle around the ring in which a triangle stays.
// - If neither turns: the two coordinates across the relative motion, as on the
//   drawing of a rail. A profile is the projection of the triangle. If both
//   turn alike and one slides along the axis, the coordinates are those across
//   the axis.
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

// A convex polygon, possibly flat. It has `count` corners (x, y, 0), 3 or 4, in
// their order around it.
struct Profile {
  std::array<Vec3, 4> corners;
  size_t count = 0;
};

// The profiles of triangles of both bodies. Two triangles never touch if their
// profiles are farther apart than the margin. The margin covers rounding and
// the deviation of coordinates that are only nearly conserved.
struct Profiles {
  std::vector<Profile> of_a;
  std::vector<Profile> of_b;
  double margin = 0;
};

// Returns the profiles of the triangles with these ids, in order. Returns
// nothing if there are no such coordinates: both bodies turn and their axes are
// not nearly one line, or neither moves relative to the other. O(n + m).
std::optional<Profiles> ProfilesOf(const MovingTree& a, const MovingTree& b,
                                   const std::vector<uint32_t>& ids_of_a,
                                   const std::vector<uint32_t>& ids_of_b);

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_INTERNAL_PROFILE_H_
