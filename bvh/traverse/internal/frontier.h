// SPDX-License-Identifier: Apache-2.0

// The entries that a traversal still has to visit, in one of two orders.
//
//   DepthFirst<Entry, kCapacity> frontier;
//   frontier.Push(entry);
//   while (frontier.Next(&entry)) ...
//
// An Entry has a `key`. Lower keys are visited sooner. Neither order allocates,
// and neither can overflow. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_FRONTIER_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_FRONTIER_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace orbox {

// Last in, first out. Requires that no path leaves more than kCapacity entries
// on the stack.
template <typename Entry, size_t kCapacity>
class DepthFirst {
 public:
  // Leaves the entries uninitialised, because most queries need few.
  DepthFirst() {}

  void Push(const Entry& entry) { entries_[size_++] = entry; }
  // Pushes entry(0) to entry(count - 1).
  template <typename EntryAt>
  void Push(size_t count, EntryAt entry) {
    Entry* const end = entries_ + size_;
    for (size_t i = 0; i < count; ++i) end[i] = entry(i);
    size_ += count;
  }

  // Called after a leaf without success, by a search that ends at its first
  // success. If several neighbouring leaves are without success, the leaves
  // next to them probably are too. For example, two surfaces that are close to
  // each other cross only far away from here. So after some misses, the search
  // continues elsewhere: at the lowest of some sampled keys, and then at
  // random.
  void Miss() {
    ++misses_;
    looks_around_ = misses_ >= kPatience &&
                    (misses_ < kEager || misses_ % 4 == 0) && size_ > 0 &&
                    size_ <= kMostElsewhere;
    if (!looks_around_) return;
    size_t lowest = Random(size_);
    float least = entries_[lowest].key;
    for (int i = 1; i < kSamples; ++i) {
      const size_t other = Random(size_);
      const float key = entries_[other].key;
      lowest = key < least ? other : lowest;
      least = key < least ? key : least;
    }
    std::swap(entries_[lowest], entries_[size_ - 1]);
  }

  bool Next(Entry* entry) {
    if (size_ == 0) return false;
    *entry = entries_[--size_];
    size_before_ = size_;
    return true;
  }

  // Called after the children of an expanded entry, except for the best one,
  // were pushed. Sets *best_child to the entry to expand next.
  void Follow(Entry* best_child) {
    if (looks_around_) FollowAny(best_child);
    size_before_ = size_;
  }

 private:
  // Most queries are decided within the first leaves. Reading the samples takes
  // less time than visiting a leaf.
  static constexpr uint32_t kPatience = 8;
  static constexpr uint32_t kEager = 32;
  static constexpr int kSamples = 16;
  // If an entry is taken out of order, its path is pushed above at most this
  // many others.
  static constexpr size_t kMostElsewhere = 4096;

  // Returns a pseudo-random number below `count`, equal on every machine
  // (Knuth, TAOCP 2, 3.3.4).
  size_t Random(size_t count) {
    random_ = random_ * 1664525 + 1013904223;
    return (uint64_t{random_} * count) >> 32;
  }

  // Chooses one of the children whose overlap is at least half as deep as that
  // of the best.
  void FollowAny(Entry* best_child) {
    const float half = 0.5f * best_child->key;
    size_t seen = 1;
    for (size_t i = size_before_; i < size_; ++i) {
      if (entries_[i].key > half) continue;
      if (Random(++seen) == 0) std::swap(entries_[i], *best_child);
    }
  }

  union {
    Entry entries_[kCapacity + kMostElsewhere];
  };
  size_t size_ = 0;
  size_t size_before_ = 0;  // the size before the children were pushed
  uint32_t misses_ = 0;
  uint32_t random_ = 1;
  bool looks_around_ = false;
};

// Lowest key first. Among keys within 6 % of each other, the entry pushed last
// comes first. Entries are in lists, sixteen for each power of two. A heap
// would be slower, because its comparisons cannot be predicted. If the pool is
// full, the current subtree is finished depth first before the lists are read
// again. This takes no more memory than a depth-first search.
template <typename Entry, size_t kCapacity>
class BestFirst {
 public:
  void Push(const Entry& entry) {
    if (stack_.size != 0 || !Insert(entry)) {
      stack_.entries[stack_.size++] = entry;
    }
  }

  template <typename EntryAt>
  void Push(size_t count, EntryAt entry) {
    for (size_t i = 0; i < count; ++i) Push(entry(i));
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
    // Removing one entry first makes room for the other one.
    const Entry lowest = Remove(list);
    Insert(*best_child);
    *best_child = lowest;
  }

 private:
  // Queries of meshes of a million triangles keep some hundreds of entries.
  static constexpr uint32_t kPool = 4096;
  static constexpr uint32_t kNone = kPool;

  // The lists are designed for trees of unit size. Distances down to 2^-12 and
  // depths of overlap down to 2^-6 have separate lists. Smaller ones share one
  // list, and so do distances above 2^6 and depths above 1.
  static constexpr int kStep = 19;  // bits of the significand that are dropped
  static constexpr uint32_t kPerPower = 1u << (23 - kStep);
  static constexpr uint32_t kNegative = 6 * kPerPower;
  static constexpr uint32_t kPositive = 18 * kPerPower;
  static constexpr uint32_t kLists = kNegative + kPositive;

  static uint32_t ListOf(float key) {
    // Positive floats have the order of their bits.
    const uint32_t bits = std::bit_cast<uint32_t>(std::abs(key)) >> kStep;
    const auto steps_above = [bits](float least, uint32_t lists) {
      const uint32_t first = std::bit_cast<uint32_t>(least) >> kStep;
      return std::clamp(bits, first, first + lists - 1) - first;
    };
    return key < 0 ? kNegative - 1 - steps_above(0x1p-6f, kNegative)
                   : kNegative + steps_above(0x1p-12f, kPositive);
  }

  // Returns the list with the lowest keys that has entries; kLists if all are
  // empty.
  uint32_t LowestList() const {
    for (uint32_t i = 0; i < kWords; ++i) {
      if (filled_[i] != 0) {
        return 64 * i + static_cast<uint32_t>(std::countr_zero(filled_[i]));
      }
    }
    return kLists;
  }

  // Returns false if the pool is full.
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

  // Removes an entry. Requires a list that is not empty.
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
  uint64_t filled_[kWords] = {};  // the lists with entries
  uint32_t first_[kLists];        // the first entry of each of these lists
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
