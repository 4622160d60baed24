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
// before. Changes take effect at Update. Reading is thread-safe between
// updates.
#ifndef ORBOX_BVH_BROAD_PHASE_BROAD_PHASE_H_
#define ORBOX_BVH_BROAD_PHASE_BROAD_PHASE_H_

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orbox/overlap/export.h"
#include "orbox/overlap/shapes.h"

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

  // Of the last Update.
  virtual std::span<const BodyPair> pairs() const = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_BROAD_PHASE_H_
