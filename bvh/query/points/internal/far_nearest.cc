// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/points/internal/far_nearest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/points/internal/far_nearest.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/points/internal/nearest_measuring-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// A point far from a tree. Computes keys of volumes and triangles in tree
// space.
class FarPointInTree {
 public:
  // For distances up to `most_equals`, keys separate only distances that do not
  // round to one double.
  FarPointInTree(const TreeSpace& space, const Vec3& p, double most_equals) {
    const Vec3 t = space.FromModel(p);
    const double largest = MaxCoordinate(Abs(t));
    is_valid_ = largest <= kFarthest && largest >= 2;
    if (!is_valid_) return;
    const Vec3 n = t * (1 / largest);
    const double length = Norm(n);
    const double distance = largest * length;
    for (int k = 0; k < 3; ++k) {
      const double unit = n[k] / length;
      unit_[k] = static_cast<float>(unit);
      place_[k] = static_cast<float>(unit * distance);
    }
    inverse_ = static_cast<float>(0.5 / distance);
    scale_ = space.scale;
    distance_ = distance;
    // With u = 2^-24: coordinates of the unit vector have errors of u / 2.
    // Three products and sums follow. Each has an error of u times at most
    // 1.01. The total is less than 14 u. The error of a leaf's corner moves the
    // key by at most 1.8 times that error. `equal` is added because distances
    // that round to one double may have to count as equal.
    const double equal = largest <= most_equals ? 0x1p-52 * distance : 0;
    slack_ = static_cast<float>(20 * 0x1p-24 + 2 * space.leaf_error + equal);
  }

  // Returns true if keys can be computed.
  bool is_valid() const { return is_valid_; }

  // Returns an upper bound of the key of points within the distance, in model
  // units.
  float KeyWithin(double max_distance) const {
    const double most = max_distance * scale_;
    // Every point of the tree is within this distance.
    if (!(most < distance_ + 4)) return std::numeric_limits<float>::infinity();
    const double key =
        (most - distance_) * (most + distance_) * (0.5 / distance_);
    // The relative errors of the lengths are a few 2^-53.
    return static_cast<float>(key + 0x1p-49 * distance_ +
                              0x1p-20 * (1 + std::abs(key)));
  }

  // Returns lower bounds of the keys below a node's children, with an error of
  // at most kNodeSlack. A frame has an error of 4 u. In the frame, coordinates
  // are at most 1.75, and those of the unit vector have errors of 5.2 u.
  static constexpr float kNodeSlack = 96 * 0x1p-24f;
  HWY_INLINE F8 LowerKeys(const Node& node) const {
    const F8 inverse = Set8(inverse_);
    if (node.kind == VolumeKind::kSphere) {
      // No point of the ball is nearer than |C - u L| - r, and |C - u L| / L is
      // at most 1 + key / L.
      const F8 key = Key(Load8x3(node.rows));
      const F8 stretch = Set8(1.0f) + key * (inverse + inverse);
      return key - Load8(node.rows[3]) * stretch;
    }
    float unit[3];
    float place[3];
    Multiply(node.frame, unit_, unit);
    Multiply(node.frame, place_, place);
    F8 sum = Zero8();
    for (int k = 0; k < 3; ++k) {
      const F8 c = Min(Max(Set8(place[k]), Load8(node.rows[k])),
                       Load8(node.rows[3 + k]));
      sum = sum + c * (c * inverse - Set8(unit[k]));
    }
    return sum;
  }

  struct Bounds {
    F8 lower;
    F8 upper;
  };
  // Bounds of the keys of a triangle. The key is a convex function, so its
  // value at a corner is an upper bound. Between the corners it is lower, by at
  // most a third of the longest edge's square over 2 L.
  HWY_INLINE Bounds KeysOf(const T8& t) const {
    const F8 least = Min(Min(Key(t.a), Key(t.b)), Key(t.c));
    const V8 edges[3] = {t.b - t.a, t.c - t.b, t.a - t.c};
    const F8 longest =
        Max(Max(Dot(edges[0], edges[0]), Dot(edges[1], edges[1])),
            Dot(edges[2], edges[2]));
    const F8 slack = Set8(slack_);
    return {least - (longest * Set8(0.34f * inverse_) + slack), least + slack};
  }

 private:
  HWY_INLINE F8 Key(const V8& c) const {
    return Dot(c, c) * Set8(inverse_) - Dot(c, Set8x3(unit_));
  }

  // Up to this distance, floats represent the distance and its inverse with
  // full precision.
  static constexpr double kFarthest = 0x1p100;

  double scale_ = 1;
  double distance_ = 0;
  float unit_[3];
  float place_[3];
  float inverse_ = 0;
  float slack_ = 0;
  bool is_valid_ = false;
};

template <typename Counters>
class FarNearestQuery {
 public:
  static constexpr Order kOrder = Order::kNearestFirst;

  FarNearestQuery(const Tree& tree, const NearestBatch& batch,
                  NearestSink& sink, Counters& counters)
      : memory_(tree),
        batch_(batch),
        sink_(sink),
        point_(tree.space(), batch.points[0],
               batch.wanted == 1 ? kMostEqualsOfOne : kMostEquals),
        counters_(counters) {
    if (!is_valid()) return;
    std::fill_n(uppers_, batch.wanted, point_.KeyWithin(batch.max_distance));
    ShrinkTo(uppers_[0]);
  }

  float limit() const { return limit_; }

  HWY_INLINE LaneTest Test(const Node& node) const {
    const F8 key = Max(point_.LowerKeys(node) + Set8(kShift), Zero8());
    const M8 is_near = key <= Set8(limit_);
    const uint32_t bits = Bits(is_near);
    return {bits, bits,
            Select(is_near, key, Set8(std::numeric_limits<float>::infinity()))};
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t index) {
    const uint32_t used = UsedLanes(leaf);
    const FarPointInTree::Bounds keys = point_.KeysOf(LoadTriangles(leaf.rows));
    alignas(32) float uppers[kLanes];
    Store8(keys.upper, uppers);
    uint32_t lower = used & Bits(keys.upper < Set8(upper_));
    for (; lower != 0; lower &= lower - 1) {
      NoteUpper(uppers[std::countr_zero(lower)]);
    }
    ShrinkTo(uppers_[batch_.wanted - 1]);
    const uint32_t near = used & Bits(keys.lower <= Set8(upper_));
    counters_.TestTriangles(std::popcount(used),
                            std::popcount(used) - std::popcount(near));
    if (near == 0) return Step::kContinue;
    counters_.Contribute();
    if (count_ + kLanes > kCapacity) {
      DropFar();
      if (count_ > kMost) return Fail();
    }
    CompressStore8(keys.lower, near, lowers_ + count_);
    CompressStore8(Iota8() + Set8(index * kLanes), near, slots_ + count_);
    count_ += static_cast<size_t>(std::popcount(near));
    return Step::kContinue;
  }

  // Keys of floats do not compare triangles of detail trees with others.
  Step VisitDetail(const Tree&) { return Fail(); }

  // Measures the remaining candidates. Returns false if there are too many.
  // Then no triangle is passed to the sink.
  bool Finish() {
    DropFar();
    is_undecided_ = is_undecided_ || count_ > kMost;
    const size_t measured = is_undecided_ ? 0 : count_;
    counters_.TestTriangles(0, static_cast<int>(count_ - measured));
    Measuring<Pace::kAlone> measuring(memory_, batch_, sink_,
                                      counters_.arithmetic());
    measuring.MeasureAlone(0, slots_, measured);
    return !is_undecided_;
  }

  bool is_valid() const {
    return point_.is_valid() && batch_.wanted <= kMostWantedTogether;
  }

 private:
  // Makes keys positive: no volume's key is below -3.5.
  static constexpr float kShift = 4;
  // Beyond this distance, too many triangles have the same rounded distance as
  // the nearest. Then only the triangles with the lowest keys are reported,
  // within the precision of floats.
  static constexpr double kMostEquals = 0x1p42;
  static constexpr double kMostEqualsOfOne = 0x1p36;
  // With more candidates than this, keys in double are faster (FarSearch). A
  // ring around the line of sight has about this many.
  static constexpr size_t kMost = 512;
  static constexpr size_t kCapacity = 2 * kMost;

  // Keeps the lowest upper bounds, as many as triangles are wanted.
  void NoteUpper(float upper) {
    size_t i = batch_.wanted - 1;
    if (!(upper < uppers_[i])) return;
    for (; i > 0 && upper < uppers_[i - 1]; --i) uppers_[i] = uppers_[i - 1];
    uppers_[i] = upper;
  }

  void ShrinkTo(float upper) {
    upper_ = upper;
    limit_ = upper + (kShift + 2 * FarPointInTree::kNodeSlack);
  }

  Step Fail() {
    is_undecided_ = true;
    return Step::kStop;
  }

  void DropFar() {
    size_t kept = 0;
    for (size_t i = 0; i < count_; ++i) {
      lowers_[kept] = lowers_[i];
      slots_[kept] = slots_[i];
      kept += lowers_[i] <= upper_ ? 1 : 0;
    }
    counters_.TestTriangles(0, static_cast<int>(count_ - kept));
    count_ = kept;
  }

  const TreeMemory memory_;
  const NearestBatch& batch_;
  NearestSink& sink_;
  const FarPointInTree point_;
  Counters& counters_;
  float uppers_[kMostWantedTogether];  // ascending
  float upper_ = std::numeric_limits<float>::infinity();
  float limit_ = std::numeric_limits<float>::infinity();
  float lowers_[kCapacity + kLanes];
  uint32_t slots_[kCapacity + kLanes];
  size_t count_ = 0;
  bool is_undecided_ = false;
};

bool SearchFromAfar(const Tree& tree, const NearestBatch& batch,
                    NearestSink& sink, const Watch& watch) {
  bool is_found = false;
  RunCounted(watch, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    FarNearestQuery<Counters> query(tree, batch, sink, counters);
    if (!query.is_valid()) return;
    TraverseTree(tree, query, counters);
    is_found = query.Finish();
  });
  return is_found;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(SearchFromAfar);

bool FindFromAfar(const Tree& tree, const NearestBatch& batch,
                  NearestSink& sink, const Watch& watch) {
  return ORBOX_DYNAMIC_DISPATCH(SearchFromAfar)(tree, batch, sink, watch);
}

}  // namespace orbox
#endif  // HWY_ONCE
