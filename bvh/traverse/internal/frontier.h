// What a traversal has still before it, in the two orders that there are.
//
//   DepthFirst<Entry, kCapacity> frontier;
//   frontier.Push(entry);
//   while (frontier.Next(&entry)) ...
//
// An Entry has a `key`, the lower the sooner. Neither allocates, and neither
// can overflow. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_FRONTIER_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_FRONTIER_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace orbox {

// Last in, first out. Requires that no path leaves more than kCapacity entries
// behind.
template <typename Entry, size_t kCapacity>
class DepthFirst {
 public:
  void Push(const Entry& entry) { entries_[size_++] = entry; }

  bool Next(Entry* entry) {
    if (size_ == 0) return false;
    *entry = entries_[--size_];
    return true;
  }

  // The best child of what was just opened; leaves what is to be opened next.
  void Follow(Entry*) {}

 private:
  Entry entries_[kCapacity];
  size_t size_ = 0;
};

// The lowest key first, but for keys within 6 % of each other, among which the
// last comes first: lists of entries, sixteen for each power of two, in
// place of a heap, whose comparisons no machine predicts. Where the room is
// taken, the subtree at hand is finished depth first before the lists get their
// turn again, which takes no more room than depth first does.
template <typename Entry, size_t kCapacity>
class BestFirst {
 public:
  void Push(const Entry& entry) {
    if (stack_.size != 0 || !Insert(entry)) {
      stack_.entries[stack_.size++] = entry;
    }
  }

  bool Next(Entry* entry) {
    if (stack_.size != 0) {
      *entry = stack_.entries[--stack_.size];
      return true;
    }
    const uint32_t list = LowestList();
    if (list == kLists) return false;
    *entry = Remove(list);
    return true;
  }

  void Follow(Entry* best_child) {
    if (stack_.size != 0) return;
    const uint32_t list = LowestList();
    if (list >= ListOf(best_child->key)) return;
    // Taking one out first makes room for the other.
    const Entry lowest = Remove(list);
    Insert(*best_child);
    *best_child = lowest;
  }

 private:
  // Queries of meshes of a million triangles keep some hundreds of entries.
  static constexpr uint32_t kPool = 4096;
  static constexpr uint32_t kNone = kPool;

  // Keys are compared with unit-sized trees in mind: distances down to 2^-12
  // and depths of overlap down to 2^-6 are told apart, what is smaller shares a
  // list; so does what is above 2^6 or 1.
  static constexpr int kStep = 19;  // bits of the significand that are dropped
  static constexpr uint32_t kPerPower = 1u << (23 - kStep);
  static constexpr uint32_t kNegative = 6 * kPerPower;
  static constexpr uint32_t kPositive = 18 * kPerPower;
  static constexpr uint32_t kLists = kNegative + kPositive;

  static uint32_t ListOf(float key) {
    // Positive floats are ordered as their bits are.
    const uint32_t bits = std::bit_cast<uint32_t>(std::abs(key)) >> kStep;
    const auto steps_above = [bits](float least, uint32_t lists) {
      const uint32_t first = std::bit_cast<uint32_t>(least) >> kStep;
      return std::clamp(bits, first, first + lists - 1) - first;
    };
    return key < 0 ? kNegative - 1 - steps_above(0x1p-6f, kNegative)
                   : kNegative + steps_above(0x1p-12f, kPositive);
  }

  // kLists where all are empty.
  uint32_t LowestList() const {
    for (uint32_t i = 0; i < kWords; ++i) {
      if (filled_[i] != 0) {
        return 64 * i + static_cast<uint32_t>(std::countr_zero(filled_[i]));
      }
    }
    return kLists;
  }

  // False where there is no room.
  bool Insert(const Entry& entry) {
    uint32_t place = free_;
    if (place != kNone) {
      free_ = pool_[place].next;
    } else if (used_ < kPool) {
      place = used_++;
    } else {
      return false;
    }
    const uint32_t list = ListOf(entry.key);
    uint64_t& word = filled_[list / 64];
    const uint64_t bit = uint64_t{1} << list % 64;
    pool_[place] = {entry, (word & bit) != 0 ? first_[list] : kNone};
    first_[list] = place;
    word |= bit;
    return true;
  }

  // Requires a list that is not empty.
  Entry Remove(uint32_t list) {
    const uint32_t place = first_[list];
    const uint32_t next = pool_[place].next;
    first_[list] = next;
    if (next == kNone) filled_[list / 64] ^= uint64_t{1} << list % 64;
    pool_[place].next = free_;
    free_ = place;
    return pool_[place].entry;
  }

  struct Linked {
    Entry entry;
    uint32_t next;
  };
  static constexpr uint32_t kWords = (kLists + 63) / 64;
  uint64_t filled_[kWords] = {};  // which lists have entries
  uint32_t first_[kLists];        // of those
  uint32_t free_ = kNone;
  uint32_t used_ = 0;
  Linked pool_[kPool];
  struct {
    Entry entries[kCapacity];
    size_t size = 0;
  } stack_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_FRONTIER_H_
