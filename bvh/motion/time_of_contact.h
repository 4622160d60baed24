// When do two meshes that move rigidly first touch?
//
//   TimeOfContactResult r = TimeOfContact(*body, *wall, {.tolerance = 1e-3});
//   if (r.outcome != MotionOutcome::kApart) StopAt(r.earliest);
//
// Surfaces, not solids, at the times from 0 to 1 of the motions that
// rigid_motion.h defines. Before `earliest` they certainly do not touch: the
// steps are never too long, and what rounding does to poses is allowed for, so
// that nothing tunnels however fast and thin. How close to the first contact
// that is depends on `tolerance`, a distance: they are followed until they come
// within it.
//
// Conservative advancement: pairs of triangles that are further apart than the
// bodies can go are left alone; each of the others is given the time in which
// it cannot meet, by how fast its triangles close in on the plane between them.
// Mirtich, "Impulse-based dynamic simulation", 1996; Tang, Kim, Manocha,
// "C2A: controlled conservative advancement for continuous collision
// detection", 2009. About ten steps of a rough distance query each, and of some
// pairs where they are near; more where surfaces slide along each other. How
// long steps are, and so the times to within the tolerance, depends on the
// trees. Thread-safe; allocates lists of what is left to visit.
#ifndef ORBOX_BVH_MOTION_TIME_OF_CONTACT_H_
#define ORBOX_BVH_MOTION_TIME_OF_CONTACT_H_

#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct TimeOfContactOptions {
  // They are followed until they are this close; 0 is 2^-20 of the diagonal of
  // the larger mesh. No less than what rounding leaves open: four times the
  // motions' errors, and 2^-45 of the way that a point goes.
  double tolerance = 0;
  // More steps than this are not taken; each is about a distance query or a
  // few.
  int max_steps = 100000;
};

enum class MotionOutcome {
  // They certainly do not touch, from 0 to 1.
  kApart,
  // They certainly touch, up to the rounding of poses: the meshes of At(latest)
  // meet.
  kContact,
  // At `earliest` they are within the tolerance; they may only pass.
  kNear,
  // max_steps were not enough. No statement about what is after `earliest`.
  kUndecided,
};

struct TimeOfContactResult {
  MotionOutcome outcome = MotionOutcome::kApart;
  // They certainly do not touch at times before; 1 with kApart.
  double earliest = 1;
  // With kContact, they touch at or before it. 1 with kApart and kUndecided,
  // `earliest` with kNear.
  double latest = 1;
  // With kContact and kNear, the distance of the meshes as At(earliest) has
  // them, and where it is; otherwise that of some triangles at the last step.
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
