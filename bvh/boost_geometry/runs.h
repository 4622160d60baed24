// SPDX-License-Identifier: Apache-2.0

// Types that the searches of boost_geometry/index.h share: their results, and a
// stack of the nodes to visit. Users of the index do not need this header.
//
//   ChildStack<uint32_t> stack;
//   stack.Push(Tree::kRoot);
//   while (!stack.is_empty()) use(stack.Pop());
#ifndef ORBOX_BVH_BOOST_GEOMETRY_RUNS_H_
#define ORBOX_BVH_BOOST_GEOMETRY_RUNS_H_

#include <algorithm>
#include <cstddef>
#include <memory>

#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox::boost_geometry_internal {

// Contiguous values that all satisfy the predicates.
template <typename Value>
struct Run {
  const Value* first = nullptr;
  const Value* end = nullptr;
};

// Stack of the places to visit. Each node on the path adds at most its other
// children. Copying takes time proportional to their number. The first kFew
// places are in the object. So a search with a stack takes less than a thousand
// bytes, up to which allocators are fast.
template <typename Entry>
class ChildStack {
 public:
  ChildStack() = default;
  ChildStack(const ChildStack& other) { *this = other; }
  ChildStack& operator=(const ChildStack& other) {
    if (this == &other) return *this;
    if (other.size_ > kFew && !many_) AllocateMany();
    size_ = other.size_;
    std::copy_n(other.entries_, size_, entries_);
    return *this;
  }

  bool is_empty() const { return size_ == 0; }
  void Push(const Entry& entry) {
    if (size_ == kFew && !many_) {
      AllocateMany();
      std::copy_n(few_, kFew, entries_);
    }
    entries_[size_++] = entry;
  }
  Entry Pop() { return entries_[--size_]; }
  const Entry& Top() const { return entries_[size_ - 1]; }

 private:
  static constexpr size_t kFew = 56;
  static constexpr size_t kMany = kLanes * (kMaxTreeDepth + 1);

  void AllocateMany() {
    many_ = std::make_unique_for_overwrite<Entry[]>(kMany);
    entries_ = many_.get();
  }

  size_t size_ = 0;
  Entry* entries_ = few_;  // or in many_, if there were more
  std::unique_ptr<Entry[]> many_;
  Entry few_[kFew];  // elements from size_ on are not set
};

}  // namespace orbox::boost_geometry_internal

#endif  // ORBOX_BVH_BOOST_GEOMETRY_RUNS_H_
