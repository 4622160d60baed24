// SPDX-License-Identifier: Apache-2.0

// Memory that runs out at the n-th allocation, and the most that is in use. For
// one file of a test program: it replaces the global operators new and delete.
//
//   EXPECT_GT(FailEachAllocation([&] { return Encode(mesh).status(); }), 3u);
//   EXPECT_GT(ThrowAtEachAllocation([&] { AllOverlaps(a, b); }), 3u);
//   EXPECT_LT(PeakBytesOf([&] { Encode(mesh); }), 1000);
#ifndef ORBOX_TESTS_SUPPORT_FAILING_ALLOCATIONS_H_
#define ORBOX_TESTS_SUPPORT_FAILING_ALLOCATIONS_H_

#include <malloc.h>

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

// Number of allocations that succeed before the one that fails.
inline thread_local size_t allocations_left =
    std::numeric_limits<size_t>::max();

// Number for the allocations of all threads together.
inline std::atomic<int64_t> allocations_left_anywhere =
    std::numeric_limits<int64_t>::max();

// True if an allocation has failed since the last SetAllocationsLeft: code that
// runs out of memory may have an alternative.
inline std::atomic<bool> has_allocation_failed = false;

// The bytes that are in use, and the most that have been.
inline std::atomic<int64_t> bytes_in_use = 0;
inline std::atomic<int64_t> most_bytes_in_use = 0;

inline void* AllocateOrFail(size_t size, size_t alignment) {
  const bool is_last = allocations_left-- == 0;
  if (allocations_left_anywhere-- == 0 || is_last) {
    has_allocation_failed = true;
    throw std::bad_alloc();
  }
  const size_t whole = (size + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, whole);
  if (memory == nullptr) throw std::bad_alloc();
  const auto bytes = static_cast<int64_t>(malloc_usable_size(memory));
  const int64_t in_use = bytes_in_use.fetch_add(bytes) + bytes;
  int64_t most = most_bytes_in_use;
  while (in_use > most &&
         !most_bytes_in_use.compare_exchange_weak(most, in_use)) {
  }
  return memory;
}

inline void Free(void* memory) {
  if (memory == nullptr) return;
  bytes_in_use -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
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
// For functions that request a buffer and work without one, such as
// std::stable_partition.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return orbox::AllocateOrFail(size, orbox::kUsualAlignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  orbox::Free(memory);
}
void operator delete(void* memory) noexcept { orbox::Free(memory); }
void operator delete[](void* memory) noexcept { orbox::Free(memory); }
void operator delete(void* memory, size_t) noexcept { orbox::Free(memory); }
void operator delete[](void* memory, size_t) noexcept { orbox::Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  orbox::Free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  orbox::Free(memory);
}

namespace orbox {

enum class FailingThreads { kThisOne, kAny };

inline void SetAllocationsLeft(FailingThreads threads, size_t n) {
  has_allocation_failed = false;
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

// Returns the allocation that fails after the n-th: each of the first few
// hundred, then at growing steps, so that thousands of them take seconds, not
// minutes.
inline size_t NextToFail(size_t n) { return n < 300 ? n + 1 : n + n / 50; }

// Calls `attempt` with the first, second, ... allocation failing until there
// are no more; returns how many times it failed. `attempt` returns a status,
// and the message of each failure has `what`.
template <typename Attempt>
size_t FailEachAllocation(Attempt attempt,
                          FailingThreads threads = FailingThreads::kThisOne,
                          absl::string_view what = "not enough memory") {
  size_t failures = 0;
  for (size_t n = 0;; n = NextToFail(n)) {
    SetAllocationsLeft(threads, n);
    const absl::Status status = attempt();
    LetAllocationsSucceed();
    if (!has_allocation_failed) return failures;
    if (status.ok()) continue;
    ++failures;
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    EXPECT_NE(status.message().find(what), absl::string_view::npos) << status;
  }
}

// Like the function above, for calls that throw std::bad_alloc.
template <typename Attempt>
size_t ThrowAtEachAllocation(
    Attempt attempt, FailingThreads threads = FailingThreads::kThisOne) {
  size_t failures = 0;
  for (size_t n = 0;; n = NextToFail(n)) {
    SetAllocationsLeft(threads, n);
    try {
      attempt();
      LetAllocationsSucceed();
    } catch (const std::bad_alloc&) {
      LetAllocationsSucceed();
      ++failures;
    }
    if (!has_allocation_failed) return failures;
  }
}

// The most bytes that a call has in use at a time, in addition to those in use
// before.
template <typename Call>
int64_t PeakBytesOf(Call call) {
  const int64_t before = bytes_in_use;
  most_bytes_in_use = before;
  call();
  return most_bytes_in_use - before;
}

// Returns true if a call threw std::bad_alloc. From then on, allocations
// succeed.
template <typename Call>
bool RunsOut(Call call) {
  try {
    call();
    return false;
  } catch (const std::bad_alloc&) {
    LetAllocationsSucceed();
    return true;
  }
}

// Calls attempt(n) for n = 0, 1, ..., as above, until no allocation fails;
// returns the number of times that it reported exhausted memory. The attempt
// itself makes the n-th allocation fail (SetAllocationsLeft).
template <typename Attempt>
size_t CountFailures(Attempt attempt) {
  size_t failures = 0;
  for (size_t n = 0;; n = NextToFail(n)) {
    failures += attempt(n) ? 1 : 0;
    LetAllocationsSucceed();
    if (!has_allocation_failed || testing::Test::HasFailure()) return failures;
  }
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_FAILING_ALLOCATIONS_H_
