// SPDX-License-Identifier: Apache-2.0

// Two leaves, one of each tree, and those pairs of their triangles that are
// near each other.
//
//   leaves.Load(a_leaf, b_leaf, limit, {});
//   for (i in leaves.a_lanes())                // lanes near the other leaf
//     uint32_t near = leaves.Near(i, limit);   // lanes of b, as bits
//   const PairCorners pair = leaves.Corners(i, j);
//   Distance(pair.first, pair.second);
//
// All these tests use floats in b's space. They may report pairs that are not
// near, but never miss one. TestOverlap also reports the pairs that certainly
// overlap. The triangles are the posed ones, in double. Each is moved at its
// first use and kept until the next leaf is loaded. Private; compiled once per
// instruction set.
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
#include "orbox/bvh/traverse/internal/posed_leaf-inl.h"
#include "orbox/bvh/traverse/internal/relative_space.h"
#include "orbox/bvh/traverse/internal/separating_plane-inl.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/shapes/matrix3.h"
#include "orbox/overlap/triangles/internal/closest_feature.h"
#include "orbox/overlap/triangles/internal/triangle_distance_lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_meet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The box around all eight triangles of a row.
struct WholeBox {
  float lo[3];
  float hi[3];

  WholeBox() = default;
  explicit WholeBox(const TriangleRow& row);

  // Returns the mask of the triangles of another row whose boxes are within
  // `limit`.
  uint32_t LanesNear(const TriangleRow& row, float limit) const;
};

// The triangles of a pair, in the order in which the query names the trees.
struct PairCorners {
  const Triangle& first;
  const Triangle& second;
};

// The positions of the two triangles of a pair in the order of the leaves of a
// and b.
struct PairSlots {
  uint32_t a;
  uint32_t b;
};

class LeafPairs {
 public:
  // `a_in_b` maps a's space to b's and must outlive this object. If `swapped`,
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
    // True to compute normals, for Near and NearByBounds. All calls of Load
    // must pass an equal value.
    bool normals = false;
    // True to search first for a plane that separates the leaves. If there is
    // one, no pair is near. Only for queries of pairs that overlap.
    bool plane = false;
  };
  // Loads two leaves. Pairs farther apart than `limit`, in b's units, are not
  // reported.
  void Load(uint32_t a_leaf, uint32_t b_leaf, float limit, Wanted wanted);

  // The nodes that contain the leaves, if SetNodes was called.
  void SetNodes(uint32_t a, uint32_t b) { nodes_ = {a, b}; }
  NodePair nodes() const {
    return swapped_ ? NodePair{nodes_.b, nodes_.a} : nodes_;
  }

  // The lanes whose distance to the box of the whole other leaf is within the
  // limit.
  uint32_t a_lanes() const { return a_near_; }
  uint32_t b_lanes() const { return b_near_; }
  // Number of all pairs of the two leaves.
  int pair_count() const {
    return std::popcount(UsedLanes(a_.leaf())) *
           std::popcount(UsedLanes(b_.leaf()));
  }

  // Ids of the pair of lane i of a and lane j of b.
  TrianglePair Ids(int i, int j) const {
    return swapped_ ? TrianglePair{b_.id(j), a_.id(i)}
                    : TrianglePair{a_.id(i), b_.id(j)};
  }
  PairCorners Corners(int i, int j) {
    const Triangle& a = a_.triangle(i);
    const Triangle& b = b_.triangle(j);
    return swapped_ ? PairCorners{b, a} : PairCorners{a, b};
  }
  // Returns the features of this code, in the order of the query's trees.
  ClosestFeature Feature(float code) const {
    const ClosestFeature feature{static_cast<int>(code)};
    return swapped_ ? feature.Swapped() : feature;
  }

  // For a pair that is decided after its leaves were replaced. Prefetches its
  // corners. WithCorners later passes them to visit(first, second).
  HWY_INLINE PairSlots Prefetch(int i, int j) const {
    a_.Prefetch(i);
    b_.Prefetch(j);
    return {a_.slot(i), b_.slot(j)};
  }
  template <typename Visit>
  HWY_INLINE auto WithCorners(const PairSlots& pair, Visit visit) const {
    const Triangle a = a_.TriangleOf(pair.a);
    const Triangle b = b_.TriangleOf(pair.b);
    return swapped_ ? visit(b, a) : visit(a, b);
  }
  HWY_INLINE void PrefetchA(int lane) const { a_.Prefetch(lane); }
  HWY_INLINE void PrefetchB(int lane) const { b_.Prefetch(lane); }

  // Self-overlap only: the lanes of b whose pair with lane `lane` of a has not
  // been reported yet. Within one leaf a pair has two orders, and only the
  // order with ascending ids counts.
  uint32_t LanesOnce(int lane) const {
    if (!is_one_tree_ || a_.index() != b_.index()) return b_.lanes();
    uint32_t later = 0;
    for (uint32_t rest = b_.lanes(); rest != 0; rest &= rest - 1) {
      const int j = std::countr_zero(rest);
      if (b_.id(j) > a_.id(lane)) later |= 1u << j;
    }
    return later;
  }

  // Returns the triangles of b's leaf that may be within `limit` of a's
  // triangle in `lane`. Requires a limit up to that of Load.
  HWY_INLINE uint32_t Near(int lane, float limit) const {
    const float widened = limit + slack_;
    if (std::isinf(widened)) return b_near_;
    const F8 lower = TrianglesLowerBound(a_row_, lane, b_row_, widened);
    return b_near_ & ~Bits(lower > Set8(widened));
  }

  // Returns near triangles by better bounds than Near. Sets lower[j] to a lower
  // bound of the distance to lane j. Lowers *upper to an upper bound of the
  // distance of some triangle. If `closest` is given, sets closest[j] to the
  // code of the features that seem to be closest (closest_feature.h).
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
    // Slightly enlarged, so that distances that round to equal values are also
    // within it.
    *upper = std::min(*upper, LowestValue(d.upper) * (1 + 0x1p-20f));
    return near & Bits(d.lower <= Set8(limit));
  }

  // Returns the triangles of b's leaf that certainly overlap a's triangle in
  // `lane`, and those that may overlap it.
  HWY_INLINE OverlapLanes TestOverlap(int lane) const {
    return TrianglesOverlap(a_row_, lane, b_row_, error_, b_near_);
  }

  // TestOverlap in two steps. First finds the lanes whose boxes may overlap.
  // Then tests pairs of any lanes, given by codes (triangle_meet_lanes-inl.h).
  HWY_INLINE uint32_t BoxesOverlap(int lane) const {
    return HWY_NAMESPACE::BoxesOverlap(a_row_, lane, b_row_, error_, b_near_);
  }
  HWY_INLINE OverlapLanes PairsOverlap(const uint32_t* codes,
                                       uint32_t pairs) const {
    return HWY_NAMESPACE::PairsOverlap(a_row_, b_row_, codes, error_, pairs);
  }

  // Prefetches all corners that RemoveSeparatedByPlanes will read.
  void PrefetchCorners() const {
    a_.PrefetchAll();
    b_.PrefetchAll();
  }
  // Tests `count` pairs that floats do not decide against planes in double. The
  // pairs are a's lanes with b's lanes `near[i]`. Removes pairs in which one
  // triangle is certainly on one side of the other's plane. Returns the number
  // of remaining pairs.
  HWY_INLINE int RemoveSeparatedByPlanes(uint32_t (&near)[kLanes], int count);

 private:
  // Maps a's rows to b's space, and sets the error bounds.
  void FillA(bool normals);
  void FillB(bool normals);
  template <Ways kWays>
  int RemoveSeparatedBy(uint32_t (&near)[kLanes]);

  PosedLeaf a_;
  PosedLeaf b_;
  const RelativeSpace& a_in_b_;
  SeparatingPlane separating_plane_{a_in_b_};
  bool swapped_;
  bool is_one_tree_;
  NodePair nodes_;
  float error_ = 0;  // for the sum of two vertices, one per leaf
  float slack_ = 0;  // error bound of lower bounds of distances
  uint32_t a_near_ = 0;
  uint32_t b_near_ = 0;
  bool has_a_row_ = false;  // true if the rows belong to the current leaves
  bool has_b_row_ = false;
  TriangleRow a_row_;
  TriangleRow b_row_;
  WholeBox a_whole_;
  WholeBox b_whole_;
  // True if planes of a separate more pairs than planes of b do. For example,
  // planes of triangles on a bulge separate nothing, but planes of the surface
  // around the bulge separate all pairs.
  bool a_planes_separate_more_ = false;
  bool needs_own_lengths_ = false;  // true if each pair needs a separate length
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
  // One corner is mapped in double. All others are mapped by their difference
  // from it, so that the rounding error of float is bounded by the size of the
  // leaf.
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
  float largest = 1;  // coordinate, in either leaf
  for (int k = 0; k < 3; ++k) {
    largest = std::max({largest, -a_whole_.lo[k], a_whole_.hi[k]});
  }
  const float size = -LowestValue(Zero8() - reach);
  // Error bound. With u = 2^-24, half of kUnit: differences have an error of u
  // times the size of the leaf in each coordinate, entries of the rotation one
  // of u, and three products and two sums add 3 u. The rotation multiplies each
  // by sqrt(3). The moved corner and the last sum round by u of the coordinate.
  // The code uses twice the sum.
  error_ =
      a_in_b_.vertex_error + kUnit * (9 * a_in_b_.stretch * size + 2 * largest);
  // If floats do not resolve the trees' points, the sum may contain infinity
  // times zero.
  if (a_in_b_.is_too_coarse()) error_ = std::numeric_limits<float>::infinity();
  // Both vertices have errors of sqrt(3) times that of a coordinate. The bound
  // itself has an error of 24 u.
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

template <Ways kWays>
HWY_NOINLINE int LeafPairs::RemoveSeparatedBy(uint32_t (&near)[kLanes]) {
  const PlaneRow& a = a_.planes();
  const PlaneRow& b = b_.planes();
  const double longest = LongestWay(a, b);
  const auto separated_by = [&](bool planes_of_a, size_t lane) HWY_ATTR {
    return planes_of_a ? a.OnOneSide<kWays>(lane, b, longest)
                       : b.WithOnOneSide<kWays>(a, lane, longest);
  };
  int by_first = 0;
  int by_second = 0;
  int remaining = 0;
  for (uint32_t rest = a_near_; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    if (near[i] == 0) continue;
    const auto lane = static_cast<size_t>(i);
    uint32_t kept = near[i] & ~separated_by(a_planes_separate_more_, lane);
    by_first += std::popcount(near[i] & ~kept);
    if (kept != 0) {
      const uint32_t separated =
          kept & separated_by(!a_planes_separate_more_, lane);
      by_second += std::popcount(separated);
      kept &= ~separated;
    }
    remaining += std::popcount(kept);
    near[i] = kept;
  }
  if (by_second > by_first) a_planes_separate_more_ = !a_planes_separate_more_;
  return remaining;
}

HWY_INLINE int LeafPairs::RemoveSeparatedByPlanes(uint32_t (&near)[kLanes],
                                                  int count) {
  if (!needs_own_lengths_) {
    const int remaining = RemoveSeparatedBy<Ways::kLongest>(near);
    if (2 * remaining <= count) return remaining;
  }
  // The pairs are a few ulps apart, or overlap.
  const int remaining = RemoveSeparatedBy<Ways::kOwn>(near);
  needs_own_lengths_ = 2 * remaining <= count;
  return remaining;
}

HWY_INLINE void LeafPairs::Load(uint32_t a_leaf, uint32_t b_leaf, float limit,
                                Wanted wanted) {
  if (a_.Load(a_leaf)) has_a_row_ = false;
  if (b_.Load(b_leaf)) has_b_row_ = false;
  if (wanted.plane && separating_plane_.AreSeparated(a_.leaf(), b_.leaf())) {
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
