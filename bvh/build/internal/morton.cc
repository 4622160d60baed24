// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/morton.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/large_pages.h"
#include "orbox/bvh/base/internal/radix_sort.h"
#include "orbox/bvh/build/internal/binned_sah.h"
#include "orbox/bvh/mesh/mesh.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/build/internal/morton.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "hwy/cache_control.h"
#include "orbox/bvh/build/internal/box_row-inl.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/internal/lanes/point_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns the lowest ten bits of each number, with two zero bits before each of
// them.
template <typename Vector>
HWY_INLINE Vector SpreadTenBits(const Vector& bits) {
  const hn::DFromV<Vector> d;
  auto v = bits;
  v = hn::And(hn::Or(v, hn::ShiftLeft<16>(v)), hn::Set(d, 0x030000FFu));
  v = hn::And(hn::Or(v, hn::ShiftLeft<8>(v)), hn::Set(d, 0x0300F00Fu));
  v = hn::And(hn::Or(v, hn::ShiftLeft<4>(v)), hn::Set(d, 0x030C30C3u));
  return hn::And(hn::Or(v, hn::ShiftLeft<2>(v)), hn::Set(d, 0x09249249u));
}

// Returns the Morton codes of eight points whose coordinates are doubled, in
// [-2, 2]. `cells` is the number of cells per axis, at most 1024.
HWY_INLINE U8 CodesOf(const V8& doubled, float cells) {
  const hn::RebindToSigned<IntPart> d;
  const auto spread = [&](const F8& coordinate, size_t i) HWY_ATTR {
    const F8 cell = (coordinate + Set8(2.0f)) * Set8(cells / 4);
    const F8 inside = Min(Max(cell, Zero8()), Set8(cells - 1));
    return SpreadTenBits(
        hn::BitCast(IntPart(), hn::ConvertTo(d, inside.part[i])));
  };
  U8 codes;
  for (size_t i = 0; i < kParts; ++i) {
    codes.part[i] = hn::Or(hn::Or(hn::ShiftLeft<2>(spread(doubled.x, i)),
                                  hn::ShiftLeft<1>(spread(doubled.y, i))),
                           spread(doubled.z, i));
  }
  return codes;
}

// Computes the codes of primitives. `codes` must have room for seven extra
// codes.
void CodesLoop(std::span<const Primitive> primitives, float cells,
               uint32_t* codes) {
  for (size_t first = 0; first < primitives.size(); first += kLanes) {
    // Twice the centre of a primitive, in lanes x, y, z. The fourth lane is
    // spare.
    const auto doubled = [&](size_t i) HWY_ATTR {
      const float* const box =
          primitives[std::min(first + i, primitives.size() - 1)].box.v;
      return F4::Load(box) - F4::Load(box + 4);
    };
    F8 points[kLanes / 2];
    for (size_t i = 0; i < kLanes / 2; ++i) {
      points[i] = Joined(doubled(i), doubled(i + kLanes / 2));
    }
    CodesOf(RowsOf(points), cells).StoreU(codes + first);
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(CodesLoop);

namespace {

// Cells per axis. With 256, codes have two digits to sort by instead of three
// (radix_sort.h), but cells contain more triangles. Queries then take 0.2 %
// more instructions for 70,000 triangles, and 0.7 % for 200,000.
constexpr uint32_t kFewTriangles = uint32_t{1} << 17;
constexpr float kCellsForFew = 256;
constexpr float kCellsForMany = 1024;

// Upper bound of triangles per bunch. With 32, leaves contain a twentieth less;
// with 128, a fiftieth more. Visits differ by less than 2 %.
constexpr uint32_t kBunch = 64;

// Up to this many triangles, and up to this many bunches, are split in the
// order of the curve. With 16 triangles, a build takes an eleventh more time,
// and queries take 2 % fewer instructions.
constexpr uint32_t kSwept = 32;
constexpr uint32_t kSweptBunches = 4;

// More bins do not make smaller boxes here. Eight bins fit in one register.
constexpr uint32_t kFewestBins = 4;
constexpr uint32_t kMostBinsOfBunch = 8;

// All later work waits until the bunches are ordered, so a second thread is
// worthwhile even for few bunches.
constexpr uint32_t kTaskOfBunches = 512;

// Levels reserved for the tree of a bunch. The other levels are for the tree of
// bunches. A bunch may have more than kBunch triangles if all are in one cell.
constexpr int kLevelsOfBunch = 30;

// The codes of primitives and their positions, sorted by code.
class SortedCodes {
 public:
  SortedCodes(std::span<const Primitive> primitives, const Workers& workers)
      : first_(FreshInLargePages<KeyedIndex>(primitives.size())),
        second_(FreshInLargePages<KeyedIndex>(primitives.size())) {
    const size_t count = primitives.size();
    const float cells = count <= kFewTriangles ? kCellsForFew : kCellsForMany;
    const std::span<KeyedIndex> keys = first_.values();
    constexpr size_t kTaskSize = 4096;
    workers.For(count, kTaskSize, [&](size_t begin, size_t end) {
      workers.Poll();
      uint32_t codes[kTaskSize + kLanes];
      ORBOX_DYNAMIC_DISPATCH(CodesLoop)
      (primitives.subspan(begin, end - begin), cells, codes);
      for (size_t i = begin; i < end; ++i) {
        keys[i] = {codes[i - begin], static_cast<uint32_t>(i)};
      }
    });
    sorted_ = RadixSort(
        keys, second_.values(), [](const KeyedIndex& k) { return k.key; },
        workers);
  }

  std::span<const KeyedIndex> keys() const { return sorted_; }

 private:
  FreshArray<KeyedIndex> first_;
  FreshArray<KeyedIndex> second_;
  std::span<const KeyedIndex> sorted_;  // one of the two arrays
};

// Splits sorted keys at the highest bit in which their codes differ, until each
// piece is small enough or has a single code.
void AppendBunches(std::span<const KeyedIndex> keys, PrimitiveRange range,
                   const Workers& workers,
                   std::vector<PrimitiveRange>& bunches) {
  const uint32_t first = keys[range.begin].key;
  const uint32_t last = keys[range.end - 1].key;
  if (range.size() <= kBunch || first == last) {
    bunches.push_back(range);
    return;
  }
  const int bit = std::bit_width(first ^ last) - 1;
  const auto middle = std::partition_point(
      keys.begin() + range.begin, keys.begin() + range.end,
      [bit](const KeyedIndex& k) { return (k.key >> bit & 1) == 0; });
  const auto m = static_cast<uint32_t>(middle - keys.begin());
  const PrimitiveRange left{range.begin, m};
  const PrimitiveRange right{m, range.end};
  constexpr uint32_t kTask = 16'384;
  if (workers.count() > 1 && range.size() >= kTask) {
    std::vector<PrimitiveRange> others;
    workers.Invoke([&] { AppendBunches(keys, left, workers, bunches); },
                   [&] { AppendBunches(keys, right, workers, others); });
    bunches.insert(bunches.end(), others.begin(), others.end());
    return;
  }
  AppendBunches(keys, left, workers, bunches);
  AppendBunches(keys, right, workers, bunches);
}

// Copies the primitives of a range of keys to `to`, in their order.
void Gather(std::span<const Primitive> unsorted,
            std::span<const KeyedIndex> keys, PrimitiveRange range,
            Primitive* to) {
  // Prefetches primitives, because they are read in random order. Waiting for
  // them would take half of the time.
  constexpr size_t kAhead = 16;
  const Primitive* const from = unsorted.data();
  const KeyedIndex* const end = keys.data() + range.end;
  const KeyedIndex* const last = &keys.back();
  for (const KeyedIndex* key = keys.data() + range.begin; key != end; ++key) {
    hwy::Prefetch(from + std::min(key + kAhead, last)->index);
    *to++ = from[key->index];
  }
}

// Position of a bunch's tree within the trees of its piece.
struct BunchTree {
  uint32_t task = 0;
  uint32_t begin = 0;
  uint32_t size = 0;
};

// Replaces the leaves of the tree of bunches with the trees of the bunches. All
// trees are in depth-first order. So one pass over the tree of bunches computes
// the positions, and everything else is copied.
class Grafter {
 public:
  Grafter(const BinaryTree& top, std::span<const Primitive> boxes,
          std::span<const BunchTree> bunches, std::span<const BinaryTree> tasks)
      : top_(top), boxes_(boxes), bunches_(bunches), tasks_(tasks) {}

  FreshArray<BinaryNode> Run(const Workers& workers) {
    // Inner nodes are kept. Each leaf is replaced by the tree of a bunch.
    size_t size = top_.size() - bunches_.size();
    for (const BinaryTree& task : tasks_) size += task.size();
    auto nodes = FreshInLargePages<BinaryNode>(size);
    const std::span<BinaryNode> tree = nodes.values();
    places_.resize(bunches_.size());
    Place(0, 0, tree);
    constexpr size_t kTaskSize = 512;
    workers.For(bunches_.size(), kTaskSize, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const BunchTree& bunch = bunches_[i];
        std::copy_n(tasks_[bunch.task].begin() + bunch.begin, bunch.size,
                    tree.begin() + places_[i]);
      }
    });
    return nodes;
  }

 private:
  // Assigns positions to top_[index] and everything below it, from `place` on.
  // Returns the end of these positions.
  uint32_t Place(size_t index, uint32_t place, std::span<BinaryNode> tree) {
    const BinaryNode& node = top_[index];
    if (node.is_leaf()) {
      const uint32_t bunch = boxes_[node.range.begin].id();
      places_[bunch] = place;
      return place + bunches_[bunch].size;
    }
    const uint32_t right = Place(index + 1, place + 1, tree);
    tree[place] = {node.half_area, right - place, node.range};
    return Place(index + node.right, right, tree);
  }

  const BinaryTree& top_;
  const std::span<const Primitive> boxes_;
  const std::span<const BunchTree> bunches_;
  const std::span<const BinaryTree> tasks_;
  std::vector<uint32_t> places_;  // of the trees of bunches
};

}  // namespace

FreshArray<BinaryNode> BuildMorton(std::span<const Primitive> unsorted,
                                   std::span<Primitive> sorted,
                                   const MortonOptions& options,
                                   const Workers& workers) {
  const SortedCodes codes(unsorted, workers);
  const std::span<const KeyedIndex> keys = codes.keys();
  std::vector<PrimitiveRange> ranges;
  AppendBunches(keys, {0, static_cast<uint32_t>(keys.size())}, workers, ranges);

  std::vector<Primitive> boxes(ranges.size());
  std::vector<BunchTree> bunches(ranges.size());
  constexpr size_t kTaskSize = 64;
  std::vector<BinaryTree> tasks((ranges.size() + kTaskSize - 1) / kTaskSize);
  workers.For(ranges.size(), kTaskSize, [&](size_t begin, size_t end) {
    workers.Poll();
    const size_t task = begin / kTaskSize;
    BinaryTree& tree = tasks[task];
    tree.reserve((ranges[end - 1].end - ranges[begin].begin) / 2);
    for (size_t i = begin; i < end; ++i) {
      const PrimitiveRange range = ranges[i];
      Gather(unsorted, keys, range, sorted.data() + range.begin);
      bunches[i].task = static_cast<uint32_t>(task);
      bunches[i].begin = static_cast<uint32_t>(tree.size());
      boxes[i].box = AppendBinnedSah(sorted, range,
                                     {.max_leaf = options.max_leaf,
                                      .fewest_bins = kFewestBins,
                                      .most_bins = kMostBinsOfBunch,
                                      .swept = kSwept,
                                      .max_depth = kLevelsOfBunch,
                                      .progress = options.progress},
                                     workers, &tree);
      boxes[i].set_id(static_cast<uint32_t>(i));
      bunches[i].size = static_cast<uint32_t>(tree.size()) - bunches[i].begin;
    }
  });
  const BinaryTree top =
      BuildBinnedSah(boxes,
                     {.max_leaf = 1,
                      .fewest_bins = kFewestBins,
                      .swept = kSweptBunches,
                      .task = kTaskOfBunches,
                      .max_depth = kMaxBinaryDepth - kLevelsOfBunch},
                     workers);
  return Grafter(top, boxes, bunches, tasks).Run(workers);
}

}  // namespace orbox
#endif  // HWY_ONCE
