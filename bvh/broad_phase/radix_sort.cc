#include "orbox/bvh/broad_phase/radix_sort.h"

#include <algorithm>
#include <array>
#include <utility>

namespace orbox {
namespace {

// 2,048 counters are half of a first-level cache; three digits are a word.
constexpr int kDigitBits = 11;
constexpr uint32_t kDigits = uint32_t{1} << kDigitBits;
constexpr size_t kPasses = 3;
static_assert(kPasses * kDigitBits >= 32);

// Below this, counting digits takes longer than comparing.
constexpr size_t kFew = 256;

using Counts = std::array<std::array<size_t, kDigits>, kPasses>;

uint32_t Digit(uint32_t key, size_t pass) {
  return key >> (pass * kDigitBits) & (kDigits - 1);
}

// Sorts by key_of(item); items whose digits all agree are left alone.
template <typename Item, typename KeyOf>
void SortByKey(std::vector<Item>* items, std::vector<Item>* scratch,
               KeyOf key_of) {
  if (items->empty()) return;
  Counts counts = {};
  for (const Item& item : *items) {
    const uint32_t key = key_of(item);
    for (size_t pass = 0; pass < kPasses; ++pass) {
      ++counts[pass][Digit(key, pass)];
    }
  }
  scratch->resize(items->size());
  for (size_t pass = 0; pass < kPasses; ++pass) {
    std::array<size_t, kDigits>& places = counts[pass];
    if (places[Digit(key_of(items->front()), pass)] == items->size()) continue;
    size_t before = 0;
    for (size_t& place : places) before += std::exchange(place, before);
    Item* const to = scratch->data();
    for (const Item& item : *items) {
      to[places[Digit(key_of(item), pass)]++] = item;
    }
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
  SortByKey(items, scratch, [](const KeyedIndex& item) { return item.key; });
}

void SortBodyPairs(std::vector<BodyPair>* pairs,
                   std::vector<BodyPair>* scratch) {
  if (pairs->size() < kFew) {
    std::sort(pairs->begin(), pairs->end());
    return;
  }
  SortByKey(pairs, scratch, [](const BodyPair& pair) { return pair.b; });
  SortByKey(pairs, scratch, [](const BodyPair& pair) { return pair.a; });
}

}  // namespace orbox
