// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/pair_contacts.h"

#include "orbox/bvh/query/pairs/pair_overlap.h"

namespace orbox {

std::vector<PairContact> AllContacts(const PosedTree& a, const PosedTree& b,
                                     const QueryOptions& options) {
  std::vector<PairContact> contacts;
  for (const TrianglePair& pair : AllOverlaps(a, b, options)) {
    contacts.push_back(
        {pair, ContactOf(a.triangle(pair.a), b.triangle(pair.b))});
  }
  return contacts;
}

void VisitContacts(const PosedTree& a, const PosedTree& b,
                   ContactVisitor visitor, const QueryOptions& options) {
  VisitOverlaps(
      a, b,
      [&](const TrianglePair& pair) {
        return visitor(
            {pair, ContactOf(a.triangle(pair.a), b.triangle(pair.b))});
      },
      options);
}

}  // namespace orbox
