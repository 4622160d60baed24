#include "orbox/bvh/query/self_intersection.h"

#include "orbox/bvh/query/internal/pair_sinks.h"
#include "orbox/bvh/query/internal/pairs_below.h"
#include "orbox/bvh/query/internal/sort_pairs.h"

namespace orbox {

bool SelfIntersects(const Tree& tree, SharedCorners shared,
                    TraversalStatistics* statistics) {
  const PosedTree posed(tree);
  const SelfPairs self(tree.mesh(), shared);
  return FirstOverlap(PairScope::OfSelf(posed, self), statistics).has_value();
}

std::vector<TrianglePair> SelfIntersections(const Tree& tree,
                                            SharedCorners shared,
                                            TraversalStatistics* statistics) {
  std::vector<TrianglePair> pairs;
  SelfIntersectionsOf(tree, shared, SelfPart::Of(tree), &pairs, statistics);
  SortPairs(&pairs);
  return pairs;
}

void VisitSelfIntersections(const Tree& tree, SelfPairVisitor visitor,
                            SharedCorners shared,
                            TraversalStatistics* statistics) {
  const PosedTree posed(tree);
  const SelfPairs self(tree.mesh(), shared);
  VisitingPairs<TrianglePair> sink(visitor);
  FindOverlaps(PairScope::OfSelf(posed, self), sink, statistics);
}

void SelfIntersectionsOf(const Tree& tree, SharedCorners shared,
                         const SelfPart& part, std::vector<TrianglePair>* pairs,
                         TraversalStatistics* statistics) {
  const PosedTree posed(tree);
  const SelfPairs self(tree.mesh(), shared);
  CollectingPairs<TrianglePair> sink(pairs);
  FindOverlaps({posed, posed, &self, part}, sink, statistics);
}

}  // namespace orbox
