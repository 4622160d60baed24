// SPDX-License-Identifier: Apache-2.0

// Large pages for arrays of many megabytes. The first access to a page costs as
// much as writing it, and several threads wait for each other there. Private.
//
//   ReserveInLargePages(&tree, count);                   // like tree.reserve()
//   PreferLargePages(corners.data(), bytes);
//
// This is only advice: nothing happens for small arrays, or if the system has
// no large pages, or provides none.
#ifndef ORBOX_BVH_BASE_INTERNAL_LARGE_PAGES_H_
#define ORBOX_BVH_BASE_INTERNAL_LARGE_PAGES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace orbox {

// Alignment that memory needs so that all of it can be in large pages.
inline constexpr size_t kLargePage = size_t{1} << 21;

// Call this before the memory is written. Never fails.
inline void PreferLargePages([[maybe_unused]] void* memory,
                             [[maybe_unused]] size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // Only whole large pages: memory next to this memory is not ours.
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const size_t skipped = (kLargePage - begin % kLargePage) % kLargePage;
  if (bytes < skipped + kLargePage) return;
  const size_t size = (bytes - skipped) / kLargePage * kLargePage;
  // The system may refuse the advice.
  madvise(static_cast<std::byte*>(memory) + skipped, size, MADV_HUGEPAGE);
#endif
}

template <typename T>
void ReserveInLargePages(std::vector<T>* values, size_t count) {
  values->reserve(count);
  PreferLargePages(values->data(), count * sizeof(T));
}

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_LARGE_PAGES_H_
