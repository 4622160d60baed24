#include "orbox/bvh/query/mesh_distance.h"

#include "orbox/bvh/traverse/internal/pair_search.h"

namespace orbox {

MeshDistanceResult MeshDistance(const PosedTree& a, const PosedTree& b,
                                TraversalStatistics* statistics) {
  return *MeshDistanceWithin(a, b, std::numeric_limits<double>::infinity(),
                             statistics);
}

std::optional<MeshDistanceResult> MeshDistanceWithin(
    const PosedTree& a, const PosedTree& b, double max_distance,
    TraversalStatistics* statistics) {
  if (!(max_distance >= 0)) return std::nullopt;
  return FindClosest(a, b, {max_distance}, statistics).witness;
}

}  // namespace orbox
