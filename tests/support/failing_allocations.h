// Memory that runs out at the n-th allocation. For one file of a test program:
// it replaces the global operators new and delete.
//
//   EXPECT_GT(FailEachAllocation([&] { return Encode(mesh).status(); }), 3u);
//   EXPECT_GT(ThrowAtEachAllocation([&] { OverlappingPairs(a, b); }), 3u);
#ifndef ORBOX_TESTS_SUPPORT_FAILING_ALLOCATIONS_H_
#define ORBOX_TESTS_SUPPORT_FAILING_ALLOCATIONS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace orbox {

// How many allocations succeed before the one that fails.
inline thread_local size_t allocations_left =
    std::numeric_limits<size_t>::max();

// The same for allocations of all threads together.
inline std::atomic<int64_t> allocations_left_anywhere =
    std::numeric_limits<int64_t>::max();

inline void* AllocateOrFail(size_t size, size_t alignment) {
  if (allocations_left-- == 0) throw std::bad_alloc();
  if (allocations_left_anywhere-- == 0) throw std::bad_alloc();
  const size_t whole = (size + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, whole);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

inline constexpr size_t kUsualAlignment = alignof(std::max_align_t);

}  // namespace orbox

#if defined(__GNUC__) && !defined(__clang__)
// It sees what is freed here come from operator new, and not that it is ours.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

void* operator new(size_t size) {
  return orbox::AllocateOrFail(size, orbox::kUsualAlignment);
}
void* operator new[](size_t size) {
  return orbox::AllocateOrFail(size, orbox::kUsualAlignment);
}
void* operator new(size_t size, std::align_val_t alignment) {
  return orbox::AllocateOrFail(size, static_cast<size_t>(alignment));
}
// For what asks for a buffer and does without: std::stable_partition does.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return orbox::AllocateOrFail(size, orbox::kUsualAlignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace orbox {

enum class FailingThreads { kThisOne, kAny };

inline void SetAllocationsLeft(FailingThreads threads, size_t n) {
  if (threads == FailingThreads::kThisOne) {
    allocations_left = n;
  } else {
    allocations_left_anywhere = static_cast<int64_t>(n);
  }
}

inline void LetAllocationsSucceed() {
  allocations_left = std::numeric_limits<size_t>::max();
  allocations_left_anywhere = std::numeric_limits<int64_t>::max();
}

// Calls `attempt` with the first, second, ... allocation failing until it
// succeeds; returns how many times it failed. `attempt` returns a status, and
// each failure says that there was `what`.
template <typename Attempt>
size_t FailEachAllocation(Attempt attempt,
                          FailingThreads threads = FailingThreads::kThisOne,
                          absl::string_view what = "not enough memory") {
  for (size_t n = 0;; ++n) {
    SetAllocationsLeft(threads, n);
    const absl::Status status = attempt();
    LetAllocationsSucceed();
    if (status.ok()) return n;
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    EXPECT_NE(status.message().find(what), absl::string_view::npos) << status;
  }
}

// The same for what throws std::bad_alloc.
template <typename Attempt>
size_t ThrowAtEachAllocation(Attempt attempt) {
  for (size_t n = 0;; ++n) {
    SetAllocationsLeft(FailingThreads::kThisOne, n);
    try {
      attempt();
      LetAllocationsSucceed();
      return n;
    } catch (const std::bad_alloc&) {
      LetAllocationsSucceed();
    }
  }
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_FAILING_ALLOCATIONS_H_
