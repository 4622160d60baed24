#include "orbox/bvh/query/mesh_distance_variants.h"

#include <algorithm>

#include "orbox/bvh/query/mesh_within.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {

MeshDistanceResult MeshDistanceFrom(const PosedTree& a, const PosedTree& b,
                                    TrianglePair guess,
                                    TraversalStatistics* statistics) {
  // No pair that is closer, or as close, is beyond it.
  const double bound =
      Distance(a.triangle(guess.a), b.triangle(guess.b)).distance;
  return *MeshDistanceWithin(a, b, AboveRounded(bound), statistics);
}

std::vector<TrianglePair> ClosestPairs(const PosedTree& a, const PosedTree& b,
                                       TraversalStatistics* statistics) {
  const double least = MeshDistance(a, b, statistics).distance;
  if (least == 0) return OverlappingPairs(a, b, statistics);
  std::vector<TrianglePair> ties;
  // Some are beyond `least` and round to it.
  VisitPairsWithin(
      a, b, AboveRounded(least),
      [&](const PairDistance& pair) {
        if (pair.distance == least) ties.push_back(pair.triangles);
        return Visit::kContinue;
      },
      statistics);
  std::sort(ties.begin(), ties.end());
  return ties;
}

BoundedDistance MeshDistanceWithError(const PosedTree& a, const PosedTree& b,
                                      const DistanceError& error,
                                      TraversalStatistics* statistics) {
  ClosestSearch search;
  search.relative_error = error.relative;
  search.absolute_error = error.absolute;
  const ClosestFound found = FindClosest(a, b, search, statistics);
  return {*found.witness, found.lower};
}

}  // namespace orbox
