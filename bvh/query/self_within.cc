#include "orbox/bvh/query/self_within.h"

#include <algorithm>
#include <utility>

#include "orbox/bvh/query/internal/pairs_below.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/self_within.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/self_tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Hands every pair to the visitor, as the query of two trees does
// (mesh_within.cc), once and without neighbours.
class SelfWithinQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;
  static constexpr bool kSharpBounds = true;

  SelfWithinQuery(const Mesh& mesh, double distance, SharedCorners shared,
                  PairVisitor visitor)
      : mesh_(mesh), distance_(distance), shared_(shared), visitor_(visitor) {}

  double bound() const { return distance_; }

  void SetWithinLeaf(bool within) { within_leaf_ = within; }

  template <typename Counters>
  Step Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
             Counters& counters) {
    if (ids.a >= ids.b && within_leaf_) {
      // It comes in its other order, too, or is none.
      counters.TestTriangles(0, 1);
      return Step::kContinue;
    }
    // Neighbours share corners in either arithmetic: comparing decides.
    if (AreNeighbours(ids, a, b)) {
      counters.TestTriangles(0, 1);
      return Step::kContinue;
    }
    const double d = DistanceBetween(a, b, counters.arithmetic());
    if (d > distance_) return Step::kContinue;
    if (d == distance_ && !WithinDistance(a, b, distance_)) {
      return Step::kContinue;
    }
    counters.Contribute();
    if (ids.a > ids.b) std::swap(ids.a, ids.b);
    return visitor_({ids, d}) == Visit::kStop ? Step::kStop : Step::kContinue;
  }

 private:
  bool AreNeighbours(TrianglePair ids, const Triangle& a,
                     const Triangle& b) const {
    if (shared_ == SharedCorners::kByPosition) {
      return CommonCorners(a, b).size() != 0;
    }
    const TriangleIndices& s = mesh_.triangles()[ids.a];
    const TriangleIndices& t = mesh_.triangles()[ids.b];
    return std::find_first_of(s.begin(), s.end(), t.begin(), t.end()) !=
           s.end();
  }

  const Mesh& mesh_;
  double distance_;
  SharedCorners shared_;
  PairVisitor visitor_;
  bool within_leaf_ = false;
};

void SelfWithinLoop(const Tree& tree, double distance, SharedCorners shared,
                    const SelfPart& part, PairVisitor visitor,
                    TraversalStatistics* statistics) {
  const PosedTree posed(tree);
  SelfWithinQuery query(tree.mesh(), distance, shared, visitor);
  RunCounted(
      statistics,
      [&]<typename Counters>(Counters& counters) HWY_ATTR {
        SelfTree<SelfWithinQuery, Counters>(posed, query, counters)
            .Traverse(part);
      },
      part.below.depth);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(SelfWithinLoop);

bool SelfWithin(const Tree& tree, double distance, SharedCorners shared,
                TraversalStatistics* statistics) {
  bool found = false;
  VisitSelfPairsWithin(
      tree, distance,
      [&found](const PairDistance&) {
        found = true;
        return Visit::kStop;
      },
      shared, statistics);
  return found;
}

std::vector<PairDistance> SelfPairsWithin(const Tree& tree, double distance,
                                          SharedCorners shared,
                                          TraversalStatistics* statistics) {
  std::vector<PairDistance> pairs;
  SelfPairsWithinOf(tree, distance, shared, SelfPart::Of(tree), &pairs,
                    statistics);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

void VisitSelfPairsWithin(const Tree& tree, double distance,
                          PairVisitor visitor, SharedCorners shared,
                          TraversalStatistics* statistics) {
  if (!(distance >= 0)) return;
  ORBOX_DYNAMIC_DISPATCH(SelfWithinLoop)
  (tree, distance, shared, SelfPart::Of(tree), visitor, statistics);
}

void SelfPairsWithinOf(const Tree& tree, double distance, SharedCorners shared,
                       const SelfPart& part, std::vector<PairDistance>* pairs,
                       TraversalStatistics* statistics) {
  if (!(distance >= 0)) return;
  const auto collect = [pairs](const PairDistance& pair) {
    pairs->push_back(pair);
    return Visit::kContinue;
  };
  ORBOX_DYNAMIC_DISPATCH(SelfWithinLoop)
  (tree, distance, shared, part, collect, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
