#include "orbox/bvh/query/contact_segments.h"

#include <algorithm>

#include "orbox/bvh/query/internal/pair_sinks.h"

namespace orbox {

std::vector<PairContact> MeshContacts(const PosedTree& a, const PosedTree& b,
                                      TraversalStatistics* statistics) {
  std::vector<PairContact> contacts;
  for (const TrianglePair& pair : OverlappingPairs(a, b, statistics)) {
    contacts.push_back(
        {pair, ContactOf(a.triangle(pair.a), b.triangle(pair.b))});
  }
  return contacts;
}

void VisitMeshContacts(const PosedTree& a, const PosedTree& b,
                       ContactVisitor visitor,
                       TraversalStatistics* statistics) {
  const auto visit = [&](TrianglePair pair) {
    return visitor({pair, ContactOf(a.triangle(pair.a), b.triangle(pair.b))});
  };
  VisitingPairs<TrianglePair> sink(visit);
  FindOverlaps({a, b}, sink, statistics);
}

}  // namespace orbox
