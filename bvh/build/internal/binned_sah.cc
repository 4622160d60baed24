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
#include "orbox/bvh/build/internal/bins-inl.h"
#include "orbox/bvh/build/internal/box_row-inl.h"
#include "orbox/bvh/build/internal/detail_trees.h"
#include "orbox/bvh/build/internal/swept_cut-inl.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class BinnedSah {
 public:
  BinnedSah(std::span<Primitive> primitives, const BinnedSahOptions& options,
            const Workers& workers)
      : primitives_(primitives), options_(options), workers_(workers) {}

  // Appends a tree over the range to `tree`. Returns the box around the range.
  BoxRow Run(PrimitiveRange range, BinaryTree& tree) const {
    const Bounds bounds = BoundsOf(range);
    Append(range, bounds, 0, tree);
    return bounds.box;
  }

 private:
  // The box around primitives, and the box around their doubled centres.
  struct Bounds {
    BoxRow box;
    BoxRow centers;
  };

  uint32_t BinsFor(uint32_t count) const {
    return std::min(options_.most_bins, options_.fewest_bins + count / 4);
  }

  // Maps a doubled centre to its bin, axis by axis.
  struct Binning {
    alignas(32) float least[8] = {};
    alignas(32) float scale[8] = {};  // 0 if all centres coincide
    float last = 0;

    float Position(const Primitive& p, size_t axis) const {
      const float f = (p.DoubledCenter(axis) - least[axis]) * scale[axis];
      return f < last ? f : last;
    }
  };

  struct Split {
    uint32_t middle;
    Bounds left;
    Bounds right;
  };

  // From this size on, two threads bin a range.
  static constexpr uint32_t kTwoFills = 32'768;

  // Ranges from this size on are polled. Smaller ones take microseconds.
  static constexpr uint32_t kPolled = 1024;

  void Append(PrimitiveRange range, const Bounds& bounds, int depth,
              BinaryTree& tree) const {
    if (range.size() <= options_.swept) return AppendSwept(range, depth, tree);
    const size_t index = tree.size();
    tree.push_back({bounds.box.HalfArea(), 0, range});
    if (range.size() <= options_.max_leaf) return Finish(range);
    if (range.size() >= kPolled) workers_.Poll();
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

  // Returns true if a range at this depth must be halved, so that the tree does
  // not become too deep.
  bool HasToHalve(PrimitiveRange range, int depth) const {
    // One level more than needed, because halves of odd sizes are unequal.
    const int levels = std::bit_width(Rows(range.size()));
    return depth + levels + 1 >= options_.max_depth;
  }

  // Returns the number of primitives on the left side if a range is halved. All
  // leaves except one are then full, and all leaves on the left are at one
  // depth.
  uint32_t LeftHalf(PrimitiveRange range) const {
    return std::bit_floor(Rows(range.size()) - 1) * options_.max_leaf;
  }

  // Append for ranges of few primitives. Keeps their order.
  void AppendSwept(PrimitiveRange range, int depth, BinaryTree& tree) const {
    SweptAreas areas(primitives_, range);
    AppendSwept(range, areas, areas.From(range.begin), depth, tree);
  }
  void AppendSwept(PrimitiveRange range, SweptAreas& areas, float half_area,
                   int depth, BinaryTree& tree) const {
    const size_t index = tree.size();
    tree.push_back({half_area, 0, range});
    if (range.size() <= options_.max_leaf) return Finish(range);
    const uint32_t half = range.begin + LeftHalf(range);
    const uint32_t middle = HasToHalve(range, depth)
                                ? half
                                : areas.BestCut(range, options_.max_leaf, half);
    const PrimitiveRange left{range.begin, middle};
    const PrimitiveRange right{middle, range.end};
    const float left_area = areas.UpTo(middle - 1);
    const float right_area = areas.From(middle);
    if (left.size() <= options_.max_leaf) {
      tree.push_back({left_area, 0, left});
      Finish(left);
    } else {
      areas.SweepBack(left);
      AppendSwept(left, areas, left_area, depth + 1, tree);
    }
    tree[index].right = static_cast<uint32_t>(tree.size() - index);
    if (right.size() <= options_.max_leaf) {
      tree.push_back({right_area, 0, right});
      Finish(right);
    } else {
      areas.SweepForth(right);
      AppendSwept(right, areas, right_area, depth + 1, tree);
    }
  }

  uint32_t Rows(uint32_t count) const {
    return (count + options_.max_leaf - 1) / options_.max_leaf;
  }

  Bounds BoundsOf(PrimitiveRange range) const {
    F8 box = Set8(kFloatInfinity);
    F8 centers = box;
    for (uint32_t i = range.begin; i < range.end;) {
      for (const uint32_t end = workers_.EndOfBlock(i, range.end); i < end;
           ++i) {
        const F8 row = Load8(primitives_[i].box.v);
        box = Min(box, row);
        centers = Min(centers, DoubledCenters(row));
      }
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
      // If the extent is so small that its inverse overflows, it counts as
      // zero.
      const float scale = static_cast<float>(bins) / extent;
      b.scale[axis] = scale < kFloatInfinity ? scale : 0;
    }
    return b;
  }

  // Adds the range to the bins. If the two halves of a range are binned
  // separately, the sum of their bins has equal bits, in any order.
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
    bins.Add(others, count);
  }

  void FillAlone(PrimitiveRange range, const Binning& binning, uint32_t count,
                 Bins& bins) const {
    bins.Clear(count);
    const F8 least = Load8(binning.least);
    const F8 scale = Load8(binning.scale);
    const F8 last = Set8(binning.last);
    for (uint32_t i = range.begin; i < range.end;) {
      for (const uint32_t end = workers_.EndOfBlock(i, range.end); i < end;
           ++i) {
        const F8 row = Load8(primitives_[i].box.v);
        alignas(32) float position[8];
        Store8(Min((DoubledCenters(row) - least) * scale, last), position);
        for (size_t axis = 0; axis < 3; ++axis) {
          // Signed integers as wide as an address are converted in one
          // instruction.
          const auto b =
              static_cast<size_t>(static_cast<int64_t>(position[axis]));
          Bin& bin = bins.bin[b];
          Store8(Min(row, Load8(bin.box[axis])), bin.box[axis]);
          ++bin.count[axis];
        }
      }
    }
  }

  Split ByArea(PrimitiveRange range, const Bounds& bounds) const {
    const uint32_t bins_count = BinsFor(range.size());
    const Binning binning = BinningOf(bounds, bins_count);
    Bins bins;
    Fill(range, binning, bins_count, bins);
    const Cut cut =
        BestCutOf(bins, bins_count, range.size(), options_.max_leaf);
    if (!(cut.cost < kFloatInfinity)) return Halve(range, bounds);

    Split split;
    const uint32_t count =
        bins.Around(cut.axis, 0, cut.bin + 1, &split.left.box);
    bins.Around(cut.axis, cut.bin + 1, bins_count, &split.right.box);
    split.middle = range.begin + count;
    const uint32_t larger = std::max(count, range.size() - count);
    if (larger > std::max(options_.max_leaf, options_.swept)) {
      Part<true>(range, binning, cut, split);
    } else {
      Part<false>(range, binning, cut, split);
    }
    return split;
  }

  // If all detail of a mesh is in one spot, like a screw in a hall, splits it
  // off as a whole. Otherwise a cut between bins, for example through the
  // middle of the hall, might divide it into several detail trees
  // (detail_trees.h).
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

  // Moves the primitives left of the cut to the front. Computes boxes of
  // centres only if the parts will be binned again.
  template <bool kWithCenters>
  void Part(PrimitiveRange range, const Binning& binning, const Cut& cut,
            Split& split) const {
    if (range.size() <= kFewToPart && options_.swept > 0) {
      PartInOrder<kWithCenters>(range, binning, cut, split);
    } else {
      PartBySwaps<kWithCenters>(range, binning, cut, split);
    }
  }

  // Calls place(i, row, is_left) for each primitive. Stores the boxes of
  // centres.
  template <bool kWithCenters, typename Place>
  void PartBy(PrimitiveRange range, const Binning& binning, const Cut& cut,
              Split& split, Place place) const {
    const float limit = static_cast<float>(cut.bin + 1);
    const F8 none = Set8(kFloatInfinity);
    F8 left_centers = none;
    F8 right_centers = none;
    for (uint32_t i = range.begin; i < range.end;) {
      for (const uint32_t end = workers_.EndOfBlock(i, range.end); i < end;
           ++i) {
        const F8 row = Load8(primitives_[i].box.v);
        const float position = binning.Position(primitives_[i], cut.axis);
        if constexpr (kWithCenters) {
          const M8 is_left = Set8(position) < Set8(limit);
          const F8 centers = DoubledCenters(row);
          left_centers = Min(left_centers, Select(is_left, centers, none));
          right_centers = Min(right_centers, Select(is_left, none, centers));
        }
        place(i, row, position < limit);
      }
    }
    Store8(left_centers, split.left.centers.v);
    Store8(right_centers, split.right.centers.v);
  }

  // Splits without unpredictable branches: swaps each left primitive with the
  // first one of the right primitives.
  template <bool kWithCenters>
  void PartBySwaps(PrimitiveRange range, const Binning& binning, const Cut& cut,
                   Split& split) const {
    uint32_t left = range.begin;
    PartBy<kWithCenters>(range, binning, cut, split,
                         [&](uint32_t i, const F8& row, bool is_left) HWY_ATTR {
                           Store8(Load8(primitives_[left].box.v),
                                  primitives_[i].box.v);
                           Store8(row, primitives_[left].box.v);
                           left += static_cast<uint32_t>(is_left);
                         });
  }

  // Splits few primitives, and keeps their order on both sides.
  static constexpr uint32_t kFewToPart = 64;
  template <bool kWithCenters>
  void PartInOrder(PrimitiveRange range, const Binning& binning, const Cut& cut,
                   Split& split) const {
    alignas(32) float others[kFewToPart][8];
    Primitive* left = primitives_.data() + range.begin;
    float(*right)[8] = others;
    PartBy<kWithCenters>(range, binning, cut, split,
                         [&](uint32_t, const F8& row, bool is_left) HWY_ATTR {
                           Store8(row, left->box.v);
                           Store8(row, *right);
                           left += is_left ? 1 : 0;
                           right += is_left ? 0 : 1;
                         });
    for (float(*other)[8] = others; other != right; ++other, ++left) {
      Store8(Load8(*other), left->box.v);
    }
  }

  // Splits the range at LeftHalf.
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

BoxRow BinnedSahLoop(std::span<Primitive> primitives, PrimitiveRange range,
                     const BinnedSahOptions& options, const Workers& workers,
                     BinaryTree* tree) {
  return BinnedSah(primitives, options, workers).Run(range, *tree);
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

BoxRow AppendBinnedSah(std::span<Primitive> primitives, PrimitiveRange range,
                       const BinnedSahOptions& options, const Workers& workers,
                       BinaryTree* tree) {
  return ORBOX_DYNAMIC_DISPATCH(BinnedSahLoop)(primitives, range, options,
                                               workers, tree);
}

}  // namespace orbox
#endif  // HWY_ONCE
