// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/binned_sah.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/build/internal/binned_sah.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/base/internal/large_pages.h"
#include "orbox/bvh/build/internal/box_row-inl.h"
#include "orbox/bvh/build/internal/parts.h"
#include "orbox/bvh/build/internal/swept_cut-inl.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class BinnedSah {
 public:
  BinnedSah(std::span<Primitive> primitives, const BinnedSahOptions& options,
            const Workers& workers)
      : primitives_(primitives), options_(options), workers_(workers) {}

  void Run(PrimitiveRange range, BinaryTree& tree) const {
    if (range.size() <= options_.swept) return AppendSwept(range, 0, tree);
    Append(range, BoundsOf(range), 0, tree);
  }

 private:
  // The box of primitives, and the box of their doubled centres.
  struct Bounds {
    BoxRow box;
    BoxRow centers;
  };

  uint32_t BinsFor(uint32_t count) const {
    return std::min(options_.most_bins, options_.fewest_bins + count / 4);
  }

  struct Bins {
    alignas(32) float box[3][kMostBins][8];    // box rows
    alignas(32) uint32_t count[kMostBins][8];  // by axis, as three lanes
  };

  // The bin of a doubled centre, axis by axis.
  struct Binning {
    alignas(32) float least[8] = {};
    alignas(32) float scale[8] = {};  // 0 where all centres coincide
    float last = 0;

    float Position(const Primitive& p, size_t axis) const {
      const float f = (p.DoubledCenter(axis) - least[axis]) * scale[axis];
      return f < last ? f : last;
    }
  };

  // Boxes of three bins, one for each axis.
  struct Three {
    F8 x, y, z;
  };
  static Three Union(const Three& a, const Three& b) {
    return {Min(a.x, b.x), Min(a.y, b.y), Min(a.z, b.z)};
  }

  struct Cut {
    float cost = kFloatInfinity;
    size_t axis = 0;
    uint32_t bin = 0;  // bins up to and including this one go to the left
  };

  struct Split {
    uint32_t middle;
    Bounds left;
    Bounds right;
  };

  // From this size on, two threads bin a range.
  static constexpr uint32_t kTwoFills = 32'768;

  void Append(PrimitiveRange range, const Bounds& bounds, int depth,
              BinaryTree& tree) const {
    if (range.size() <= options_.swept) return AppendSwept(range, depth, tree);
    const size_t index = tree.size();
    tree.push_back({bounds.box.HalfArea(), 0, range});
    if (range.size() <= options_.max_leaf) return Finish(range);
    const Split split = HasToHalve(range, depth) ? Halve(range, bounds)
                        : options_.detail_first && depth == 0
                            ? DetailOrByArea(range, bounds)
                            : ByArea(range, bounds);
    const PrimitiveRange left{range.begin, split.middle};
    const PrimitiveRange right{split.middle, range.end};
    if (workers_.count() > 1 && range.size() >= options_.task) {
      BinaryTree right_tree;
      workers_.Invoke(
          [&] { Append(left, split.left, depth + 1, tree); },
          [&] { Append(right, split.right, depth + 1, right_tree); });
      tree[index].right = static_cast<uint32_t>(tree.size() - index);
      tree.insert(tree.end(), right_tree.begin(), right_tree.end());
      return;
    }
    Append(left, split.left, depth + 1, tree);
    tree[index].right = static_cast<uint32_t>(tree.size() - index);
    Append(right, split.right, depth + 1, tree);
  }

  void Finish(PrimitiveRange leaf) const {
    if (options_.progress != nullptr) options_.progress->Add(leaf.size());
  }

  // Whether a range at this depth has no levels to spare.
  bool HasToHalve(PrimitiveRange range, int depth) const {
    // One spare level, because halves of odd sizes are unequal.
    const int levels = std::bit_width(Rows(range.size()));
    return depth + levels + 1 >= options_.max_depth;
  }

  // How many of a range go to the left where it is halved: all leaves but one
  // are full, and the left ones at one depth.
  uint32_t LeftHalf(PrimitiveRange range) const {
    return std::bit_floor(Rows(range.size()) - 1) * options_.max_leaf;
  }

  // Append for few primitives, which stay in their order.
  void AppendSwept(PrimitiveRange range, int depth, BinaryTree& tree) const {
    SweptBoxes boxes(primitives_.subspan(range.begin, range.size()));
    const size_t index = tree.size();
    tree.push_back({boxes.all().HalfArea(), 0, range});
    if (range.size() <= options_.max_leaf) return Finish(range);
    const uint32_t middle =
        range.begin + (HasToHalve(range, depth)
                           ? LeftHalf(range)
                           : boxes.BestCut(options_.max_leaf, LeftHalf(range)));
    AppendSwept({range.begin, middle}, depth + 1, tree);
    tree[index].right = static_cast<uint32_t>(tree.size() - index);
    AppendSwept({middle, range.end}, depth + 1, tree);
  }

  uint32_t Rows(uint32_t count) const {
    return (count + options_.max_leaf - 1) / options_.max_leaf;
  }
  F8 Rows(const U8& count) const {
    return LeavesFor(ToFloat(count), options_.max_leaf);
  }

  Bounds BoundsOf(PrimitiveRange range) const {
    F8 box = Set8(kFloatInfinity);
    F8 centers = box;
    for (uint32_t i = range.begin; i < range.end; ++i) {
      const F8 row = Load8(primitives_[i].box.v);
      box = Min(box, row);
      centers = Min(centers, DoubledCenters(row));
    }
    Bounds bounds;
    Store8(box, bounds.box.v);
    Store8(centers, bounds.centers.v);
    return bounds;
  }

  static Binning BinningOf(const Bounds& bounds, uint32_t bins) {
    Binning b;
    b.last = static_cast<float>(bins - 1);
    for (size_t axis = 0; axis < 3; ++axis) {
      b.least[axis] = bounds.centers.lo(axis);
      const float extent = bounds.centers.Edge(axis);
      // An extent so small that its inverse overflows counts as none.
      const float scale = static_cast<float>(bins) / extent;
      b.scale[axis] = scale < kFloatInfinity ? scale : 0;
    }
    return b;
  }

  // Bins of parts of the range add up to the same bits in any order.
  void Fill(PrimitiveRange range, const Binning& binning, uint32_t count,
            Bins& bins) const {
    if (workers_.count() == 1 || range.size() < kTwoFills) {
      FillAlone(range, binning, count, bins);
      return;
    }
    const uint32_t middle = range.begin + range.size() / 2;
    Bins others;
    workers_.Invoke(
        [&] {
          Fill({range.begin, middle}, binning, count, bins);
        },
        [&] {
          Fill({middle, range.end}, binning, count, others);
        });
    for (uint32_t b = 0; b < count; ++b) {
      for (size_t axis = 0; axis < 3; ++axis) {
        float* const box = bins.box[axis][b];
        Store8(Min(Load8(box), Load8(others.box[axis][b])), box);
        bins.count[b][axis] += others.count[b][axis];
      }
    }
  }

  void FillAlone(PrimitiveRange range, const Binning& binning, uint32_t count,
                 Bins& bins) const {
    const F8 none = Set8(kFloatInfinity);
    for (uint32_t b = 0; b < count; ++b) {
      for (auto& boxes : bins.box) Store8(none, boxes[b]);
      Set8(uint32_t{0}).Store(bins.count[b]);
    }
    const F8 least = Load8(binning.least);
    const F8 scale = Load8(binning.scale);
    const F8 last = Set8(binning.last);
    for (uint32_t i = range.begin; i < range.end; ++i) {
      const F8 row = Load8(primitives_[i].box.v);
      alignas(32) float position[8];
      Store8(Min((DoubledCenters(row) - least) * scale, last), position);
      for (size_t axis = 0; axis < 3; ++axis) {
        const auto b = static_cast<uint32_t>(static_cast<int>(position[axis]));
        float* const box = bins.box[axis][b];
        Store8(Min(Load8(box), row), box);
        ++bins.count[b][axis];
      }
    }
  }

  // The best place between two bins, by area times rows, on all axes at once.
  Cut BestCut(uint32_t bins_count, const Bins& bins) const {
    const auto boxes = [&](uint32_t b) HWY_ATTR {
      return Three{Load8(bins.box[0][b]), Load8(bins.box[1][b]),
                   Load8(bins.box[2][b])};
    };
    const F8 none = Set8(kFloatInfinity);
    Three grown{none, none, none};
    U8 count = Set8(uint32_t{0});
    alignas(32) float right_cost[kMostBins][8];
    for (uint32_t b = bins_count - 1; b > 0; --b) {
      grown = Union(grown, boxes(b));
      count = count + Load8(bins.count[b]);
      Store8(HalfAreas(grown.x, grown.y, grown.z) * Rows(count), right_cost[b]);
    }
    grown = {none, none, none};
    count = Set8(uint32_t{0});
    F8 best = none;
    F8 best_bin = Zero8();
    for (uint32_t b = 0; b + 1 < bins_count; ++b) {
      grown = Union(grown, boxes(b));
      count = count + Load8(bins.count[b]);
      const F8 cost = HalfAreas(grown.x, grown.y, grown.z) * Rows(count) +
                      Load8(right_cost[b + 1]);
      // The empty box has infinite area and no rows, so a cut with an empty
      // side costs NaN, which is not less than anything.
      const M8 better = cost < best;
      best = Select(better, cost, best);
      best_bin = Select(better, Set8(static_cast<float>(b)), best_bin);
    }
    alignas(32) float costs[8];
    alignas(32) float cut_bins[8];
    Store8(best, costs);
    Store8(best_bin, cut_bins);
    Cut cut;
    for (size_t axis = 0; axis < 3; ++axis) {
      if (costs[axis] < cut.cost) {
        cut = {costs[axis], axis, static_cast<uint32_t>(cut_bins[axis])};
      }
    }
    return cut;
  }

  Split ByArea(PrimitiveRange range, const Bounds& bounds) const {
    const uint32_t bins_count = BinsFor(range.size());
    const Binning binning = BinningOf(bounds, bins_count);
    Bins bins;
    Fill(range, binning, bins_count, bins);
    const Cut cut = BestCut(bins_count, bins);
    if (!(cut.cost < kFloatInfinity)) return Halve(range, bounds);

    Split split;
    F8 left_box = Set8(kFloatInfinity);
    F8 right_box = left_box;
    for (uint32_t b = 0; b < bins_count; ++b) {
      const F8 box = Load8(bins.box[cut.axis][b]);
      if (b <= cut.bin) {
        left_box = Min(left_box, box);
      } else {
        right_box = Min(right_box, box);
      }
    }
    Store8(left_box, split.left.box.v);
    Store8(right_box, split.right.box.v);

    split.middle = range.size() <= kFewToPart && options_.swept > 0
                       ? PartInOrder(range, binning, cut, split)
                       : Part(range, binning, cut, split);
    return split;
  }

  // Where all of a mesh's detail is in one spot, as a screw in a hall, that
  // goes to the left: cuts between bins, as through the middle of the hall,
  // would make several parts of it (parts.h).
  Split DetailOrByArea(PrimitiveRange range, const Bounds& bounds) const {
    const uint32_t count =
        DetailInOneSpot(primitives_.subspan(range.begin, range.size()));
    if (count == 0 || count == range.size()) return ByArea(range, bounds);
    std::partition(primitives_.begin() + range.begin,
                   primitives_.begin() + range.end,
                   [](const Primitive& p) { return IsDetail(p.box); });
    const uint32_t middle = range.begin + count;
    return {middle, BoundsOf({range.begin, middle}),
            BoundsOf({middle, range.end})};
  }

  // Calls place(row, is_left) for each primitive; stores the boxes of centres.
  template <typename Place>
  void PartBy(PrimitiveRange range, const Binning& binning, const Cut& cut,
              Split& split, Place place) const {
    const float limit = static_cast<float>(cut.bin + 1);
    const F8 none = Set8(kFloatInfinity);
    F8 left_centers = none;
    F8 right_centers = none;
    for (uint32_t i = range.begin; i < range.end; ++i) {
      const F8 row = Load8(primitives_[i].box.v);
      const float position = binning.Position(primitives_[i], cut.axis);
      const M8 is_left = Set8(position) < Set8(limit);
      const F8 centers = DoubledCenters(row);
      left_centers = Min(left_centers, Select(is_left, centers, none));
      right_centers = Min(right_centers, Select(is_left, none, centers));
      place(i, row, position < limit);
    }
    Store8(left_centers, split.left.centers.v);
    Store8(right_centers, split.right.centers.v);
  }

  // Puts those left of the cut first, and returns where the others begin.
  // Without unpredictable branches: each primitive swaps places with the first
  // of the right ones.
  uint32_t Part(PrimitiveRange range, const Binning& binning, const Cut& cut,
                Split& split) const {
    uint32_t left = range.begin;
    PartBy(range, binning, cut, split,
           [&](uint32_t i, const F8& row, bool is_left) HWY_ATTR {
             Store8(Load8(primitives_[left].box.v), primitives_[i].box.v);
             Store8(row, primitives_[left].box.v);
             left += static_cast<uint32_t>(is_left);
           });
    return left;
  }

  // The same for few primitives, which stay in order on either side.
  static constexpr uint32_t kFewToPart = 64;
  uint32_t PartInOrder(PrimitiveRange range, const Binning& binning,
                       const Cut& cut, Split& split) const {
    alignas(32) float others[kFewToPart][8];
    uint32_t left = range.begin;
    uint32_t right = 0;
    PartBy(range, binning, cut, split,
           [&](uint32_t, const F8& row, bool is_left) HWY_ATTR {
             Store8(row, primitives_[left].box.v);
             Store8(row, others[right]);
             left += static_cast<uint32_t>(is_left);
             right += static_cast<uint32_t>(!is_left);
           });
    for (uint32_t i = 0; i < right; ++i) {
      Store8(Load8(others[i]), primitives_[left + i].box.v);
    }
    return left;
  }

  // Splits at LeftHalf.
  Split Halve(PrimitiveRange range, const Bounds& bounds) const {
    size_t axis = 0;
    for (size_t k = 1; k < 3; ++k) {
      if (bounds.centers.Edge(k) > bounds.centers.Edge(axis)) axis = k;
    }
    Split split;
    split.middle = range.begin + LeftHalf(range);
    std::nth_element(primitives_.begin() + range.begin,
                     primitives_.begin() + split.middle,
                     primitives_.begin() + range.end,
                     [axis](const Primitive& x, const Primitive& y) {
                       const float cx = x.DoubledCenter(axis);
                       const float cy = y.DoubledCenter(axis);
                       return cx != cy ? cx < cy : x.id() < y.id();
                     });
    split.left = BoundsOf({range.begin, split.middle});
    split.right = BoundsOf({split.middle, range.end});
    return split;
  }

  const std::span<Primitive> primitives_;
  const BinnedSahOptions& options_;
  const Workers& workers_;
};

void BinnedSahLoop(std::span<Primitive> primitives, PrimitiveRange range,
                   const BinnedSahOptions& options, const Workers& workers,
                   BinaryTree* tree) {
  BinnedSah(primitives, options, workers).Run(range, *tree);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(BinnedSahLoop);

BinaryTree BuildBinnedSah(std::span<Primitive> primitives,
                          const BinnedSahOptions& options,
                          const Workers& workers) {
  BinaryTree tree;
  ReserveInLargePages(&tree,
                      primitives.size() / (options.max_leaf * 3 / 8 + 1) + 8);
  AppendBinnedSah(primitives, {0, static_cast<uint32_t>(primitives.size())},
                  options, workers, &tree);
  return tree;
}

void AppendBinnedSah(std::span<Primitive> primitives, PrimitiveRange range,
                     const BinnedSahOptions& options, const Workers& workers,
                     BinaryTree* tree) {
  ORBOX_DYNAMIC_DISPATCH(BinnedSahLoop)
  (primitives, range, options, workers, tree);
}

}  // namespace orbox
#endif  // HWY_ONCE
