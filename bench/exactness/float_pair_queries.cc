// SPDX-License-Identifier: Apache-2.0

// The queries of float_queries.h for two meshes.
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "bench/exactness/float_queries.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/exactness/float_pair_queries.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Pairs that overlap by float. Those that float leaves undecided do not count.
class FloatOverlapQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;
  static constexpr bool kTouching = true;

  FloatOverlapQuery(std::vector<TrianglePair>* pairs, Step after_one)
      : pairs_(*pairs), after_one_(after_one) {}

  static constexpr double bound() { return 0; }
  static constexpr bool wants_normals() { return false; }
  bool wants_one() const { return after_one_ == Step::kStop; }
  static constexpr bool only_whether() { return false; }

  Step VisitLeaves(const LeafPairs& leaves, const PairLimits& /*limits*/,
                   NoCounters& /*counters*/) {
    for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      for (uint32_t yes = leaves.TestOverlap(i).yes; yes != 0; yes &= yes - 1) {
        pairs_.push_back(leaves.Ids(i, std::countr_zero(yes)));
        if (after_one_ == Step::kStop) return Step::kStop;
      }
    }
    return Step::kContinue;
  }

 private:
  std::vector<TrianglePair>& pairs_;
  Step after_one_;
};

// Pairs within a distance, with their distance by float.
class FloatWithinQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;
  static constexpr bool kTouching = false;

  FloatWithinQuery(double distance, std::vector<PairDistance>* pairs,
                   Step after_one)
      : distance_(distance), pairs_(*pairs), after_one_(after_one) {}

  double bound() const { return distance_; }
  static constexpr bool wants_normals() { return true; }
  bool wants_one() const { return after_one_ == Step::kStop; }

  Step VisitLeaves(const LeafPairs& leaves, PairLimits& limits,
                   NoCounters& /*counters*/) {
    alignas(32) float lower[kLanes];
    float unused = *limits.upper();
    for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      uint32_t near = leaves.NearByBounds(i, limits.near(), lower, &unused);
      for (; near != 0; near &= near - 1) {
        const int j = std::countr_zero(near);
        pairs_.push_back({leaves.Ids(i, j), limits.InWorld(lower[j])});
        if (after_one_ == Step::kStop) return Step::kStop;
      }
    }
    return Step::kContinue;
  }

 private:
  double distance_;
  std::vector<PairDistance>& pairs_;
  Step after_one_;
};

class FloatDistanceQuery {
 public:
  static constexpr Order kOrder = Order::kBestFirst;
  static constexpr bool kTouching = false;

  static double bound() { return std::numeric_limits<double>::infinity(); }
  static constexpr bool wants_normals() { return true; }

  Step VisitLeaves(const LeafPairs& leaves, PairLimits& limits,
                   NoCounters& /*counters*/) {
    alignas(32) float lower[kLanes];
    for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      const float before = *limits.upper();
      uint32_t near =
          leaves.NearByBounds(i, limits.near(), lower, limits.upper());
      limits.Narrow();
      if (!(*limits.upper() < before) || near == 0) continue;
      int best = std::countr_zero(near);
      for (; near != 0; near &= near - 1) {
        const int j = std::countr_zero(near);
        if (lower[j] < lower[best]) best = j;
      }
      ids_ = leaves.Ids(i, best);
    }
    limits.SetAndNarrow(bound());
    return Step::kContinue;
  }

  TrianglePair ids() const { return ids_; }

 private:
  TrianglePair ids_;
};

void FloatOverlapLoop(const PosedTree& a, const PosedTree& b, Step after_one,
                      std::vector<TrianglePair>* pairs) {
  NoCounters counters;
  FloatOverlapQuery query(pairs, after_one);
  TwoTrees<FloatOverlapQuery, NoCounters>(a, b, query, counters)
      .TraverseBelow({});
}

void FloatWithinLoop(const PosedTree& a, const PosedTree& b, double distance,
                     Step after_one, std::vector<PairDistance>* pairs) {
  NoCounters counters;
  FloatWithinQuery query(distance, pairs, after_one);
  TwoTrees<FloatWithinQuery, NoCounters>(a, b, query, counters)
      .TraverseBelow({});
}

TrianglePair FloatDistanceLoop(const PosedTree& a, const PosedTree& b) {
  NoCounters counters;
  FloatDistanceQuery query;
  TwoTrees<FloatDistanceQuery, NoCounters>(a, b, query, counters)
      .TraverseBelow({});
  return query.ids();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(FloatOverlapLoop);
HWY_EXPORT(FloatWithinLoop);
HWY_EXPORT(FloatDistanceLoop);

namespace exactness {

bool FloatMeshesOverlap(const PosedTree& a, const PosedTree& b) {
  std::vector<TrianglePair> first;
  ORBOX_DYNAMIC_DISPATCH(FloatOverlapLoop)(a, b, Step::kStop, &first);
  return !first.empty();
}

std::vector<TrianglePair> FloatOverlappingPairs(const PosedTree& a,
                                                const PosedTree& b) {
  std::vector<TrianglePair> pairs;
  ORBOX_DYNAMIC_DISPATCH(FloatOverlapLoop)(a, b, Step::kContinue, &pairs);
  SortPairs(&pairs, Workers(1));
  return pairs;
}

bool FloatMeshesWithin(const PosedTree& a, const PosedTree& b,
                       double distance) {
  std::vector<PairDistance> first;
  ORBOX_DYNAMIC_DISPATCH(FloatWithinLoop)(a, b, distance, Step::kStop, &first);
  return !first.empty();
}

std::vector<PairDistance> FloatPairsWithin(const PosedTree& a,
                                           const PosedTree& b,
                                           double distance) {
  std::vector<PairDistance> pairs;
  ORBOX_DYNAMIC_DISPATCH(FloatWithinLoop)
  (a, b, distance, Step::kContinue, &pairs);
  SortPairs(&pairs, Workers(1));
  return pairs;
}

Witness FloatMeshDistance(const PosedTree& a, const PosedTree& b) {
  const TrianglePair ids = ORBOX_DYNAMIC_DISPATCH(FloatDistanceLoop)(a, b);
  const Triangle s = a.triangle(ids.a);
  const Triangle t = b.triangle(ids.b);
  const PairGuess guess = GuessClosest(s, t);
  const Vec3 on_a = guess.first.PointOn(s);
  const Vec3 on_b = guess.second.PointOn(t);
  return {ids, Norm(on_b - on_a), on_a, on_b};
}

}  // namespace exactness
}  // namespace orbox
#endif  // HWY_ONCE
