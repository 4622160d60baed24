// SPDX-License-Identifier: Apache-2.0

// The ids found by one of many queries: part of a list that queries share,
// until more ids are added. Allocating a list per query would take longer than
// finding its ids in a chunk. Private.
//
//   auto found = std::make_shared<std::vector<uint64_t>>();
//   ...
//   IdList ids(found, begin, end);
//   ids.Append(more);
//   use(ids.view());
#ifndef ORBOX_BVH_LARGE_INTERNAL_ID_LIST_H_
#define ORBOX_BVH_LARGE_INTERNAL_ID_LIST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace orbox {

class IdList {
 public:
  using Shared = std::shared_ptr<std::vector<uint64_t>>;

  IdList() = default;
  // The ids of `all` from `begin` to `end`. Requires that `all` does not change
  // any more.
  IdList(Shared all, size_t begin, size_t end)
      : all_(std::move(all)), begin_(begin), size_(end - begin) {}
  explicit IdList(std::vector<uint64_t> ids) : size_(ids.size()) {
    all_ = std::make_shared<std::vector<uint64_t>>(std::move(ids));
  }

  std::span<const uint64_t> view() const {
    if (all_ == nullptr) return {};
    return std::span<const uint64_t>(*all_).subspan(begin_, size_);
  }
  bool empty() const { return size_ == 0; }

  void Append(std::span<const uint64_t> more) {
    std::vector<uint64_t> ids = Take();
    ids.insert(ids.end(), more.begin(), more.end());
    *this = IdList(std::move(ids));
  }
  // Moves the ids out; leaves an empty list.
  std::vector<uint64_t> Take() {
    std::vector<uint64_t> ids;
    if (all_ != nullptr && size_ == all_->size() && all_.use_count() == 1) {
      ids = std::move(*all_);
    } else {
      ids.assign(view().begin(), view().end());
    }
    *this = IdList();
    return ids;
  }

 private:
  Shared all_;
  size_t begin_ = 0;
  size_t size_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_ID_LIST_H_
