// SPDX-License-Identifier: Apache-2.0

// Finds the pairs of overlapping boxes of n bodies, and updates them from frame
// to frame.
//
//   std::unique_ptr<BroadPhase> phase = MakeBroadPhase();
//   phase->Insert(0, box_0); phase->Insert(1, box_1);
//   phase->Update();
//   for (const BodyPair& p : phase->pairs()) ...   // overlapping boxes
//   phase->Move(1, elsewhere); phase->Update();    // the next frame
//
// A pair is listed if and only if its boxes overlap, touching included, in the
// doubles given. Pairs ascend by (a, b). They depend only on the present boxes:
// not on the kind of broad phase, the order of calls between two updates, or
// earlier frames. Changes take effect at Update. Any number of threads may read
// a broad phase while none changes it.
//
// If memory runs out, Insert, Move and Remove throw std::bad_alloc and change
// nothing. If Update throws, pairs() is empty until an Update succeeds, which
// then finds all pairs.
//
// broad_phases/broad_phases.h has other kinds of broad phases, for comparison;
// pair_changes.h compares the pairs of two frames.
#ifndef ORBOX_BVH_BROAD_PHASE_BROAD_PHASE_H_
#define ORBOX_BVH_BROAD_PHASE_BROAD_PHASE_H_

#include <compare>
#include <cstdint>
#include <memory>
#include <span>

#include "absl/functional/function_ref.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Number of a body. Memory is proportional to the largest number in use.
using BodyId = uint32_t;

// Two bodies, a < b.
struct BodyPair {
  BodyId a = 0;
  BodyId b = 0;

  friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

class ORBOX_EXPORT BroadPhase {
 public:
  virtual ~BroadPhase() = default;

  // Insert, Move and Remove end the program with a message if the body is
  // there, or is not, against what they require.

  // Adds a body. Requires IsValid(box), and that the body is absent.
  virtual void Insert(BodyId body, const Aabb& box) = 0;

  // Replaces the box of a body. Requires IsValid(box), and that the body is
  // present.
  virtual void Move(BodyId body, const Aabb& box) = 0;

  // Removes a body. Requires that it is present.
  virtual void Remove(BodyId body) = 0;

  // Updates pairs() after the calls above.
  virtual void Update() = 0;

  // Returns the pairs of the last Update, valid until the next.
  virtual std::span<const BodyPair> pairs() const = 0;

  // The queries below require that no body was inserted, moved or removed since
  // the last Update. The first query after an Update may take O(n).

  // Calls visit(body) for each body whose box overlaps `box`, touching
  // included, in no particular order. Requires IsValid(box).
  virtual void FindBodies(const Aabb& box,
                          absl::FunctionRef<void(BodyId)> visit) const = 0;

  // Receives a body and a lower bound of its distance. Returns the largest
  // distance that is still of interest.
  using VisitAtDistance = absl::FunctionRef<double(BodyId, double at_least)>;

  // Calls visit(body, at_least) for the bodies whose boxes may be within the
  // current limit of `from`, ascending by `at_least`. `at_least` is a lower
  // bound of the distance between the two boxes: 0 if they overlap, otherwise
  // smaller than the distance only by rounding. The limit starts at `distance`,
  // which may be infinite. If a visit returns less than the limit, that becomes
  // the limit.
  virtual void VisitNearest(const Aabb& from, double distance,
                            VisitAtDistance visit) const = 0;

  // Calls visit(body, at_least) along a ray, ascending by `at_least`: a lower
  // bound of the least t >= 0 for which origin + t * direction is in the body's
  // box. The limit starts at `t_max` and falls as in VisitNearest. Boxes that
  // the ray misses only by rounding may be visited. Requires a finite ray.
  virtual void VisitAlong(const Ray& ray, double t_max,
                          VisitAtDistance visit) const = 0;
};

// Makes the broad phase that scenes use. It chooses its method by the number
// and the motion of the bodies, from measured costs.
ORBOX_EXPORT std::unique_ptr<BroadPhase> MakeBroadPhase();

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_BROAD_PHASE_H_
