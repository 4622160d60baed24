// SPDX-License-Identifier: Apache-2.0

// Base of all kinds of broad phases: the bodies, the pairs, and the queries
// other than pairs. A tree answers those queries; the first query after an
// update builds it. Private.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_PHASE_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_PHASE_H_

#include <atomic>
#include <mutex>
#include <span>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/broad_phase/internal/bodies.h"
#include "orbox/bvh/broad_phase/internal/box_tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Sorts by a, then by b, in linear time. `scratch` is memory that a caller may
// keep for the next call.
ORBOX_EXPORT void SortBodyPairs(std::vector<BodyPair>* pairs,
                                std::vector<BodyPair>* scratch);

class ORBOX_EXPORT Phase : public BroadPhase {
 public:
  void Insert(BodyId body, const Aabb& box) final { bodies_.Insert(body, box); }
  void Move(BodyId body, const Aabb& box) final { bodies_.Move(body, box); }
  void Remove(BodyId body) final { bodies_.Remove(body); }
  void Update() final;
  std::span<const BodyPair> pairs() const final { return pairs_; }

  void FindBodies(const Aabb& box,
                  absl::FunctionRef<void(BodyId)> visit) const final;
  void VisitNearest(const Aabb& from, double distance,
                    VisitAtDistance visit) const final;
  void VisitAlong(const Ray& ray, double t_max,
                  VisitAtDistance visit) const final;

  // Steps of the last update, counted as in sweep.h; for tests. 0 for kinds
  // that do not count steps.
  size_t steps() const { return steps_; }

 protected:
  void AddSteps(size_t steps) { steps_ += steps; }

  // Sorts pairs in ascending order.
  void Sort(std::vector<BodyPair>* pairs) { SortBodyPairs(pairs, &scratch_); }

 private:
  // Changes `pairs` from those of the previous update to the sorted pairs of
  // these bodies. bodies.touched() lists the bodies that may differ.
  virtual void FindPairs(const Bodies& bodies,
                         std::vector<BodyPair>* pairs) = 0;

  // Drops all state that FindPairs keeps between updates. At the next update,
  // all bodies are among those touched.
  virtual void Forget() noexcept {}

  const BoxTree& tree() const;

  Bodies bodies_;
  std::vector<BodyPair> pairs_;
  std::vector<BodyPair> scratch_;
  size_t steps_ = 0;
  bool has_failed_ = false;  // the previous update threw
  mutable std::mutex building_;
  mutable std::atomic<bool> has_tree_ = false;
  mutable BoxTree tree_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_PHASE_H_
