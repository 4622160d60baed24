// SPDX-License-Identifier: Apache-2.0

// Time at which two meshes that move rigidly first touch.
//
//   TimeOfContactResult r = TimeOfContact(*body, *wall, {.tolerance = 1e-3});
//   if (r.outcome != MotionOutcome::kApart) StopAt(r.earliest);
//
// Meshes are surfaces, not solids. Times are from 0 to 1, as in rigid_motion.h.
// Before `earliest`, the meshes certainly do not touch: steps are never too
// long, and the bounds include the rounding of poses. So no contact is missed,
// at any speed and thickness. The search stops when the meshes are within
// `tolerance`, a distance.
//
// Conservative advancement: pairs of triangles that are farther apart than the
// bodies can move are skipped. For each other pair, the time during which it
// cannot touch is computed from the speed at which its triangles approach the
// plane between them. Mirtich, "Impulse-based dynamic simulation", 1996; Tang,
// Kim, Manocha, "C2A: controlled conservative advancement for continuous
// collision detection", 2009. A motion takes about ten steps. Each step is an
// approximate distance query, followed by a query for near pairs if the meshes
// are close.
//
// If there are many steps, triangles that can never touch are removed once, in
// O(n log n). The coordinates that the motion conserves show which these are.
// If only one body turns, or both turn about one axis, distances from the axis
// and heights along it are conserved. An example is a shaft in its bearing. If
// the bodies do not turn relative to each other, the coordinates across the
// direction of motion are conserved. An example is a slide on its rail. If both
// turn together, the axis has to be along that direction. Bodies with the same
// motion are at rest relative to each other. For other surfaces that slide
// along each other, the number of steps is proportional to 1 / gap.
//
// The length of the steps depends on the trees, and so do the times, within the
// tolerance. Has a form with run options (query_options.h), which reports the
// time that has been reached as progress. One thread. Thread-safe; allocates
// priority queues.
#ifndef ORBOX_BVH_MOTION_TIME_OF_CONTACT_H_
#define ORBOX_BVH_MOTION_TIME_OF_CONTACT_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct TimeOfContactOptions {
  // The search stops when the meshes are this close. 0 means 2^-20 of the
  // diagonal of the larger mesh. Values below the rounding errors are raised:
  // to four times the errors of the motions, and to 2^-45 of the path length of
  // a point.
  double tolerance = 0;
  // Upper bound of the number of steps; each costs one or a few distance
  // queries.
  int max_steps = 100000;
};

enum class MotionOutcome {
  // The meshes certainly do not touch, from 0 to 1.
  kApart,
  // The meshes certainly touch, except for the rounding of poses: those of
  // At(latest) overlap.
  kContact,
  // At `earliest` the meshes are within the tolerance. They may pass each other
  // without touching.
  kNear,
  // max_steps were not enough. Nothing is known about times after `earliest`.
  kUndecided,
};

struct TimeOfContactResult {
  MotionOutcome outcome = MotionOutcome::kApart;
  // The meshes certainly do not touch before this time; 1 with kApart.
  double earliest = 1;
  // With kContact, the meshes touch at or before this time. 1 with kApart and
  // kUndecided, and `earliest` with kNear.
  double latest = 1;
  // With kContact and kNear, the distance of the meshes at At(earliest) and its
  // witness. Otherwise the distance of some triangles at the last step.
  double distance = 0;
  TrianglePair triangles;
  Vec3 on_a;
  Vec3 on_b;
  int steps = 0;
};

ORBOX_EXPORT TimeOfContactResult
TimeOfContact(const MovingTree& a, const MovingTree& b,
              const TimeOfContactOptions& options = {});
ORBOX_EXPORT absl::StatusOr<TimeOfContactResult> TimeOfContact(
    const MovingTree& a, const MovingTree& b,
    const TimeOfContactOptions& options, const RunOptions& run);

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_TIME_OF_CONTACT_H_
