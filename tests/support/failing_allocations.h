// Memory that runs out at the n-th allocation. For one file of a test program:
// it replaces the global operators new and delete.
//
//   EXPECT_GT(FailEachAllocation([&] { return Encode(mesh).status(); }), 3u);
#ifndef ORBOX_TESTS_SUPPORT_FAILING_ALLOCATIONS_H_
#define ORBOX_TESTS_SUPPORT_FAILING_ALLOCATIONS_H_

#include <cstddef>
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

inline void* AllocateOrFail(size_t size, size_t alignment) {
  if (allocations_left-- == 0) throw std::bad_alloc();
  const size_t whole = (size + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, whole);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

inline constexpr size_t kUsualAlignment = alignof(std::max_align_t);

}  // namespace orbox

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

// Calls `attempt` with the first, second, ... allocation failing until it
// succeeds; returns how many times it failed. `attempt` returns a status.
template <typename Attempt>
size_t FailEachAllocation(Attempt attempt) {
  for (size_t n = 0;; ++n) {
    allocations_left = n;
    const absl::Status status = attempt();
    allocations_left = std::numeric_limits<size_t>::max();
    if (status.ok()) return n;
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    EXPECT_NE(status.message().find("not enough memory"),
              absl::string_view::npos)
        << status;
  }
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_FAILING_ALLOCATIONS_H_
