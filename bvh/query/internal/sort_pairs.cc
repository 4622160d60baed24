#include "orbox/bvh/query/internal/sort_pairs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace orbox {
namespace {

constexpr int kDigitBits = 8;
constexpr size_t kDigits = size_t{1} << kDigitBits;

// Below this, the passes over the counts of digits take longer than comparing.
constexpr size_t kFewPairs = 128;

const TrianglePair& IdsOf(const TrianglePair& pair) { return pair; }
const TrianglePair& IdsOf(const PairDistance& pair) { return pair.triangles; }

// Moves the pairs to `sorted`, by one digit of one side, and otherwise in the
// order in which they were.
template <typename Pair>
void SortByDigit(const std::vector<Pair>& pairs, uint32_t TrianglePair::*side,
                 int shift, std::vector<Pair>* sorted) {
  const auto digit = [side, shift](const Pair& pair) {
    return IdsOf(pair).*side >> shift & (kDigits - 1);
  };
  size_t places[kDigits] = {};
  for (const Pair& pair : pairs) ++places[digit(pair)];
  size_t before = 0;
  for (size_t& place : places) {
    const size_t count = place;
    place = before;
    before += count;
  }
  for (const Pair& pair : pairs) (*sorted)[places[digit(pair)]++] = pair;
}

template <typename Pair>
void Sort(std::vector<Pair>* pairs) {
  if (pairs->size() < kFewPairs) {
    std::sort(pairs->begin(), pairs->end(),
              [](const Pair& a, const Pair& b) { return IdsOf(a) < IdsOf(b); });
    return;
  }
  std::vector<Pair> other(pairs->size());
  for (uint32_t TrianglePair::*const side :
       {&TrianglePair::b, &TrianglePair::a}) {
    uint32_t differing = 0;  // bits
    for (const Pair& pair : *pairs) {
      differing |= IdsOf(pair).*side ^ IdsOf(pairs->front()).*side;
    }
    for (int shift = 0; shift < 32; shift += kDigitBits) {
      if ((differing >> shift & (kDigits - 1)) == 0) continue;
      SortByDigit(*pairs, side, shift, &other);
      pairs->swap(other);
    }
  }
}

}  // namespace

void SortPairs(std::vector<TrianglePair>* pairs) { Sort(pairs); }
void SortPairs(std::vector<PairDistance>* pairs) { Sort(pairs); }

}  // namespace orbox
