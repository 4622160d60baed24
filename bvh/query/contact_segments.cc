#include "orbox/bvh/query/contact_segments.h"

#include <algorithm>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/contact_segments.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Hands every contact to the visitor.
class ContactQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;

  explicit ContactQuery(ContactVisitor visitor) : visitor_(visitor) {}

  double bound() const { return 0; }

  template <typename Counters>
  Step Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
             Counters& counters) {
    const TriangleContact contact = ContactOf(a, b, counters.arithmetic());
    if (contact.IsEmpty()) return Step::kContinue;
    counters.Contribute();
    return visitor_({ids, contact}) == Visit::kStop ? Step::kStop
                                                    : Step::kContinue;
  }

 private:
  ContactVisitor visitor_;
};

void ContactLoop(const PosedTree& a, const PosedTree& b, ContactVisitor visitor,
                 TraversalStatistics* statistics) {
  ContactQuery query(visitor);
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    TwoTrees<ContactQuery, Counters>(a, b, query, counters).Traverse();
  });
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(ContactLoop);

std::vector<PairContact> MeshContacts(const PosedTree& a, const PosedTree& b,
                                      TraversalStatistics* statistics) {
  std::vector<PairContact> contacts;
  VisitMeshContacts(
      a, b,
      [&contacts](const PairContact& contact) {
        contacts.push_back(contact);
        return Visit::kContinue;
      },
      statistics);
  std::sort(contacts.begin(), contacts.end(),
            [](const PairContact& x, const PairContact& y) {
              return x.triangles < y.triangles;
            });
  return contacts;
}

void VisitMeshContacts(const PosedTree& a, const PosedTree& b,
                       ContactVisitor visitor,
                       TraversalStatistics* statistics) {
  ORBOX_DYNAMIC_DISPATCH(ContactLoop)(a, b, visitor, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
