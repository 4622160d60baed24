// SPDX-License-Identifier: Apache-2.0

// A tree that ranks build together has the bytes of one that a process builds,
// however many they are; and an error of one leaves nothing behind.

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/chunked/build_chunked.h"
#include "orbox/bvh/mesh/write_mesh.h"
#include "orbox/bvh/mpi/distributed_queries.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

std::map<std::string, std::string> FilesIn(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().filename().string()] = {
        std::istreambuf_iterator<char>(in), {}};
  }
  return files;
}

// Two meshes in files that all ranks see.
class Files {
 public:
  explicit Files(Communicator& ranks, const std::vector<Mesh>& meshes)
      : ranks_(ranks), folder_(ranks) {
    absl::Status status;
    for (size_t i = 0; i < meshes.size(); ++i) {
      names_.push_back(folder_.Path(std::to_string(i) + ".ply"));
      if (ranks.rank() == 0) {
        status = WriteMeshFile(meshes[i], names_.back());
        EXPECT_TRUE(status.ok()) << status;
      }
    }
    EXPECT_TRUE(ranks.Agree(status).ok());
  }

  const std::vector<std::string>& names() const { return names_; }
  std::string Path(const std::string& name) const { return folder_.Path(name); }

  void ExpectSameBytes(const BuildChunkedOptions& options) {
    const std::string together = Path("together.orboxd");
    const absl::StatusOr<DistributedTree> tree =
        DistributedTree::Build(ranks_, names_, together, options);
    ASSERT_TRUE(tree.ok()) << tree.status();
    if (ranks_.rank() == 0) {
      const std::string alone = Path("alone.orboxd");
      ASSERT_TRUE(BuildChunked(names_, alone, options).ok());
      EXPECT_EQ(FilesIn(together), FilesIn(alone));
      EXPECT_TRUE(tree->chunks().Verify().ok());
    }
    EXPECT_TRUE(ranks_.Agree(absl::OkStatus()).ok());
  }

 private:
  Communicator& ranks_;
  SharedDirectory folder_;
  std::vector<std::string> names_;
};

TEST(DistributedBuildTest, HasTheBytesOfOneProcess) {
  Communicator ranks = Ranks();
  Files files(ranks, {meshes::Soup(90, 0.3, 1), meshes::Soup(57, 0.3, 2)});
  files.ExpectSameBytes({.chunk_triangles = 10, .threads = 1});
  // Fewer chunks than ranks.
  files.ExpectSameBytes(
      {.chunk_triangles = 100, .first_id = uint64_t{1} << 40, .threads = 1});
}

// All keys are one: a run of chunks is told by ids alone.
TEST(DistributedBuildTest, TrianglesMayBeIdentical) {
  Communicator ranks = Ranks();
  Files files(ranks, {meshes::Identical(40)});
  files.ExpectSameBytes({.chunk_triangles = 7, .threads = 1});
}

TEST(DistributedBuildTest, ErrorsOfOneRankAreThoseOfAllAndLeaveNothing) {
  Communicator ranks = Ranks();
  Files files(ranks, {meshes::Soup(60, 0.3, 3)});
  const bool is_last = ranks.rank() == ranks.size() - 1;
  const std::string path = files.Path("failed.orboxd");
  const auto build = [&](const std::vector<std::string>& names,
                         const BuildChunkedOptions& options) {
    return DistributedTree::Build(ranks, names, path, options).status().code();
  };
  const std::vector<std::string> missing = {files.Path("none.ply")};
  EXPECT_EQ(build(is_last ? missing : files.names(), {.chunk_triangles = 10}),
            absl::StatusCode::kNotFound);
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(build(files.names(), {.chunk_triangles = 10,
                                  .cancelled = is_last ? &cancelled : nullptr}),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(build(files.names(), {.memory = 1, .chunk_triangles = 10}),
            absl::StatusCode::kInvalidArgument);
  if (ranks.size() > 1) {
    EXPECT_EQ(build(files.names(), {.chunk_triangles = is_last ? 10u : 11u}),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_TRUE(ranks.Agree(absl::OkStatus()).ok());
  for (const auto& entry :
       std::filesystem::directory_iterator(files.Path(""))) {
    EXPECT_THAT(entry.path().string(), testing::EndsWith(".ply"));
  }
}

// Chunks that a rank maps stay within the memory that it was given.
TEST(DistributedBuildTest, QueriesKeepToTheMemoryOfARank) {
  Communicator ranks = Ranks();
  Files files(ranks, {meshes::Soup(400, 0.3, 4)});
  const std::string path = files.Path("small.orboxd");
  ASSERT_TRUE(DistributedTree::Build(ranks, files.names(), path,
                                     {.chunk_triangles = 10, .threads = 1})
                  .ok());
  absl::StatusOr<ChunkedTree> table = ChunkedTree::Open(path);
  ASSERT_TRUE(table.ok());
  size_t largest = 0;
  for (const ChunkRow& row : table->table()) {
    largest = std::max<size_t>(largest, row.bytes + row.count * 8);
  }
  const absl::StatusOr<DistributedTree> tree =
      DistributedTree::Open(ranks, path, {.memory = 3 * largest});
  ASSERT_TRUE(tree.ok());
  std::vector<Vec3> points;
  meshes::Random random(5);
  for (int i = 0; i < 100; ++i) points.push_back(random.Point(-9, 9));
  EXPECT_TRUE(ClosestPoint(*tree, points).ok());
  EXPECT_GT(tree->chunks().peak_mapped_bytes(), 0u);
  EXPECT_LE(tree->chunks().peak_mapped_bytes(), 3 * largest);
}

}  // namespace
}  // namespace orbox
