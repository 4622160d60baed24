#include "orbox/bvh/broad_phase/internal/radix_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace orbox {
namespace {

// 4,096 counters of four bytes are half of a first-level cache.
constexpr int kMaxDigitBits = 12;
constexpr size_t kMaxPasses = 6;
static_assert(kMaxPasses * kMaxDigitBits >= 64);

// Below this, counting digits takes longer than comparing.
constexpr size_t kFew = 256;

// Sorts by key_of(item), of so many bits, in as few passes as digits allow.
template <typename Item, typename KeyOf>
void SortByKey(std::vector<Item>* items, std::vector<Item>* scratch, int bits,
               KeyOf key_of) {
  const int passes = (bits + kMaxDigitBits - 1) / kMaxDigitBits;
  if (passes == 0) return;
  const int digit_bits = (bits + passes - 1) / passes;
  const uint64_t digits = uint64_t{1} << digit_bits;
  const auto digit = [=](const Item& item, int pass) {
    return static_cast<size_t>(key_of(item) >> (pass * digit_bits) &
                               (digits - 1));
  };
  std::array<std::array<uint32_t, 1 << kMaxDigitBits>, kMaxPasses> counts;
  for (int pass = 0; pass < passes; ++pass) {
    std::fill_n(counts[static_cast<size_t>(pass)].begin(), digits, 0);
  }
  for (const Item& item : *items) {
    for (int pass = 0; pass < passes; ++pass) {
      ++counts[static_cast<size_t>(pass)][digit(item, pass)];
    }
  }
  scratch->resize(items->size());
  for (int pass = 0; pass < passes; ++pass) {
    auto& places = counts[static_cast<size_t>(pass)];
    uint32_t before = 0;
    for (size_t d = 0; d < digits; ++d) {
      before += std::exchange(places[d], before);
    }
    Item* const to = scratch->data();
    for (const Item& item : *items) to[places[digit(item, pass)]++] = item;
    items->swap(*scratch);
  }
}

}  // namespace

void RadixSort(std::vector<KeyedIndex>* items,
               std::vector<KeyedIndex>* scratch) {
  if (items->size() < kFew) {
    std::stable_sort(
        items->begin(), items->end(),
        [](const KeyedIndex& a, const KeyedIndex& b) { return a.key < b.key; });
    return;
  }
  uint32_t all = 0;
  for (const KeyedIndex& item : *items) all |= item.key;
  SortByKey(items, scratch, std::bit_width(all),
            [](const KeyedIndex& item) { return uint64_t{item.key}; });
}

void SortBodyPairs(std::vector<BodyPair>* pairs,
                   std::vector<BodyPair>* scratch) {
  // Counters are of 32 bits.
  if (pairs->size() < kFew || pairs->size() > UINT32_MAX) {
    std::sort(pairs->begin(), pairs->end());
    return;
  }
  uint32_t all = 0;
  for (const BodyPair& pair : *pairs) all |= pair.b;
  const int bits = std::bit_width(all);
  SortByKey(pairs, scratch, 2 * bits, [bits](const BodyPair& pair) {
    return uint64_t{pair.a} << bits | pair.b;
  });
}

}  // namespace orbox
