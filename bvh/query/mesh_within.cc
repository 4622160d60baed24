#include "orbox/bvh/query/mesh_within.h"

#include "orbox/bvh/query/internal/pair_sinks.h"
#include "orbox/bvh/query/internal/pairs_below.h"
#include "orbox/bvh/query/internal/sort_pairs.h"

namespace orbox {

bool MeshesWithin(const PosedTree& a, const PosedTree& b, double distance,
                  TraversalStatistics* statistics) {
  return distance >= 0 && IsAnyWithin({a, b}, distance, statistics);
}

std::vector<PairDistance> PairsWithin(const PosedTree& a, const PosedTree& b,
                                      double distance,
                                      TraversalStatistics* statistics) {
  std::vector<PairDistance> pairs;
  PairsWithinBelow(a, b, distance, {}, &pairs, statistics);
  SortPairs(&pairs);
  return pairs;
}

void VisitPairsWithin(const PosedTree& a, const PosedTree& b, double distance,
                      PairVisitor visitor, TraversalStatistics* statistics) {
  if (!(distance >= 0)) return;
  VisitingPairs<PairDistance> sink(visitor);
  FindWithin({a, b}, distance, sink, statistics);
}

void PairsWithinBelow(const PosedTree& a, const PosedTree& b, double distance,
                      const SubtreePair& below,
                      std::vector<PairDistance>* pairs,
                      TraversalStatistics* statistics) {
  if (!(distance >= 0)) return;
  CollectingPairs<PairDistance> sink(pairs);
  FindWithin({a, b, nullptr, {0, 0, below}}, distance, sink, statistics);
}

}  // namespace orbox
