// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/self_overlap.h"

#include "orbox/bvh/query/internal/pair_run.h"

namespace orbox {

bool AnySelfOverlap(const Tree& tree, const SelfOptions& options) {
  const PosedTree posed(tree);
  const SelfPairs self(tree.mesh(), options.shared_corners);
  const auto ask = [](const PairScope& scope, TraversalStatistics* s) {
    return FirstOverlap(scope, s).has_value();
  };
  return AnyPair(PairScope::OfSelf(posed, self), 0, ask, Execution(options));
}

size_t CountSelfOverlaps(const Tree& tree, const SelfOptions& options) {
  const PosedTree posed(tree);
  const SelfPairs self(tree.mesh(), options.shared_corners);
  return CountPairs<TrianglePair>(PairScope::OfSelf(posed, self), 0,
                                  FindOverlaps, Execution(options));
}

std::vector<TrianglePair> AllSelfOverlaps(const Tree& tree,
                                          const SelfOptions& options) {
  const PosedTree posed(tree);
  const SelfPairs self(tree.mesh(), options.shared_corners);
  return AllPairs<TrianglePair>(PairScope::OfSelf(posed, self), 0, FindOverlaps,
                                Execution(options));
}

void VisitSelfOverlaps(const Tree& tree, PairVisitor visitor,
                       const SelfOptions& options) {
  const PosedTree posed(tree);
  const SelfPairs self(tree.mesh(), options.shared_corners);
  VisitPairs<TrianglePair>(PairScope::OfSelf(posed, self), 0, FindOverlaps,
                           visitor, Execution(options));
}

}  // namespace orbox
