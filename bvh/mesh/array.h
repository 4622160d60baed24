// Numbers at rest: an immutable array that shares its memory, whoever owns it.
//
//   Array<Vec3> a(std::move(vector));                 // owns what it was given
//   Array<Vec3> b(span, mapping);      // refers to memory that `mapping` keeps
//
// What meshes and trees are made of: vectors where they were built, parts of a
// file where they were loaded or mapped. Copies are cheap and share. Any number
// of threads may read one.
#ifndef ORBOX_BVH_MESH_ARRAY_H_
#define ORBOX_BVH_MESH_ARRAY_H_

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace orbox {

// Law: [data(), data() + size()) stays valid and as it is while any copy lives.
template <typename T>
class Array {
 public:
  Array() = default;
  // Implicit: a builder hands over its vectors as they are.
  Array(std::vector<T> values) {  // NOLINT(google-explicit-constructor)
    auto owned = std::make_shared<const std::vector<T>>(std::move(values));
    values_ = *owned;
    owner_ = std::move(owned);
  }
  // Requires that `owner` keeps `values` where they are, unchanged.
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

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_ARRAY_H_
