// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/internal/phase.h"

#include "orbox/bvh/base/internal/radix_sort.h"

namespace orbox {

void SortBodyPairs(std::vector<BodyPair>* pairs,
                   std::vector<BodyPair>* scratch) {
  RadixSortPairs(pairs, scratch,
                 [](const BodyPair& pair) -> const BodyPair& { return pair; });
}

void Phase::Update() {
  if (bodies_.touched().empty()) return;
  has_tree_.store(false, std::memory_order_relaxed);
  if (has_failed_) bodies_.TouchAll();
  steps_ = 0;
  try {
    FindPairs(bodies_, &pairs_);
  } catch (...) {
    has_failed_ = true;
    pairs_.clear();
    Forget();
    throw;
  }
  has_failed_ = false;
  bodies_.ForgetTouched();
}

void Phase::FindBodies(const Aabb& box,
                       absl::FunctionRef<void(BodyId)> visit) const {
  tree().FindBodies(box, visit);
}

void Phase::VisitNearest(const Aabb& from, double distance,
                         VisitAtDistance visit) const {
  tree().VisitNearest(from, distance, visit);
}

void Phase::VisitAlong(const Ray& ray, double t_max,
                       VisitAtDistance visit) const {
  tree().VisitAlong(ray, t_max, visit);
}

const BoxTree& Phase::tree() const {
  if (!has_tree_.load(std::memory_order_acquire)) {
    const std::lock_guard<std::mutex> lock(building_);
    if (!has_tree_.load(std::memory_order_relaxed)) {
      tree_.Build(bodies_);
      has_tree_.store(true, std::memory_order_release);
    }
  }
  return tree_;
}

}  // namespace orbox
