#include "orbox/bvh/query/self_within.h"

#include "orbox/bvh/query/internal/pair_sinks.h"
#include "orbox/bvh/query/internal/pairs_below.h"
#include "orbox/bvh/query/internal/sort_pairs.h"

namespace orbox {

bool SelfWithin(const Tree& tree, double distance, SharedCorners shared,
                TraversalStatistics* statistics) {
  if (!(distance >= 0)) return false;
  const PosedTree posed(tree);
  const SelfPairs self(tree.mesh(), shared);
  return IsAnyWithin(PairScope::OfSelf(posed, self), distance, statistics);
}

std::vector<PairDistance> SelfPairsWithin(const Tree& tree, double distance,
                                          SharedCorners shared,
                                          TraversalStatistics* statistics) {
  std::vector<PairDistance> pairs;
  SelfPairsWithinOf(tree, distance, shared, SelfPart::Of(tree), &pairs,
                    statistics);
  SortPairs(&pairs);
  return pairs;
}

void VisitSelfPairsWithin(const Tree& tree, double distance,
                          PairVisitor visitor, SharedCorners shared,
                          TraversalStatistics* statistics) {
  if (!(distance >= 0)) return;
  const PosedTree posed(tree);
  const SelfPairs self(tree.mesh(), shared);
  VisitingPairs<PairDistance> sink(visitor);
  FindWithin(PairScope::OfSelf(posed, self), distance, sink, statistics);
}

void SelfPairsWithinOf(const Tree& tree, double distance, SharedCorners shared,
                       const SelfPart& part, std::vector<PairDistance>* pairs,
                       TraversalStatistics* statistics) {
  if (!(distance >= 0)) return;
  const PosedTree posed(tree);
  const SelfPairs self(tree.mesh(), shared);
  CollectingPairs<PairDistance> sink(pairs);
  FindWithin({posed, posed, &self, part}, distance, sink, statistics);
}

}  // namespace orbox
