// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/build_chunked.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/large/queries.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

constexpr size_t kLittle = size_t{1} << 24;

// The triangles of a chunked tree, by their ids; expects each once.
std::vector<Triangle> TrianglesOf(const ChunkedTree& tree, uint64_t first = 0) {
  std::vector<Triangle> triangles(tree.triangle_count());
  std::vector<int> seen(triangles.size());
  for (size_t i = 0; i < tree.table().size(); ++i) {
    const Chunk chunk = tree.Load(i).value();
    EXPECT_TRUE(std::is_sorted(chunk.ids.begin(), chunk.ids.end()));
    for (size_t t = 0; t < chunk.ids.size(); ++t) {
      const uint64_t id = chunk.ids[t] - first;
      if (id >= triangles.size()) {
        ADD_FAILURE() << "no such id: " << id;
        continue;
      }
      ++seen[id];
      triangles[id] = chunk.tree.mesh().triangle(t);
    }
  }
  EXPECT_TRUE(
      std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
  return triangles;
}

std::vector<Triangle> TrianglesOf(const Mesh& mesh) {
  std::vector<Triangle> triangles;
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    triangles.push_back(mesh.triangle(i));
  }
  return triangles;
}

// All files of a folder, one after another.
std::string BytesOf(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().string());
  }
  std::sort(names.begin(), names.end());
  std::string bytes;
  for (const std::string& name : names) bytes += ScratchDirectory::Read(name);
  return bytes;
}

class BuildChunkedTest : public ::testing::Test {
 protected:
  absl::StatusOr<ChunkedTree> BuildOf(const std::vector<std::string>& files,
                                      const BuildChunkedOptions& options = {
                                          .memory = kLittle,
                                          .chunk_triangles = 20}) const {
    return BuildChunked(files, folder_.Path("out.orboxd"), options);
  }
  std::string Write(const Mesh& mesh, const std::string& name) const {
    EXPECT_TRUE(WriteMeshFile(mesh, folder_.Path(name)).ok());
    return folder_.Path(name);
  }
  // Number of files in the folder that are not inputs.
  size_t CountOfOthers(size_t inputs) const {
    return folder_.Names().size() - inputs;
  }

  const ScratchDirectory folder_;
};

TEST_F(BuildChunkedTest, EachTriangleIsInOneChunk) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const std::string file = Write(m.mesh, "mesh.ply");
    const ChunkedTree tree = BuildOf({file}).value();
    EXPECT_EQ(TrianglesOf(tree), TrianglesOf(m.mesh));
    EXPECT_EQ(tree.triangle_count(), m.mesh.triangle_count());
    EXPECT_EQ(tree.degenerate_count(), m.mesh.degenerate_count());
    EXPECT_EQ(tree.bounds().lo, m.mesh.bounds().lo);
    EXPECT_EQ(tree.bounds().hi, m.mesh.bounds().hi);
    EXPECT_EQ(tree.table().size(), (m.mesh.triangle_count() + 19) / 20);
    EXPECT_TRUE(tree.Verify().ok());
  }
}

TEST_F(BuildChunkedTest, AllFormatsAndSeveralFilesAreOneMesh) {
  const Mesh torus = meshes::Torus(12, 5);
  const Mesh ball = meshes::Icosphere(2, {1, 0, 0});
  std::vector<Triangle> expected;
  std::vector<std::string> files;
  for (const char* name : {"a.ply", "b.stl", "c.obj", "d.off", "e.glb"}) {
    files.push_back(Write(files.size() % 2 == 0 ? torus : ball, name));
    for (const Triangle& t : TrianglesOf(ReadMeshFile(files.back()).value())) {
      expected.push_back(t);
    }
  }
  constexpr uint64_t kFirst = uint64_t{1} << 40;
  const ChunkedTree tree =
      BuildOf(files,
              {.memory = kLittle, .chunk_triangles = 33, .first_id = kFirst})
          .value();
  EXPECT_EQ(TrianglesOf(tree, kFirst), expected);
}

TEST_F(BuildChunkedTest, NeitherMemoryNorThreadsChangeAByte) {
  // 16 MiB hold no more than 47,000 triangles at a time.
  const std::string file = Write(meshes::Soup(60000, 0.01), "soup.ply");
  BuildChunkedOptions options{.memory = size_t{1} << 30,
                              .chunk_triangles = 6000,
                              .quality = Quality::kFast,
                              .threads = 1};
  ASSERT_TRUE(BuildOf({file}, options).ok());
  const std::string expected = BytesOf(folder_.Path("out.orboxd"));
  options.memory = kLittle;
  options.threads = 3;
  ASSERT_TRUE(BuildOf({file}, options).ok());
  EXPECT_TRUE(BytesOf(folder_.Path("out.orboxd")) == expected);
  EXPECT_EQ(CountOfOthers(1), 1);
}

TEST_F(BuildChunkedTest, SignsOfZeroStay) {
  const Mesh mesh =
      Mesh::Create({{0.0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, -0.0, 0}},
                   {{0, 1, 2}, {3, 1, 2}})
          .value();
  const ChunkedTree tree = BuildOf({Write(mesh, "zeros.ply")}).value();
  const Chunk chunk = tree.Load(0).value();
  EXPECT_FALSE(std::signbit(chunk.tree.mesh().triangle(0).a.x));
  EXPECT_TRUE(std::signbit(chunk.tree.mesh().triangle(1).a.x));
}

TEST_F(BuildChunkedTest, AnErrorLeavesNothingBehind) {
  const std::string good = Write(meshes::Torus(12, 5), "good.ply");
  std::string bytes = ScratchDirectory::Read(good);
  const std::string cut =
      folder_.Write("cut.ply", bytes.substr(0, bytes.size() - 7));
  const std::string bad = folder_.Write("bad.obj", "v 0 0 nan\n");
  for (const std::vector<std::string>& files :
       {std::vector<std::string>{good, cut},
        {good, bad},
        {good, folder_.Path("missing.ply")},
        {}}) {
    EXPECT_FALSE(BuildOf(files).ok());
    EXPECT_EQ(CountOfOthers(3), 0);
  }
}

TEST_F(BuildChunkedTest, ACancelledBuildLeavesWhatWasThere) {
  const std::string file = Write(meshes::Torus(12, 5), "mesh.ply");
  ASSERT_TRUE(BuildOf({file}).ok());
  const std::string before = BytesOf(folder_.Path("out.orboxd"));
  std::atomic<bool> cancelled = false;
  const absl::StatusOr<ChunkedTree> tree = BuildOf(
      {file}, {.memory = kLittle,
               .chunk_triangles = 5,
               .progress = [&](double share) { cancelled = share > 0.5; },
               .cancelled = &cancelled});
  EXPECT_EQ(tree.status().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(BytesOf(folder_.Path("out.orboxd")) == before);
  EXPECT_EQ(CountOfOthers(1), 1);
}

TEST_F(BuildChunkedTest, OnlyAChunkedTreeIsReplaced) {
  const std::string file = Write(meshes::Torus(12, 5), "mesh.ply");
  ASSERT_TRUE(BuildOf({file}).ok());
  const std::string ball = Write(meshes::Icosphere(1), "ball.ply");
  EXPECT_EQ(BuildOf({ball}).value().triangle_count(), 80);
  EXPECT_EQ(CountOfOthers(2), 1);
  EXPECT_EQ(BuildChunked({&file, 1}, ball).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadMeshFile(ball).value().triangle_count(), 80);
}

TEST_F(BuildChunkedTest, BadOptionsAreErrors) {
  const std::string file = Write(meshes::Cube(), "mesh.ply");
  EXPECT_FALSE(BuildOf({file}, {.memory = 1 << 20}).ok());
  EXPECT_FALSE(BuildOf({file}, {.chunk_triangles = 0}).ok());
  EXPECT_FALSE(
      BuildOf({file}, {.chunk_triangles = Mesh::kMaxTriangles + 1}).ok());
  EXPECT_FALSE(
      BuildOf({file}, {.memory = kLittle, .chunk_triangles = 131072}).ok());
  EXPECT_FALSE(
      BuildOf({file}, {.first_id = std::numeric_limits<uint64_t>::max()}).ok());
  EXPECT_EQ(CountOfOthers(1), 0);
}

TEST_F(BuildChunkedTest, TextThatDoesNotFitIsRefused) {
  const std::string text = folder_.Write(
      "long.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n#" +
                      std::string(kLittle / 2, ' ') + "\nf 1 2 3\n");
  EXPECT_EQ(BuildOf({text}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace orbox
