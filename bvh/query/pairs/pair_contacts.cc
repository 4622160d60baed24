// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/pair_contacts.h"

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

PairContact ContactOfPair(const PosedTree& a, const PosedTree& b,
                          const TrianglePair& pair) {
  return {pair, ContactOf(a.triangle(pair.a), b.triangle(pair.b))};
}

std::vector<PairContact> FindContacts(const PosedTree& a, const PosedTree& b,
                                      const Execution& run) {
  std::vector<PairContact> contacts;
  for (const TrianglePair& pair : OverlapSearch(run).All({a, b})) {
    run.CheckCancelled();
    contacts.push_back(ContactOfPair(a, b, pair));
  }
  return contacts;
}

void VisitEachContact(const PosedTree& a, const PosedTree& b,
                      ContactVisitor visitor, const Execution& run) {
  OverlapSearch(run).Visit({a, b}, [&](const TrianglePair& pair) {
    return visitor(ContactOfPair(a, b, pair));
  });
}

}  // namespace

std::vector<PairContact> AllContacts(const PosedTree& a, const PosedTree& b) {
  return FindContacts(a, b, Execution(RunOptions()));
}

void VisitContacts(const PosedTree& a, const PosedTree& b,
                   ContactVisitor visitor) {
  VisitEachContact(a, b, visitor, Execution(RunOptions()));
}

absl::StatusOr<std::vector<PairContact>> AllContacts(
    const PosedTree& a, const PosedTree& b, const RunOptions& options) {
  return WithRunOptions(
      options, [&](const Execution& run) { return FindContacts(a, b, run); });
}

absl::Status VisitContacts(const PosedTree& a, const PosedTree& b,
                           ContactVisitor visitor, const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    VisitEachContact(a, b, visitor, run);
  });
}

}  // namespace orbox
