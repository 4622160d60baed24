#include "orbox/bvh/query/mesh_overlap.h"

#include "orbox/bvh/query/internal/pair_sinks.h"
#include "orbox/bvh/query/internal/pairs_below.h"
#include "orbox/bvh/query/internal/sort_pairs.h"

namespace orbox {

std::optional<TrianglePair> FirstOverlappingPair(
    const PosedTree& a, const PosedTree& b, TraversalStatistics* statistics) {
  return FirstOverlap({a, b}, statistics);
}

bool MeshesOverlap(const PosedTree& a, const PosedTree& b,
                   TraversalStatistics* statistics) {
  return FirstOverlap({a, b}, statistics).has_value();
}

std::vector<TrianglePair> OverlappingPairs(const PosedTree& a,
                                           const PosedTree& b,
                                           TraversalStatistics* statistics) {
  std::vector<TrianglePair> pairs;
  OverlappingPairsBelow(a, b, {}, &pairs, statistics);
  SortPairs(&pairs);
  return pairs;
}

void OverlappingPairsBelow(const PosedTree& a, const PosedTree& b,
                           const SubtreePair& below,
                           std::vector<TrianglePair>* pairs,
                           TraversalStatistics* statistics) {
  CollectingPairs<TrianglePair> sink(pairs);
  FindOverlaps({a, b, nullptr, {0, 0, below}}, sink, statistics);
}

}  // namespace orbox
