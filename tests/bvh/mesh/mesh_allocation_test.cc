// Reading, writing and generating when memory runs out at the n-th allocation,
// for every n: a clean status, nothing leaked (which a leak checker sees), and
// nothing half done.
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/generate.h"
#include "orbox/bvh/mesh/read_mesh.h"
#include "orbox/bvh/mesh/write_mesh.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"

namespace {

// How many allocations succeed before the one that fails.
thread_local size_t allocations_left = std::numeric_limits<size_t>::max();

void* Allocate(size_t size) {
  if (allocations_left-- == 0) throw std::bad_alloc();
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t size) { return Allocate(size); }
void* operator new[](size_t size) { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

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

TEST(MeshAllocationTest, ReadingEachFormat) {
  const Mesh mesh = meshes::Icosphere(1);
  for (const MeshFormat format : {MeshFormat::kObj, MeshFormat::kPly,
                                  MeshFormat::kStl, MeshFormat::kOff}) {
    const std::string bytes = *EncodeMesh(mesh, format);
    EXPECT_GT(FailEachAllocation(
                  [&] { return ReadMesh(bytes, format, "m").status(); }),
              3u);
  }
}

TEST(MeshAllocationTest, ReadingAFile) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Write(
      "a.obj", *EncodeMesh(meshes::Icosphere(1), MeshFormat::kObj));
  EXPECT_GT(FailEachAllocation([&] { return ReadMeshFile(path).status(); }),
            3u);
}

TEST(MeshAllocationTest, WritingAFileLeavesNoTemporary) {
  const ScratchDirectory scratch;
  const Mesh mesh = meshes::Icosphere(1);
  const std::string path = scratch.Path("a.ply");
  EXPECT_GT(FailEachAllocation([&] { return WriteMeshFile(mesh, path); }), 3u);
  EXPECT_EQ(scratch.Names(), std::vector<std::string>{"a.ply"});
}

TEST(MeshAllocationTest, Generating) {
  for (const GeneratedShape& shape : GeneratedShapes()) {
    const GenerateOptions options = {.shape = std::string(shape.name),
                                     .triangles = 100};
    EXPECT_GT(
        FailEachAllocation([&] { return GenerateMesh(options).status(); }), 2u)
        << options.shape;
  }
}

}  // namespace
}  // namespace orbox
