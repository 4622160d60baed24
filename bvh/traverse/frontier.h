// What a traversal has still before it, in the two orders that there are.
//
//   DepthFirst<Entry, kCapacity> frontier;
//   frontier.Push(entry);
//   while (frontier.Next(&entry)) ...
//
// An Entry has a `key`, the lower the sooner. Neither allocates, and neither
// can overflow. Private.
#ifndef ORBOX_BVH_TRAVERSE_FRONTIER_H_
#define ORBOX_BVH_TRAVERSE_FRONTIER_H_

#include <algorithm>
#include <cstddef>

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

// The lowest key first. Where the heap is full, the subtree at hand is finished
// depth first before the heap gets its turn again, which takes no more room
// than depth first does.
template <typename Entry, size_t kCapacity>
class BestFirst {
 public:
  void Push(const Entry& entry) {
    if (heap_size_ == kHeapCapacity || stack_.size != 0) {
      stack_.entries[stack_.size++] = entry;
      return;
    }
    size_t i = heap_size_++;
    while (i > 0) {
      const size_t parent = (i - 1) / kArity;
      if (!(entry.key < heap_[parent].key)) break;
      heap_[i] = heap_[parent];
      i = parent;
    }
    heap_[i] = entry;
  }

  bool Next(Entry* entry) {
    if (stack_.size != 0) {
      *entry = stack_.entries[--stack_.size];
      return true;
    }
    if (heap_size_ == 0) return false;
    *entry = heap_[0];
    const Entry last = heap_[--heap_size_];
    if (heap_size_ > 0) SinkFromTop(last);
    return true;
  }

  void Follow(Entry* best_child) {
    if (stack_.size != 0 || heap_size_ == 0 ||
        best_child->key <= heap_[0].key) {
      return;
    }
    const Entry top = heap_[0];
    SinkFromTop(*best_child);
    *best_child = top;
  }

 private:
  // Queries of meshes of a million triangles keep some hundreds of entries.
  static constexpr size_t kHeapCapacity = 4096;
  // Half as many levels as a binary heap, and siblings in one cache line.
  static constexpr size_t kArity = 4;

  // Puts `entry` in the place of the first.
  void SinkFromTop(const Entry& entry) {
    size_t i = 0;
    while (true) {
      const size_t first = kArity * i + 1;
      if (first >= heap_size_) break;
      const size_t end = std::min(first + kArity, heap_size_);
      size_t least = first;
      for (size_t c = first + 1; c < end; ++c) {
        if (heap_[c].key < heap_[least].key) least = c;
      }
      if (!(heap_[least].key < entry.key)) break;
      heap_[i] = heap_[least];
      i = least;
    }
    heap_[i] = entry;
  }

  Entry heap_[kHeapCapacity];
  size_t heap_size_ = 0;
  struct {
    Entry entries[kCapacity];
    size_t size = 0;
  } stack_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_FRONTIER_H_
