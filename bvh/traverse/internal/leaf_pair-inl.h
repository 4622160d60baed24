// SPDX-License-Identifier: Apache-2.0

// Two leaves, one of each tree: which of their triangles are near each other?
//
//   leaves.Load(a_leaf, b_leaf, limit, {});    // lanes near the other leaf:
//   for (i in leaves.a_lanes())                //   as bits, and b_lanes()
//     uint32_t near = leaves.Near(i, limit);   // lanes of b, as bits
//   const PairCorners pair = leaves.Corners(i, j);
//   Distance(pair.first, pair.second);
//
// All this works on floats in b's space and errs on the side of yes; so does
// Meet, which also says which pairs certainly meet. The triangles are the posed
// ones, in double, moved when first asked for and kept while the leaf stays.
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_LEAF_PAIR_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_LEAF_PAIR_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_LEAF_PAIR_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_LEAF_PAIR_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/parting-inl.h"
#include "orbox/bvh/traverse/internal/posed_leaf-inl.h"
#include "orbox/bvh/traverse/internal/relative_space.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/internal/lanes/lowest_lanes-inl.h"
#include "orbox/overlap/shapes/matrix3.h"
#include "orbox/overlap/triangles/internal/closest_feature.h"
#include "orbox/overlap/triangles/internal/triangle_distance_lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_meet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The box of all eight triangles of a row.
struct WholeBox {
  float lo[3];
  float hi[3];

  WholeBox() = default;
  explicit WholeBox(const TriangleRow& row);

  // The triangles of another row whose boxes are within `limit` of it.
  uint32_t LanesNear(const TriangleRow& row, float limit) const;
};

// A pair's triangles in the order in which the query names the trees.
struct PairCorners {
  const Triangle& first;
  const Triangle& second;
};

// The same as their places in the order of the leaves of a and b.
struct PairSlots {
  uint32_t a;
  uint32_t b;
};

class LeafPairs {
 public:
  // `a_in_b` takes a's space to b's and lives as long as this. Where `swapped`,
  // b is the tree that the query names first.
  LeafPairs(const PosedTree& a, const PosedTree& b, const RelativeSpace& a_in_b,
            bool swapped)
      : a_(a),
        b_(b),
        a_in_b_(a_in_b),
        swapped_(swapped),
        is_one_tree_(a.tree().leaf_ids(0).data() ==
                     b.tree().leaf_ids(0).data()) {}

  struct Wanted {
    // For Near and NearByBounds; by all calls or by none.
    bool normals = false;
    // A plane is sought first, between which and the leaves nothing is near.
    // Only where all that touches is of interest.
    bool parting = false;
  };
  // Pairs further apart than `limit`, in b's units, do not interest.
  void Load(uint32_t a_leaf, uint32_t b_leaf, float limit, Wanted wanted);

  // What has parted leaves, and may part the trees.
  Parting& parting() { return parting_; }

  // The nodes that the leaves belong to, if they were told.
  void SetNodes(uint32_t a, uint32_t b) { nodes_ = {a, b}; }
  NodePair nodes() const {
    return swapped_ ? NodePair{nodes_.b, nodes_.a} : nodes_;
  }

  // The lanes that are not further than that from the whole other leaf.
  uint32_t a_lanes() const { return a_near_; }
  uint32_t b_lanes() const { return b_near_; }
  // All pairs of the two leaves.
  int pair_count() const {
    return std::popcount(UsedLanes(a_.leaf())) *
           std::popcount(UsedLanes(b_.leaf()));
  }

  // The pair of lane i of a and lane j of b.
  TrianglePair Ids(int i, int j) const {
    return swapped_ ? TrianglePair{b_.id(j), a_.id(i)}
                    : TrianglePair{a_.id(i), b_.id(j)};
  }
  PairCorners Corners(int i, int j) {
    const Triangle& a = a_.triangle(i);
    const Triangle& b = b_.triangle(j);
    return swapped_ ? PairCorners{b, a} : PairCorners{a, b};
  }
  // The code of their features, in the same order.
  ClosestFeature Feature(float code) const {
    const ClosestFeature feature{static_cast<int>(code)};
    return swapped_ ? feature.Swapped() : feature;
  }

  // A pair that waits until its leaves are not there any more: asks memory for
  // its corners, and gives them to take(first, second).
  HWY_INLINE PairSlots Prefetch(int i, int j) const {
    a_.Prefetch(i);
    b_.Prefetch(j);
    return {a_.slot(i), b_.slot(j)};
  }
  template <typename Take>
  HWY_INLINE auto TakeCorners(const PairSlots& pair, Take take) const {
    const Triangle a = a_.TriangleOf(pair.a);
    const Triangle b = b_.TriangleOf(pair.b);
    return swapped_ ? take(b, a) : take(a, b);
  }
  HWY_INLINE void PrefetchA(int lane) const { a_.Prefetch(lane); }
  HWY_INLINE void PrefetchB(int lane) const { b_.Prefetch(lane); }

  // For a tree against itself, or its parts: the lanes of b that make a pair
  // with a's lane for the first time. Within one leaf a pair has two orders, of
  // which the one with ascending ids counts.
  uint32_t LanesOnce(int lane) const {
    if (!is_one_tree_ || a_.index() != b_.index()) return b_.lanes();
    uint32_t later = 0;
    for (uint32_t rest = b_.lanes(); rest != 0; rest &= rest - 1) {
      const int j = std::countr_zero(rest);
      if (b_.id(j) > a_.id(lane)) later |= 1u << j;
    }
    return later;
  }

  // The triangles of b's leaf that may be within `limit` of a's triangle in
  // `lane`; no more than that of Load.
  HWY_INLINE uint32_t Near(int lane, float limit) const {
    const float widened = limit + slack_;
    if (std::isinf(widened)) return b_near_;
    const F8 lower = TrianglesLowerBound(a_row_, lane, b_row_, widened);
    return b_near_ & ~Bits(lower > Set8(widened));
  }

  // The same by sharper bounds. Sets lower[j] to a lower bound of each one's
  // distance, and lowers *upper to what some triangle is certainly within;
  // where `closest` is given, closest[j] to the code of the features that seem
  // to be (closest_feature.h).
  HWY_INLINE uint32_t NearByBounds(int lane, float limit,
                                   float (&lower)[kLanes], float* upper,
                                   float* closest = nullptr) const {
    const uint32_t near = Near(lane, limit);
    if (near == 0) return 0;
    if (std::isinf(error_)) {
      Store8(Zero8(), lower);
      if (closest != nullptr) Store8(Zero8(), closest);
      return near;
    }
    const TriangleDistanceBounds d =
        DistanceOfTriangles(a_row_, lane, b_row_, error_);
    Store8(d.lower, lower);
    if (closest != nullptr) Store8(d.closest, closest);
    // And a little more, so that what rounds to the same distance is within it.
    *upper = std::min(*upper, LowestValue(d.upper) * (1 + 0x1p-20f));
    return near & Bits(d.lower <= Set8(limit));
  }

  // The triangles of b's leaf that an axis parts from a's in `lane`, which
  // tells slivers apart. Requires LookAcross of these leaves.
  HWY_INLINE uint32_t PartedAcross(int lane) const {
    return a_slivers_.PartedAcross(lane, b_slivers_, longest_, error_);
  }
  HWY_INLINE void LookAcross() {
    if (a_slivers_of_ != a_.index() || b_slivers_of_ != b_.index()) {
      FillSlivers();
    }
  }

  // The triangles of b's leaf that meet a's triangle in `lane`, or may.
  HWY_INLINE MeetLanes Meet(int lane) const {
    return TrianglesMeet(a_row_, lane, b_row_, error_, b_near_);
  }

  // The same in two steps: which boxes may meet, and whether pairs of any lanes
  // do, by codes (triangle_meet_lanes-inl.h).
  HWY_INLINE uint32_t BoxesMeet(int lane) const {
    return HWY_NAMESPACE::BoxesMeet(a_row_, lane, b_row_, error_, b_near_);
  }
  HWY_INLINE MeetLanes PairsMeet(const uint32_t* codes, uint32_t pairs) const {
    return HWY_NAMESPACE::PairsMeet(a_row_, b_row_, codes, error_, pairs);
  }

  // For KeepUnparted, which reads all corners.
  void PrefetchCorners() const {
    a_.PrefetchAll();
    b_.PrefetchAll();
  }
  // Asks planes in double of pairs of which floats know little, those of a's
  // lanes with b's lanes `near[i]`, `count` in all. Leaves out those of which
  // one triangle is certainly on one side of the other's plane; returns how
  // many are left.
  HWY_INLINE int KeepUnparted(uint32_t (&near)[kLanes], int count);

 private:
  // Takes a's rows to b's space, and sets the errors.
  void FillA(bool normals);
  void FillB(bool normals);
  void FillSlivers();
  template <Ways kWays>
  int KeepUnpartedBy(uint32_t (&near)[kLanes]);

  PosedLeaf a_;
  PosedLeaf b_;
  const RelativeSpace& a_in_b_;
  Parting parting_{a_in_b_};
  bool swapped_;
  bool is_one_tree_;
  NodePair nodes_;
  float error_ = 0;  // of the coordinates of two vertices, one of each leaf
  float slack_ = 0;  // of lower bounds of distances
  uint32_t a_near_ = 0;
  uint32_t b_near_ = 0;
  bool has_a_row_ = false;  // whether the rows are those of the leaves
  bool has_b_row_ = false;
  TriangleRow a_row_;
  TriangleRow b_row_;
  WholeBox a_whole_;
  WholeBox b_whole_;
  // Those of the rows of these leaves, where they were asked for.
  uint32_t a_slivers_of_ = kNoTriangle;
  uint32_t b_slivers_of_ = kNoTriangle;
  float longest_;  // no corners of both are further apart
  SliverRow a_slivers_;
  SliverRow b_slivers_;
  // Whether planes of a part more than those of b: around a bulge, its own
  // planes part nothing, and those of what is around it part all.
  bool a_parts_more_ = false;
  bool planes_are_close_ = false;  // so that it takes each pair's own reach
};

// Implementation.

HWY_INLINE WholeBox::WholeBox(const TriangleRow& row) {
  const V8 least = LowestValues(Load8x3(row.lo));
  const V8 most = Load8x3(row.hi);
  const V8 minus_most = LowestValues({-most.x, -most.y, -most.z});
  lo[0] = FirstLane(least.x);
  lo[1] = FirstLane(least.y);
  lo[2] = FirstLane(least.z);
  hi[0] = -FirstLane(minus_most.x);
  hi[1] = -FirstLane(minus_most.y);
  hi[2] = -FirstLane(minus_most.z);
}

HWY_INLINE uint32_t WholeBox::LanesNear(const TriangleRow& row,
                                        float limit) const {
  F8 squared = Zero8();
  for (int k = 0; k < 3; ++k) {
    const F8 gap = Max(IntervalGap(Load8(row.lo[k]), Load8(row.hi[k]),
                                   Set8(lo[k]), Set8(hi[k])),
                       Zero8());
    squared = squared + gap * gap;
  }
  return ~Bits(Sqrt(squared) > Set8(limit));
}

HWY_INLINE void LeafPairs::FillA(bool normals) {
  has_a_row_ = true;
  a_.ReadLanes();
  // One corner is moved in double, all others by their difference from it: what
  // floats round is then no larger than the leaf.
  const T8 t = LoadTriangles(a_.leaf().rows);
  const float first[3] = {a_.leaf().rows[0][0], a_.leaf().rows[1][0],
                          a_.leaf().rows[2][0]};
  const V8 origin = Set8x3(first);
  Matrix3<float> turn;
  float moved[3];
  for (int i = 0; i < 3; ++i) {
    double sum = a_in_b_.precise_shift[i];
    for (int k = 0; k < 3; ++k) {
      const double entry = a_in_b_.precise_turn[i][k];
      turn[i][k] = static_cast<float>(entry);
      sum += entry * first[k];
    }
    moved[i] = static_cast<float>(sum);
  }
  const V8 base = Set8x3(moved);
  F8 reach = Zero8();
  const auto move = [&](const V8& v) HWY_ATTR {
    const V8 d = v - origin;
    reach = Max(reach, Reach(d));
    return Multiply(turn, d) + base;
  };
  const T8 moved_t = {move(t.a), move(t.b), move(t.c)};
  a_row_.FillCorners(moved_t);
  if (normals) a_row_.FillNormals(moved_t);
  a_whole_ = WholeBox(a_row_);
  float largest = 1;  // a coordinate, here or in b's leaf
  for (int k = 0; k < 3; ++k) {
    largest = std::max({largest, -a_whole_.lo[k], a_whole_.hi[k]});
  }
  const float size = -LowestValue(Zero8() - reach);
  // With u = 2^-24, half of kUnit: differences are off by u of the leaf's size
  // in each coordinate, entries of the turn by u, and three products and two
  // sums by 3 u; the turn makes sqrt(3) of each. The moved corner and the last
  // sum round by u of the coordinate. All this less than twice.
  error_ =
      a_in_b_.vertex_error + kUnit * (9 * a_in_b_.stretch * size + 2 * largest);
  // Where floats cannot tell the trees' points apart, infinity times nothing
  // may be in it.
  if (a_in_b_.is_far()) error_ = std::numeric_limits<float>::infinity();
  // Both vertices, each off by sqrt(3) of what its coordinates are; and the
  // bound's own 24 u.
  slack_ = 1.75f * error_ + kUnit * 24 * largest;
}

HWY_INLINE void LeafPairs::FillB(bool normals) {
  has_b_row_ = true;
  b_.ReadLanes();
  const T8 t = LoadTriangles(b_.leaf().rows);
  b_row_.FillCorners(t);
  if (normals) b_row_.FillNormals(t);
  b_whole_ = WholeBox(b_row_);
}

HWY_NOINLINE inline void LeafPairs::FillSlivers() {
  if (a_slivers_of_ != a_.index()) a_slivers_.Fill(a_row_);
  if (b_slivers_of_ != b_.index()) b_slivers_.Fill(b_row_);
  a_slivers_of_ = a_.index();
  b_slivers_of_ = b_.index();
  float squared = 0;
  for (int k = 0; k < 3; ++k) {
    const float length = std::max(a_whole_.hi[k], b_whole_.hi[k]) -
                         std::min(a_whole_.lo[k], b_whole_.lo[k]);
    squared += length * length;
  }
  longest_ = std::sqrt(squared);
}

template <Ways kWays>
HWY_NOINLINE int LeafPairs::KeepUnpartedBy(uint32_t (&near)[kLanes]) {
  const PlaneRow& a = a_.planes();
  const PlaneRow& b = b_.planes();
  const double longest = LongestWay(a, b);
  const auto parted_by = [&](bool planes_of_a, size_t lane) HWY_ATTR {
    return planes_of_a ? a.OnOneSide<kWays>(lane, b, longest)
                       : b.WithOnOneSide<kWays>(a, lane, longest);
  };
  int by_first = 0;
  int by_second = 0;
  int left = 0;
  for (uint32_t rest = a_near_; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    if (near[i] == 0) continue;
    const auto lane = static_cast<size_t>(i);
    uint32_t open = near[i] & ~parted_by(a_parts_more_, lane);
    by_first += std::popcount(near[i] & ~open);
    if (open != 0) {
      const uint32_t parted = open & parted_by(!a_parts_more_, lane);
      by_second += std::popcount(parted);
      open &= ~parted;
    }
    left += std::popcount(open);
    near[i] = open;
  }
  if (by_second > by_first) a_parts_more_ = !a_parts_more_;
  return left;
}

HWY_INLINE int LeafPairs::KeepUnparted(uint32_t (&near)[kLanes], int count) {
  if (!planes_are_close_) {
    const int left = KeepUnpartedBy<Ways::kLongest>(near);
    if (2 * left <= count) return left;
  }
  // A few units of the last place apart, or not at all.
  const int left = KeepUnpartedBy<Ways::kOwn>(near);
  planes_are_close_ = 2 * left <= count;
  return left;
}

HWY_INLINE void LeafPairs::Load(uint32_t a_leaf, uint32_t b_leaf, float limit,
                                Wanted wanted) {
  if (a_.Load(a_leaf)) has_a_row_ = false;
  if (b_.Load(b_leaf)) has_b_row_ = false;
  if (wanted.parting && parting_.AreParted(a_.leaf(), b_.leaf())) {
    a_near_ = b_near_ = 0;
    return;
  }
  if (!has_a_row_) FillA(wanted.normals);
  if (!has_b_row_) FillB(wanted.normals);
  a_near_ = a_.lanes();
  b_near_ = b_.lanes();
  const float widened = limit + slack_;
  if (std::isinf(widened)) return;
  a_near_ &= b_whole_.LanesNear(a_row_, widened);
  b_near_ &= a_whole_.LanesNear(b_row_, widened);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_LEAF_PAIR_INL_H_
