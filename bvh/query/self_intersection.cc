#include "orbox/bvh/query/self_intersection.h"

#include <utility>

#include "orbox/bvh/query/internal/pairs_below.h"
#include "orbox/bvh/query/internal/sort_pairs.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/self_intersection.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/self_tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Hands every pair that intersects to the visitor.
class SelfIntersectionQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;

  SelfIntersectionQuery(const Mesh& mesh, SharedCorners shared,
                        SelfPairVisitor visitor)
      : mesh_(mesh), shared_(shared), visitor_(visitor) {}

  double bound() const { return 0; }

  void SetWithinLeaf(bool within) { within_leaf_ = within; }

  template <typename Counters>
  Step Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
             Counters& counters) {
    if (ids.a >= ids.b) {
      if (within_leaf_) {
        // It comes in its other order, too, or is none.
        counters.TestTriangles(0, 1);
        return Step::kContinue;
      }
      std::swap(ids.a, ids.b);
    }
    if (!Intersect(ids, a, b, counters.arithmetic())) return Step::kContinue;
    counters.Contribute();
    return visitor_(ids) == Visit::kStop ? Step::kStop : Step::kContinue;
  }

 private:
  // `a` and `b` are the triangles, in any order.
  bool Intersect(TrianglePair ids, const Triangle& a, const Triangle& b,
                 ArithmeticCounts* counts) const {
    const CornerSet shared = shared_ == SharedCorners::kByPosition
                                 ? CommonCorners(a, b)
                                 : CommonIndices(ids);
    if (shared.size() != 0 && shared.size() == CornersOf(a).size() &&
        shared.size() == CornersOf(b).size()) {
      if (counts != nullptr) ++counts->by_double;
      return true;
    }
    return OverlapsBeyond(a, b, shared.points(), counts);
  }

  CornerSet CommonIndices(TrianglePair ids) const {
    const TriangleIndices& a = mesh_.triangles()[ids.a];
    const TriangleIndices& b = mesh_.triangles()[ids.b];
    CornerSet common;
    for (const uint32_t i : a) {
      if (i == b[0] || i == b[1] || i == b[2]) {
        common.Add(mesh_.vertices()[i]);
      }
    }
    return common;
  }

  const Mesh& mesh_;
  SharedCorners shared_;
  SelfPairVisitor visitor_;
  bool within_leaf_ = false;
};

void SelfIntersectionLoop(const Tree& tree, SharedCorners shared,
                          const SelfPart& part, SelfPairVisitor visitor,
                          TraversalStatistics* statistics) {
  const PosedTree posed(tree);
  SelfIntersectionQuery query(tree.mesh(), shared, visitor);
  RunCounted(
      statistics,
      [&]<typename Counters>(Counters& counters) HWY_ATTR {
        SelfTree<SelfIntersectionQuery, Counters>(posed, query, counters)
            .Traverse(part);
      },
      part.below.depth);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(SelfIntersectionLoop);

bool SelfIntersects(const Tree& tree, SharedCorners shared,
                    TraversalStatistics* statistics) {
  bool found = false;
  VisitSelfIntersections(
      tree,
      [&found](TrianglePair) {
        found = true;
        return Visit::kStop;
      },
      shared, statistics);
  return found;
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
  ORBOX_DYNAMIC_DISPATCH(SelfIntersectionLoop)
  (tree, shared, SelfPart::Of(tree), visitor, statistics);
}

void SelfIntersectionsOf(const Tree& tree, SharedCorners shared,
                         const SelfPart& part, std::vector<TrianglePair>* pairs,
                         TraversalStatistics* statistics) {
  const auto collect = [pairs](TrianglePair pair) {
    pairs->push_back(pair);
    return Visit::kContinue;
  };
  ORBOX_DYNAMIC_DISPATCH(SelfIntersectionLoop)
  (tree, shared, part, collect, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
