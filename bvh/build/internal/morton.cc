// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/morton.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/large_pages.h"
#include "orbox/bvh/base/internal/morton_code.h"
#include "orbox/bvh/base/internal/radix_sort.h"
#include "orbox/bvh/build/internal/binned_sah.h"
#include "orbox/bvh/build/internal/fresh_array.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox {
namespace {

// A key is a code of 36 bits above the position of its primitive.
constexpr int kPositionBits = 28;
static_assert(Mesh::kMaxTriangles <= size_t{1} << kPositionBits);
constexpr uint32_t kPositionMask = (uint32_t{1} << kPositionBits) - 1;

// 12 bits an axis: cells of a 4096th of the model.
constexpr float kCells = 4096;

// The most triangles in a bunch. 32 leave leaves a twentieth less full, 128
// fill them a fiftieth more; visits differ by less than 2 %.
constexpr uint32_t kBunch = 64;

// So few triangles, and so few bunches, are parted along the curve. With 24
// triangles, a build takes a twentieth less, and boxes grow by 2 %.
constexpr uint32_t kSwept = 16;
constexpr uint32_t kSweptBunches = 4;

// More make no smaller boxes here.
constexpr uint32_t kFewestBins = 4;
constexpr uint32_t kMostBinsOfBunch = 12;

// All else waits for the bunches to be ordered, so that few of them are worth
// another thread.
constexpr uint32_t kTaskOfBunches = 512;

// The levels that bunches leave for ordering larger ones, whose triangles are
// all in one cell.
constexpr int kLevelsOfBunch = 30;

// SpreadBits of numbers of six bits.
constexpr std::array<uint32_t, 64> kSpread = [] {
  std::array<uint32_t, 64> spread{};
  for (uint32_t i = 0; i < 64; ++i) {
    spread[i] = static_cast<uint32_t>(SpreadBits(i));
  }
  return spread;
}();

uint64_t KeyOf(const Primitive& primitive, uint32_t position) {
  uint32_t low = 0;  // of the code, six bits an axis
  uint32_t high = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    // Doubled centres are in [-2, 2].
    const float cell = (primitive.DoubledCenter(axis) + 2) * (kCells / 4);
    const auto whole =
        static_cast<int32_t>(std::min(std::max(cell, 0.0f), kCells - 1));
    low = low << 1 | kSpread[whole & 63];
    high = high << 1 | kSpread[whole >> 6];
  }
  return (uint64_t{high} << 18 | low) << kPositionBits | position;
}

// Splits sorted keys where their codes differ most, until each part is small
// enough or has one code.
void AppendBunches(std::span<const uint64_t> keys, PrimitiveRange range,
                   std::vector<PrimitiveRange>& bunches) {
  const uint64_t first = keys[range.begin] >> kPositionBits;
  const uint64_t last = keys[range.end - 1] >> kPositionBits;
  if (range.size() <= kBunch || first == last) {
    bunches.push_back(range);
    return;
  }
  const int bit = std::bit_width(first ^ last) - 1;
  const auto middle = std::partition_point(
      keys.begin() + range.begin, keys.begin() + range.end,
      [bit](uint64_t key) { return (key >> (kPositionBits + bit) & 1) == 0; });
  const auto m = static_cast<uint32_t>(middle - keys.begin());
  AppendBunches(keys, {range.begin, m}, bunches);
  AppendBunches(keys, {m, range.end}, bunches);
}

Primitive BoxAround(std::span<const Primitive> primitives, uint32_t id) {
  Primitive all = primitives[0];
  for (const Primitive& p : primitives.subspan(1)) {
    for (size_t k = 0; k < 8; ++k) {
      all.box.v[k] = std::min(all.box.v[k], p.box.v[k]);
    }
  }
  all.set_id(id);
  return all;
}

// Puts the trees of bunches in place of the leaves of the tree of bunches. Both
// are in depth-first order, so one pass suffices.
class Grafter {
 public:
  Grafter(const BinaryTree& top, std::span<const Primitive> boxes,
          std::span<const BinaryTree> parts)
      : top_(top), boxes_(boxes), parts_(parts) {
    size_t size = top.size();
    for (const BinaryTree& part : parts) size += part.size();
    ReserveInLargePages(&tree_, size);
  }

  BinaryTree Run() {
    Append(0);
    return std::move(tree_);
  }

 private:
  void Append(size_t index) {
    const BinaryNode& node = top_[index];
    if (node.is_leaf()) {
      const BinaryTree& part = parts_[boxes_[node.range.begin].id()];
      tree_.insert(tree_.end(), part.begin(), part.end());
      return;
    }
    const size_t place = tree_.size();
    tree_.push_back(node);
    Append(index + 1);
    tree_[place].right = static_cast<uint32_t>(tree_.size() - place);
    Append(index + node.right);
  }

  const BinaryTree& top_;
  const std::span<const Primitive> boxes_;
  const std::span<const BinaryTree> parts_;
  BinaryTree tree_;
};

}  // namespace

BinaryTree BuildMorton(FreshArray<Primitive>& fresh,
                       const MortonOptions& options, const Workers& workers) {
  constexpr size_t kPiece = 4096;
  std::span<Primitive> primitives = fresh.values();
  const auto count = static_cast<uint32_t>(primitives.size());
  std::vector<PrimitiveRange> bunches;
  {
    auto keys = VectorInLargePages<uint64_t>(count);
    workers.For(count, kPiece, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        keys[i] = KeyOf(primitives[i], static_cast<uint32_t>(i));
      }
    });
    std::vector<uint64_t> scratch;
    ReserveInLargePages(&scratch, count);
    RadixSort(
        &keys, &scratch, [](uint64_t key) { return key >> kPositionBits; },
        workers);
    AppendBunches(keys, {0, count}, bunches);
    auto sorted = FreshInLargePages<Primitive>(count);
    workers.For(count, kPiece, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        sorted.values()[i] = primitives[keys[i] & kPositionMask];
      }
    });
    fresh = std::move(sorted);
    primitives = fresh.values();
  }

  std::vector<Primitive> boxes(bunches.size());
  std::vector<BinaryTree> parts(bunches.size());
  workers.For(bunches.size(), kPiece / kBunch, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto bunch =
          primitives.subspan(bunches[i].begin, bunches[i].size());
      boxes[i] = BoxAround(bunch, static_cast<uint32_t>(i));
      parts[i] = BuildBinnedSah(bunch,
                                {.max_leaf = options.max_leaf,
                                 .fewest_bins = kFewestBins,
                                 .most_bins = kMostBinsOfBunch,
                                 .swept = kSwept,
                                 .max_depth = kLevelsOfBunch,
                                 .progress = options.progress},
                                workers);
      for (BinaryNode& node : parts[i]) {
        node.range.begin += bunches[i].begin;
        node.range.end += bunches[i].begin;
      }
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
  return Grafter(top, boxes, parts).Run();
}

}  // namespace orbox
