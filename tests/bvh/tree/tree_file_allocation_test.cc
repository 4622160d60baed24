// Trees to files and back when memory runs out at the n-th allocation, for
// every n: a clean status, nothing leaked (which a leak checker sees), and
// nothing half done.
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"
#include "tests/support/trees.h"

namespace {

// How many allocations succeed before the one that fails.
thread_local size_t allocations_left = std::numeric_limits<size_t>::max();

void* Allocate(size_t size, size_t alignment) {
  if (allocations_left-- == 0) throw std::bad_alloc();
  const size_t whole = (size + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, whole);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

constexpr size_t kUsual = alignof(std::max_align_t);

}  // namespace

void* operator new(size_t size) { return Allocate(size, kUsual); }
void* operator new[](size_t size) { return Allocate(size, kUsual); }
void* operator new(size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<size_t>(alignment));
}
// For what asks for a buffer and does without: std::stable_partition does.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return Allocate(size, kUsual);
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
namespace {

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

TEST(TreeFileAllocationTest, Encoding) {
  const Tree tree = trees::Make(meshes::Icosphere(2));
  EXPECT_GT(FailEachAllocation(
                [&] { return EncodeTree(tree, {.threads = 1}).status(); }),
            3u);
}

TEST(TreeFileAllocationTest, Decoding) {
  const std::string bytes = *EncodeTree(trees::Make(meshes::Icosphere(2)));
  EXPECT_GT(FailEachAllocation([&] {
              return DecodeTree(bytes, "bytes", {.threads = 1}).status();
            }),
            5u);
}

TEST(TreeFileAllocationTest, ReadingAndMapping) {
  const ScratchDirectory scratch;
  const std::string path =
      scratch.Write("a.orbox", *EncodeTree(trees::Make(meshes::Icosphere(2))));
  EXPECT_GT(FailEachAllocation(
                [&] { return ReadTree(path, {.threads = 1}).status(); }),
            5u);
  for (const TreeCheck check :
       {TreeCheck::kHeader, TreeCheck::kChecksums, TreeCheck::kEverything}) {
    EXPECT_GT(FailEachAllocation([&] {
                return MapTree(path, {.check = check, .threads = 1}).status();
              }),
              2u);
  }
}

TEST(TreeFileAllocationTest, WritingLeavesNoTemporary) {
  const ScratchDirectory scratch;
  const Tree tree = trees::Make(meshes::Icosphere(2));
  const std::string path = scratch.Path("a.orbox");
  EXPECT_GT(
      FailEachAllocation([&] { return WriteTree(tree, path, {.threads = 1}); }),
      3u);
  EXPECT_EQ(scratch.Names(), std::vector<std::string>{"a.orbox"});
}

}  // namespace
}  // namespace orbox
