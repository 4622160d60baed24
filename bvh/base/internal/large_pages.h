// SPDX-License-Identifier: Apache-2.0

// Large pages for arrays of many megabytes. The first access to a page costs as
// much as writing the whole page, and threads wait for each other during it.
// Fewer, larger pages reduce this cost. Private.
//
//   ReserveInLargePages(&tree, count);                   // like tree.reserve()
//   PreferLargePages(corners.data(), bytes);
//
// The functions only advise the system. Nothing happens for small arrays, or if
// the system has no large pages or provides none.
#ifndef ORBOX_BVH_BASE_INTERNAL_LARGE_PAGES_H_
#define ORBOX_BVH_BASE_INTERNAL_LARGE_PAGES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/base/internal/os.h"

namespace orbox {

// Must be called before the memory is written. Never fails.
inline void PreferLargePages(void* memory, size_t bytes) {
  // Only whole large pages, because the memory around this block belongs to
  // others.
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const size_t skipped =
      (os::kLargePage - begin % os::kLargePage) % os::kLargePage;
  if (bytes < skipped + os::kLargePage) return;
  const size_t size = (bytes - skipped) / os::kLargePage * os::kLargePage;
  // The system may refuse the advice.
  os::UseLargePages(static_cast<std::byte*>(memory) + skipped, size);
}

template <typename T>
void ReserveInLargePages(std::vector<T>* values, size_t count) {
  values->reserve(count);
  PreferLargePages(values->data(), count * sizeof(T));
}

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_LARGE_PAGES_H_
