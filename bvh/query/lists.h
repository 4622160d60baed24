// SPDX-License-Identifier: Apache-2.0

// A list for each query of a batch, one after another in one array.
//
//   absl::StatusOr<Lists<uint32_t>> lists = AllOverlaps(tree, balls);
//   if (!lists.ok()) return lists.status();
//   for (uint32_t id : (*lists)[7]) use(id);  // of the eighth ball
#ifndef ORBOX_BVH_QUERY_LISTS_H_
#define ORBOX_BVH_QUERY_LISTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "orbox/overlap/base/language.h"

namespace orbox {

// List i is [offsets[i], offsets[i + 1]) of the values.
template <typename Value>
struct Lists {
  std::vector<size_t> offsets{0};
  std::vector<Value> values;

  size_t size() const { return offsets.size() - 1; }
  // Requires i < size().
  std::span<const Value> operator[](size_t i) const {
    return std::span(values).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_LISTS_H_
