// SPDX-License-Identifier: Apache-2.0

// When do two meshes that move rigidly first touch?
//
//   TimeOfContactResult r = TimeOfContact(*body, *wall, {.tolerance = 1e-3});
//   if (r.outcome != MotionOutcome::kApart) StopAt(r.earliest);
//
// For surfaces, not solids, at times from 0 to 1 of the motions in
// rigid_motion.h. Before `earliest` the meshes certainly do not touch: steps
// are never too long, and the bounds include the rounding of poses. So nothing
// tunnels, however fast and thin. The search stops when the meshes are within
// `tolerance`, a distance.
//
// Conservative advancement: pairs of triangles that are farther apart than the
// bodies can move are skipped. Each other pair gets the time during which it
// cannot touch, from the speed at which its triangles approach the plane
// between them. Mirtich, "Impulse-based dynamic simulation", 1996; Tang, Kim,
// Manocha, "C2A: controlled conservative advancement for continuous collision
// detection", 2009. A motion takes about ten steps; each is a rough distance
// query, and one for some pairs when the meshes are near. Where steps are many,
// triangles that never touch for what their motion conserves are left out:
// O(n log n), once. Bodies of which one turns, or both about one axis, conserve
// distances from the axis and heights, as a shaft in its bearing. Bodies that
// do not turn, as seen from each other, conserve what lies across their way, as
// a slide on its rail; if something turns both, it has to be about that way.
// What one motion carries is at rest. Other surfaces that slide along each
// other need as many steps as 1 / gap. The length of steps, and so the times to
// within the tolerance, depend on the trees. Thread-safe; allocates priority
// queues.
#ifndef ORBOX_BVH_MOTION_TIME_OF_CONTACT_H_
#define ORBOX_BVH_MOTION_TIME_OF_CONTACT_H_

#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct TimeOfContactOptions {
  // The search stops when the meshes are this close. 0 means 2^-20 of the
  // diagonal of the larger mesh. It is never less than rounding allows: four
  // times the motions' errors, and 2^-45 of the way that a point moves.
  double tolerance = 0;
  // The largest number of steps; each is about one or a few distance queries.
  int max_steps = 100000;
};

enum class MotionOutcome {
  // They certainly do not touch, from 0 to 1.
  kApart,
  // They certainly touch, up to the rounding of poses: the meshes of At(latest)
  // overlap.
  kContact,
  // At `earliest` they are within the tolerance. They may only pass each other.
  kNear,
  // max_steps were not enough. Nothing is known about times after `earliest`.
  kUndecided,
};

struct TimeOfContactResult {
  MotionOutcome outcome = MotionOutcome::kApart;
  // They certainly do not touch before this time; 1 with kApart.
  double earliest = 1;
  // With kContact, they touch at or before this time. 1 with kApart and
  // kUndecided, `earliest` with kNear.
  double latest = 1;
  // With kContact and kNear, the distance of the meshes at At(earliest) and its
  // witness; otherwise the distance of some triangles at the last step.
  double distance = 0;
  TrianglePair triangles;
  Vec3 on_a;
  Vec3 on_b;
  int steps = 0;
};

ORBOX_EXPORT TimeOfContactResult
TimeOfContact(const MovingTree& a, const MovingTree& b,
              const TimeOfContactOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_TIME_OF_CONTACT_H_
