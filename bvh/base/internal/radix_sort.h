// SPDX-License-Identifier: Apache-2.0

// Sorting in linear time, digit by digit, the lowest first (Knuth, "The Art of
// Computer Programming", volume 3, 5.2.5).
//
//   RadixSort(&items, &scratch, [](const Item& item) { return item.key; });
//
// Stable. A key is an unsigned integer of up to 64 bits. Bits in which no two
// keys differ cost nothing. From a hundred items on, sorting by comparisons
// takes three times as long, because its branches are mispredicted.
#ifndef ORBOX_BVH_BASE_INTERNAL_RADIX_SORT_H_
#define ORBOX_BVH_BASE_INTERNAL_RADIX_SORT_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"

namespace orbox {

// A key to sort by, and the index of its item.
struct KeyedIndex {
  uint32_t key = 0;
  uint32_t index = 0;
};

// Sorts by key_of(item). `scratch` is memory that a caller may keep for the
// next call.
template <typename Item, typename KeyOf>
void RadixSort(std::vector<Item>* items, std::vector<Item>* scratch,
               KeyOf key_of);

// RadixSort on several cores. Polls the workers (workers.h). The result does
// not depend on the number of cores.
template <typename Item, typename KeyOf>
void RadixSort(std::vector<Item>* items, std::vector<Item>* scratch,
               KeyOf key_of, const Workers& workers);

// Sorts `items`. Uses `scratch`, which must have equal size, as memory. Returns
// the one of the two that contains the result.
template <typename Item, typename KeyOf>
std::span<Item> RadixSort(std::span<Item> items, std::span<Item> scratch,
                          KeyOf key_of);
template <typename Item, typename KeyOf>
std::span<Item> RadixSort(std::span<Item> items, std::span<Item> scratch,
                          KeyOf key_of, const Workers& workers);

// Sorts by ids_of(item).a, then by ids_of(item).b, both of 32 bits.
template <typename Item, typename IdsOf>
void RadixSortPairs(std::vector<Item>* items, std::vector<Item>* scratch,
                    IdsOf ids_of);
template <typename Item, typename IdsOf>
void RadixSortPairs(std::vector<Item>* items, std::vector<Item>* scratch,
                    IdsOf ids_of, const Workers& workers);

// Implementation.

namespace radix_internal {

// Number of counters for all digits of all passes: at most 6 passes of 12 bits,
// or more passes of fewer bits. 4,096 counters of four bytes fill half of a
// first-level cache.
inline constexpr int kMaxDigitBits = 12;
inline constexpr size_t kMaxCounters = size_t{6} << kMaxDigitBits;

// The digits of keys: `passes` digits of `bits` bits each, from `first_bit` on.
struct Digits {
  template <typename Key>
  size_t Of(Key key, int pass) const {
    return static_cast<size_t>(uint64_t{key} >> (first_bit + pass * bits) &
                               (count() - 1));
  }
  size_t count() const { return size_t{1} << bits; }

  int first_bit = 0;
  int bits = 1;
  int passes = 0;
};

// Returns the digits with the lowest cost for this number of items, whose keys
// differ in these bits.
inline Digits DigitsFor(uint64_t differing, size_t items) {
  Digits best;
  if (differing == 0) return best;
  best.first_bit = std::countr_zero(differing);
  const int range =
      static_cast<int>(std::bit_width(differing)) - best.first_bit;
  uint64_t least = std::numeric_limits<uint64_t>::max();
  constexpr int kMinDigitBits = 4;
  for (int bits = kMinDigitBits; bits <= kMaxDigitBits; ++bits) {
    const int passes = (range + bits - 1) / bits;
    // In each pass, an item is counted and then moved. This takes about four
    // times as long as clearing and adding up a counter, because neighbouring
    // counters are processed together.
    const uint64_t cost =
        static_cast<uint64_t>(passes) * (4 * items + (uint64_t{1} << bits));
    if (cost >= least) continue;
    least = cost;
    best.bits = bits;
    best.passes = passes;
  }
  return best;
}

// Calls work(block) for one block of items after another. Blocks are so small
// that they are still in the cache for the next pass over them. If `workers` is
// not null, polls before each block.
template <typename Item, typename Work>
void ForEachBlock(std::span<Item> items, const Workers* workers, Work work) {
  constexpr size_t kBlock = 2048;
  while (!items.empty()) {
    if (workers != nullptr) workers->Poll();
    const size_t size = std::min(kBlock, items.size());
    work(items.first(size));
    items = items.subspan(size);
  }
}

template <typename Item, typename KeyOf>
Digits DigitsOf(std::span<const Item> items, KeyOf key_of,
                const Workers* workers) {
  uint64_t differing = 0;
  const uint64_t first = key_of(items.front());
  ForEachBlock(items, workers, [&](std::span<const Item> block) {
    for (const Item& item : block) differing |= key_of(item) ^ first;
  });
  return DigitsFor(differing, items.size());
}

// Sorts the items by comparisons if there are too many for counters of 32 bits,
// or so few that comparisons are faster. Returns true if it sorted them.
template <typename Item, typename KeyOf>
bool SortByComparing(std::span<Item> items, KeyOf key_of) {
  constexpr size_t kFew = 32;
  const auto before = [&](const Item& a, const Item& b) {
    return key_of(a) < key_of(b);
  };
  if (items.size() > std::numeric_limits<uint32_t>::max()) {
    std::stable_sort(items.begin(), items.end(), before);
    return true;
  }
  if (items.size() > kFew) return false;
  // Insertion sort: stable, and needs no memory.
  for (auto at = items.begin(); at != items.end(); ++at) {
    std::rotate(std::upper_bound(items.begin(), at, *at, before), at, at + 1);
  }
  return true;
}

// Replaces each count by the sum of the counts before it.
inline void SumUp(std::span<uint32_t> counts) {
  uint32_t before = 0;
  for (uint32_t& count : counts) before += std::exchange(count, before);
}

// Sorts vectors by `sort`, a function that sorts spans.
template <typename Item, typename Sort>
void SortVectors(std::vector<Item>* items, std::vector<Item>* scratch,
                 Sort sort) {
  scratch->resize(items->size());
  if (sort(std::span(*items), std::span(*scratch)).data() != items->data()) {
    items->swap(*scratch);
  }
}

// RadixSort on the calling thread.
template <typename Item, typename KeyOf>
std::span<Item> SortAlone(std::span<Item> items, std::span<Item> scratch,
                          KeyOf key_of, const Workers* workers) {
  if (SortByComparing(items, key_of)) return items;
  const Digits digits = DigitsOf<Item>(items, key_of, workers);
  const auto passes = static_cast<size_t>(digits.passes);
  std::array<uint32_t, kMaxCounters> counters;
  std::fill_n(counters.begin(), passes * digits.count(), 0);
  const auto counts_of = [&](int pass) {
    return std::span(counters).subspan(
        static_cast<size_t>(pass) * digits.count(), digits.count());
  };
  ForEachBlock(items, workers, [&](std::span<const Item> block) {
    for (int pass = 0; pass < digits.passes; ++pass) {
      uint32_t* const counts = counts_of(pass).data();
      for (const Item& item : block) ++counts[digits.Of(key_of(item), pass)];
    }
  });
  for (int pass = 0; pass < digits.passes; ++pass) {
    const std::span<uint32_t> places = counts_of(pass);
    SumUp(places);
    Item* const to = scratch.data();
    ForEachBlock(items, workers, [&](std::span<const Item> block) {
      for (const Item& item : block) {
        to[places[digits.Of(key_of(item), pass)]++] = item;
      }
    });
    std::swap(items, scratch);
  }
  return items;
}

}  // namespace radix_internal

template <typename Item, typename KeyOf>
std::span<Item> RadixSort(std::span<Item> items, std::span<Item> scratch,
                          KeyOf key_of) {
  return radix_internal::SortAlone(items, scratch, key_of, nullptr);
}

template <typename Item, typename KeyOf>
std::span<Item> RadixSort(std::span<Item> items, std::span<Item> scratch,
                          KeyOf key_of, const Workers& workers) {
  // Pieces are so few that their counts stay in the cache. They are so large
  // that adding up counts, which one thread does, takes less time than moving
  // items. There are two pieces per thread; the result does not depend on their
  // number.
  constexpr size_t kLeastTask = size_t{1} << 13;
  constexpr size_t kMostTasks = 64;
  const size_t most =
      std::min(kMostTasks, 2 * static_cast<size_t>(workers.count()));
  const size_t task = std::max(kLeastTask, (items.size() + most - 1) / most);
  const size_t tasks = (items.size() + task - 1) / task;
  if (tasks <= 1 || workers.count() == 1 ||
      items.size() > std::numeric_limits<uint32_t>::max()) {
    return radix_internal::SortAlone(items, scratch, key_of, &workers);
  }
  const radix_internal::Digits digits =
      radix_internal::DigitsOf<Item>(items, key_of, &workers);
  const auto for_each = [&](size_t begin, size_t end, auto work) {
    radix_internal::ForEachBlock(items.subspan(begin, end - begin), &workers,
                                 [&](std::span<const Item> block) {
                                   for (const Item& item : block) work(item);
                                 });
  };
  // Adds up the counts digit by digit, and for each digit piece by piece,
  // because positions are ordered by digit first and by piece second.
  std::vector<std::vector<uint32_t>> places(tasks);
  for (int pass = 0; pass < digits.passes; ++pass) {
    workers.For(items.size(), task, [&](size_t begin, size_t end) {
      std::vector<uint32_t>& counts = places[begin / task];
      counts.assign(digits.count(), 0);
      for_each(begin, end, [&](const Item& item) {
        ++counts[digits.Of(key_of(item), pass)];
      });
    });
    uint32_t before = 0;
    for (size_t d = 0; d < digits.count(); ++d) {
      for (auto& counts : places) before += std::exchange(counts[d], before);
    }
    workers.For(items.size(), task, [&](size_t begin, size_t end) {
      std::vector<uint32_t>& next = places[begin / task];
      for_each(begin, end, [&](const Item& item) {
        scratch[next[digits.Of(key_of(item), pass)]++] = item;
      });
    });
    std::swap(items, scratch);
  }
  return items;
}

template <typename Item, typename KeyOf>
void RadixSort(std::vector<Item>* items, std::vector<Item>* scratch,
               KeyOf key_of) {
  // Sorting a few items needs no memory.
  if (radix_internal::SortByComparing(std::span(*items), key_of)) return;
  radix_internal::SortVectors(items, scratch,
                              [&](std::span<Item> from, std::span<Item> to) {
                                return RadixSort(from, to, key_of);
                              });
}

template <typename Item, typename KeyOf>
void RadixSort(std::vector<Item>* items, std::vector<Item>* scratch,
               KeyOf key_of, const Workers& workers) {
  // Sorting a few items needs no memory.
  if (radix_internal::SortByComparing(std::span(*items), key_of)) return;
  radix_internal::SortVectors(items, scratch,
                              [&](std::span<Item> from, std::span<Item> to) {
                                return RadixSort(from, to, key_of, workers);
                              });
}

namespace radix_internal {

// Returns the key of a pair: both ids in one word. b takes only as many bits as
// its values need.
template <typename Item, typename IdsOf>
auto KeyOfPairs(std::span<const Item> items, IdsOf ids_of,
                const Workers* workers) {
  uint32_t all = 0;
  ForEachBlock(items, workers, [&](std::span<const Item> block) {
    for (const Item& item : block) all |= uint32_t{ids_of(item).b};
  });
  const int bits = std::bit_width(all);
  return [=](const Item& item) {
    const auto& ids = ids_of(item);
    return uint64_t{ids.a} << bits | ids.b;
  };
}

}  // namespace radix_internal

template <typename Item, typename IdsOf>
void RadixSortPairs(std::vector<Item>* items, std::vector<Item>* scratch,
                    IdsOf ids_of) {
  RadixSort(items, scratch,
            radix_internal::KeyOfPairs<Item>(*items, ids_of, nullptr));
}

template <typename Item, typename IdsOf>
void RadixSortPairs(std::vector<Item>* items, std::vector<Item>* scratch,
                    IdsOf ids_of, const Workers& workers) {
  RadixSort(items, scratch,
            radix_internal::KeyOfPairs<Item>(*items, ids_of, &workers),
            workers);
}

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_RADIX_SORT_H_
