// Which of n bodies may touch? Boxes in, pairs of boxes that meet out, kept
// from frame to frame.
//
//   std::unique_ptr<BroadPhase> phase = MakeBroadPhase();
//   phase->Insert(0, box_0); phase->Insert(1, box_1);
//   phase->Update();
//   for (const BodyPair& p : phase->pairs()) ...   // boxes that meet
//   phase->Move(1, elsewhere); phase->Update();    // the next frame
//
// Exact: a pair is listed if and only if its boxes meet, touching included, in
// the doubles given. Pairs ascend by (a, b), and do not depend on the kind of
// broad phase, on the order of calls between two updates, or on what was
// before. Changes take effect at Update. Any number of threads may read a broad
// phase that none is changing.
//
// Where memory runs out, std::bad_alloc: Insert, Move and Remove have then
// changed nothing; after an Update that failed there are no pairs, and the next
// one that succeeds has them all.
//
// Which kinds there are is told by broad_phases.h, and what has changed since
// the frame before by pair_changes.h.
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

// A body's number. Memory is proportional to the largest in use.
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

  // Requires IsValid(box) of all; a body that is absent (Insert), or present
  // (Move, Remove).
  virtual void Insert(BodyId body, const Aabb& box) = 0;
  virtual void Move(BodyId body, const Aabb& box) = 0;
  virtual void Remove(BodyId body) = 0;

  // Brings pairs() up to date with the calls before.
  virtual void Update() = 0;

  // Of the last Update, and valid until the next.
  virtual std::span<const BodyPair> pairs() const = 0;

  // The questions below require that nothing was inserted, moved or removed
  // since the last Update. The first of them after an Update may take O(n).

  // Calls visit(body) for each body whose box meets `box`, touching included,
  // in no particular order. Requires IsValid(box).
  virtual void FindBodies(const Aabb& box,
                          absl::FunctionRef<void(BodyId)> visit) const = 0;

  // Is told of a body and a number that is certainly not above its distance,
  // and returns the greatest distance that is still of interest.
  using VisitAtDistance = absl::FunctionRef<double(BodyId, double at_least)>;

  // Calls visit(body, at_least) for the bodies whose boxes may be as close to
  // `from` as is of interest, ascending by a lower bound of the distance
  // between the two boxes, which is 0 where they meet and falls short of it by
  // rounding alone. Of interest is at first what is within `distance`, which
  // may be infinite, and then what the last visit returned, if that is less.
  virtual void VisitNearest(const Aabb& from, double distance,
                            VisitAtDistance visit) const = 0;

  // The same along a ray: distances are lower bounds of the least t >= 0 for
  // which origin + t * direction is in a body's box. Boxes that a ray misses by
  // rounding alone may be visited; requires a finite ray.
  virtual void VisitAlong(const Ray& ray, double t_max,
                          VisitAtDistance visit) const = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_BROAD_PHASE_H_
