// SPDX-License-Identifier: Apache-2.0

// A tree that ranks build together has the bytes of one that a process builds,
// however many they are; and an error of one leaves nothing behind.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/mesh_bytes.h"
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

// Files that all ranks see.
class Files {
 public:
  explicit Files(Communicator& ranks) : ranks_(ranks), folder_(ranks) {}
  // Meshes in binary PLY.
  Files(Communicator& ranks, const std::vector<Mesh>& meshes) : Files(ranks) {
    for (size_t i = 0; i < meshes.size(); ++i) {
      Add(std::to_string(i) + ".ply", meshes[i], MeshFormat::kPly);
    }
  }

  // Collective.
  void Add(const std::string& name, const std::string& bytes) {
    names_.push_back(Path(name));
    if (ranks_.rank() == 0) {
      std::ofstream(names_.back(), std::ios::binary) << bytes;
    }
    EXPECT_TRUE(ranks_.Agree(absl::OkStatus()).ok());
  }
  void Add(const std::string& name, const Mesh& mesh, MeshFormat format) {
    Add(name, EncodeMesh(mesh, format).value());
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

  // The error of one process, on all ranks.
  void ExpectSameError(absl::StatusCode code) {
    const absl::Status together =
        DistributedTree::Build(ranks_, names_, Path("together.orboxd"),
                               {.chunk_triangles = 10, .threads = 1})
            .status();
    EXPECT_EQ(together.code(), code) << together;
    EXPECT_TRUE(
        ranks_
            .AgreeOn(std::hash<std::string>()(together.ToString()), "statuses")
            .ok());
    if (ranks_.rank() == 0) {
      EXPECT_EQ(BuildChunked(names_, Path("alone.orboxd"),
                             {.chunk_triangles = 10, .threads = 1})
                    .status(),
                together);
    }
    EXPECT_TRUE(ranks_.Agree(absl::OkStatus()).ok());
  }

 private:
  Communicator& ranks_;
  SharedDirectory folder_;
  std::vector<std::string> names_;
};

// A binary PLY file of a grid's corners, and of faces of any lengths.
std::string PlyOf(const std::vector<std::vector<uint32_t>>& faces) {
  meshes::ByteWriter bytes(std::endian::little);
  bytes
      .Text(
          "ply\nformat binary_little_endian 1.0\nelement vertex 25\n"
          "property float x\nproperty float y\nproperty float z\n"
          "element face ")
      .Text(std::to_string(faces.size()))
      .Text("\nproperty list uchar int vertex_indices\nend_header\n");
  for (int i = 0; i < 25; ++i) {
    for (const int x : {i % 5, i / 5, i * i % 7}) {
      bytes.Number(static_cast<float>(x));
    }
  }
  for (const std::vector<uint32_t>& face : faces) {
    bytes.Number(static_cast<uint8_t>(face.size()));
    for (const uint32_t v : face) bytes.Number(v);
  }
  return bytes.bytes();
}

TEST(DistributedBuildTest, HasTheBytesOfOneProcess) {
  Communicator ranks = Ranks();
  Files files(ranks, {meshes::Soup(90, 0.3, 1), meshes::Soup(57, 0.3, 2)});
  files.ExpectSameBytes({.chunk_triangles = 10, .threads = 1});
  // Fewer chunks than ranks.
  files.ExpectSameBytes(
      {.chunk_triangles = 100, .first_id = uint64_t{1} << 40, .threads = 1});
}

// Chunks that are boxes, and runs of the curve in one cell of the plan's grid,
// which ranks share.
TEST(DistributedBuildTest, HasTheBytesOfOneProcessForEachKindOfChunk) {
  Communicator ranks = Ranks();
  Files files(ranks, {meshes::Scaled(meshes::Soup(900, 0.1, 1), 1e-4),
                      meshes::Torus(40, 12), meshes::Soup(300, 0.3, 2)});
  files.ExpectSameBytes({.chunk_triangles = 100, .threads = 1});
  files.ExpectSameBytes({.chunk_triangles = 32, .threads = 1});
}

// Files that are read in shares, and those that one rank reads.
TEST(DistributedBuildTest, FilesOfAllKindsAreOneMesh) {
  Communicator ranks = Ranks();
  Files files(ranks);
  const Mesh torus = meshes::Torus(9, 5);
  files.Add("a.stl", torus, MeshFormat::kStl);
  files.Add("b.obj", meshes::Icosphere(1), MeshFormat::kObj);
  files.Add("quads.ply", PlyOf({{0, 1, 6, 5},
                                {2, 3, 8, 7},
                                {4, 9, 8, 3},
                                {12, 13, 18, 17},
                                {20, 21, 16, 15}}));
  files.Add("c.off", torus, MeshFormat::kOff);
  // Its length is that of quadrangles alone: ranks notice as they read.
  files.Add("mixed.ply", PlyOf({{0, 1, 6, 5},
                                {2, 3, 8, 7},
                                {12, 13, 18},
                                {20, 21, 22, 17, 16},
                                {4, 9, 8, 3}}));
  files.Add("few.ply", PlyOf({{0, 1, 24}}));
  files.Add("d.glb", meshes::Icosphere(1), MeshFormat::kGltf);
  files.Add("d.ply", torus, MeshFormat::kPly);
  files.ExpectSameBytes({.chunk_triangles = 16, .threads = 1});
}

// More than fits: shares and vertices are in files, messages go in rounds.
TEST(DistributedBuildTest, SharesMayBeLargerThanMemory) {
  Communicator ranks = Ranks();
  const Mesh torus = meshes::Torus(500, 160);
  Files files(ranks);
  files.Add("torus.ply", torus, MeshFormat::kPly);
  files.ExpectSameBytes({.memory = size_t{1} << 24,
                         .chunk_triangles = 6000,
                         .quality = Quality::kFast,
                         .threads = 1});
}

// All keys are equal: only ids decide the chunks.
TEST(DistributedBuildTest, TrianglesMayBeIdentical) {
  Communicator ranks = Ranks();
  Files files(ranks, {meshes::Identical(40)});
  files.ExpectSameBytes({.chunk_triangles = 7, .threads = 1});
}

// Bytes that this process has read by system calls. Returns nothing if the
// system does not count them.
std::optional<uint64_t> BytesRead() {
  std::ifstream counts("/proc/self/io");
  std::string name;
  uint64_t bytes = 0;
  if (counts >> name >> bytes && name == "rchar:") return bytes;
  return {};
}

TEST(DistributedBuildTest, EachRankReadsItsShareOnce) {
  Communicator ranks = Ranks();
  for (const MeshFormat format : {MeshFormat::kPly, MeshFormat::kStl}) {
    Files files(ranks);
    files.Add(format == MeshFormat::kPly ? "large.ply" : "large.stl",
              meshes::Torus(300, 100), format);
    const std::optional<uint64_t> before = BytesRead();
    ASSERT_TRUE(
        DistributedTree::Build(
            ranks, files.names(), files.Path("large.orboxd"),
            {.chunk_triangles = 20000, .quality = Quality::kFast, .threads = 1})
            .ok());
    const std::optional<uint64_t> after = BytesRead();
    if (!before.has_value()) continue;
    const uint64_t share =
        std::filesystem::file_size(files.names()[0]) / ranks.size();
    EXPECT_GE(*after - *before, share * 99 / 100);
    // The manifest, and what MPI reads.
    EXPECT_LE(*after - *before, share + 50000);
  }
}

TEST(DistributedBuildTest, BadFilesHaveTheErrorOfOneProcess) {
  Communicator ranks = Ranks();
  const Mesh torus = meshes::Torus(9, 5);
  for (const MeshFormat format : {MeshFormat::kPly, MeshFormat::kStl}) {
    const char* name = format == MeshFormat::kPly ? "bad.ply" : "bad.stl";
    const std::string good = EncodeMesh(torus, format).value();
    std::string last = good;
    last.replace(last.size() - 8, 4, std::string(4, '\xff'));
    // Also of bytes within the first rank's share and the last one's.
    std::string first = good;
    first.replace(format == MeshFormat::kPly ? good.size() - 13 * 90 - 8 : 96,
                  8, std::string(8, '\xff'));
    for (const std::string& bytes :
         {good.substr(0, good.size() - 1), good.substr(0, good.size() / 2),
          good + "x", last, first}) {
      // Bytes after the last facet of an STL file are not read.
      const bool is_read =
          format == MeshFormat::kStl && bytes.size() > good.size();
      Files files(ranks);
      files.Add("good.ply", torus, MeshFormat::kPly);
      files.Add(name, bytes);
      files.ExpectSameError(is_read ? absl::StatusCode::kOk
                                    : absl::StatusCode::kInvalidArgument);
    }
  }
  Files files(ranks);
  files.Add("bad.obj", "v 1 2 3\nf 1 2 3\n");
  files.ExpectSameError(absl::StatusCode::kInvalidArgument);
}

TEST(DistributedBuildTest, AFileThatOneRankDoesNotSeeOrSeesOtherwise) {
  Communicator ranks = Ranks();
  Files files(ranks);
  files.Add("a.ply", meshes::Soup(60, 0.3, 3), MeshFormat::kPly);
  files.Add("b.obj", meshes::Soup(60, 0.3, 3), MeshFormat::kObj);
  files.Add("c.stl", meshes::Soup(60, 0.3, 3), MeshFormat::kStl);
  const std::vector<std::string> good = files.names();
  files.Add("other.ply", meshes::Soup(61, 0.3, 3), MeshFormat::kPly);
  const std::string path = files.Path("failed.orboxd");
  for (int r = 0; r < ranks.size(); ++r) {
    for (size_t f = 0; f < good.size(); ++f) {
      for (const std::string& name :
           {files.Path("none.ply"), files.Path("other.ply")}) {
        std::vector<std::string> names = good;
        if (ranks.rank() == r) names[f] = name;
        const bool is_missing = name != files.Path("other.ply");
        if (!is_missing && ranks.size() == 1) continue;
        const absl::Status status =
            DistributedTree::Build(ranks, names, path, {.chunk_triangles = 10})
                .status();
        EXPECT_EQ(status.code(), is_missing
                                     ? absl::StatusCode::kNotFound
                                     : absl::StatusCode::kInvalidArgument)
            << status;
      }
    }
  }
  EXPECT_TRUE(ranks.Agree(absl::OkStatus()).ok());
  EXPECT_FALSE(std::filesystem::exists(path));
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
