// SPDX-License-Identifier: Apache-2.0

// An immutable array that shares its memory with its copies and its owner.
//
//   Array<Vec3> a(std::move(vector));            // owns the vector's memory
//   Array<Vec3> b(span, mapping);                // memory that `mapping` owns
//
// Meshes and trees store their data in such arrays. The memory is that of a
// vector if they were built, and part of a file if they were loaded or mapped.
// Copies are cheap and share memory. Any number of threads may read an array.
#ifndef ORBOX_BVH_MESH_ARRAY_H_
#define ORBOX_BVH_MESH_ARRAY_H_

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "orbox/overlap/base/language.h"

namespace orbox {

// Law: [data(), data() + size()) stays valid and unchanged while any copy
// exists.
template <typename T>
class Array {
 public:
  Array() = default;
  // Implicit, so that a builder can pass its vectors directly.
  Array(std::vector<T> values) {  // NOLINT(google-explicit-constructor)
    auto owned = std::make_shared<const std::vector<T>>(std::move(values));
    values_ = *owned;
    owner_ = std::move(owned);
  }
  // Requires that `owner` keeps the memory of `values` valid and unchanged.
  Array(std::span<const T> values, std::shared_ptr<const void> owner)
      : values_(values), owner_(std::move(owner)) {}

  const T* data() const { return values_.data(); }
  size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  const T& operator[](size_t i) const { return values_[i]; }
  const T& front() const { return values_.front(); }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + values_.size(); }

 private:
  std::span<const T> values_;
  std::shared_ptr<const void> owner_;
};

// An array under construction, with uninitialised memory. If several threads
// fill it, each thread is the first to write its pages.
//
//   FreshArray<Triangle> corners(count);
//   Fill(corners.values());                  // write every element
//   Array<Triangle> done = std::move(corners).Finish();
template <typename T>
class FreshArray {
 public:
  static_assert(std::is_trivially_copyable_v<T> &&
                std::is_trivially_destructible_v<T>);

  // May throw std::bad_alloc.
  explicit FreshArray(size_t count)
      : owner_(std::allocator<T>().allocate(count),
               [count](T* p) { std::allocator<T>().deallocate(p, count); }),
        values_(owner_.get(), count) {}

  // Elements must be written before they are read.
  std::span<T> values() const { return values_; }

  Array<T> Finish() && { return Array<T>(values_, std::move(owner_)); }

 private:
  std::shared_ptr<T> owner_;
  std::span<T> values_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_ARRAY_H_
