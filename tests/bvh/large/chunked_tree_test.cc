// SPDX-License-Identifier: Apache-2.0

// Chunks are mapped within a budget, and any fault in the files of a chunked
// tree is an error.
#include "orbox/bvh/large/chunked_tree.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"
#include "orbox/bvh/large/internal/chunk_manifest.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/tree/internal/checksum.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

TEST(ChunkedTreeTest, OneTreeIsOneChunk) {
  const Mesh mesh = meshes::Torus(12, 5);
  const ChunkedTree tree(Build(mesh).value(), 5);
  ASSERT_EQ(tree.table().size(), 1);
  const ChunkRow& row = tree.table()[0];
  EXPECT_EQ(row.count, mesh.triangle_count());
  EXPECT_EQ(row.lowest_id, 5);
  EXPECT_EQ(row.highest_id, 5 + mesh.triangle_count() - 1);
  EXPECT_EQ(tree.triangle_count(), mesh.triangle_count());
  EXPECT_EQ(tree.path(), "");
  const Chunk chunk = tree.Load(0).value();
  EXPECT_EQ(chunk.ids[3], 8);
  EXPECT_TRUE(tree.Verify().ok());
}

TEST(ChunkedTreeTest, TheTableSaysWhatChunksHold) {
  const chunks::Files files(meshes::DegenerateMix(90));
  const ChunkedTree tree = files.Chunked(25);
  uint64_t first = 0;
  uint64_t degenerate = 0;
  for (size_t i = 0; i < tree.table().size(); ++i) {
    const ChunkRow& row = tree.table()[i];
    const Chunk chunk = tree.Load(i).value();
    const Mesh& mesh = chunk.tree.mesh();
    EXPECT_EQ(row.first, first);
    EXPECT_EQ(row.count, mesh.triangle_count());
    EXPECT_EQ(row.box.lo, mesh.bounds().lo);
    EXPECT_EQ(row.box.hi, mesh.bounds().hi);
    EXPECT_EQ(row.vertex, mesh.triangle(0).a);
    EXPECT_EQ(row.lowest_id, chunk.ids[0]);
    EXPECT_EQ(row.highest_id, chunk.ids[chunk.ids.size() - 1]);
    EXPECT_EQ(row.degenerate, mesh.degenerate_count());
    first += row.count;
    degenerate += row.degenerate;
  }
  EXPECT_EQ(tree.triangle_count(), first);
  EXPECT_EQ(tree.degenerate_count(), degenerate);
  EXPECT_EQ(tree.chunk_size(), 25);
}

TEST(ChunkedTreeTest, ChunksStayMappedWithinTheBudget) {
  const chunks::Files files(meshes::Torus(20, 10));
  const ChunkedTree ample = files.Chunked(50);
  const size_t count = ample.table().size();
  ASSERT_GE(count, 8);
  size_t largest = 0;
  for (const ChunkRow& row : ample.table()) {
    largest = std::max<size_t>(largest, row.bytes + row.count * 8);
  }
  const ChunkedTree tight = files.Chunked(50, 0, {.memory = 3 * largest});
  const Chunk kept = tight.Load(0).value();
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < count; ++i) {
      ASSERT_TRUE(ample.Load(i).ok());
      ASSERT_TRUE(tight.Load(i).ok());
      EXPECT_LE(tight.mapped_bytes(), 3 * largest);
    }
  }
  EXPECT_LE(tight.peak_mapped_bytes(), 3 * largest);
  EXPECT_GT(tight.peak_mapped_bytes(), largest);
  EXPECT_GT(ample.mapped_bytes(), 3 * largest);
  // A chunk that a caller holds stays in memory.
  EXPECT_EQ(kept.tree.mesh().triangle_count(), tight.table()[0].count);
}

TEST(ChunkedTreeTest, TheFilesMayGoWhileChunksAreHeld) {
  const chunks::Files files(meshes::Torus(12, 5));
  const ChunkedTree tree = files.Chunked(200);
  const Chunk chunk = tree.Load(0).value();
  std::filesystem::remove_all(tree.path());
  EXPECT_TRUE(ClosestPoint(ChunkedTree(chunk.tree), Vec3{}).ok());
  EXPECT_TRUE(tree.Load(0).ok());
  EXPECT_FALSE(ChunkedTree::Open(tree.path()).ok());
}

// Damages the folder of a chunked tree, file by file.
class DamagedChunksTest : public ::testing::Test {
 protected:
  DamagedChunksTest() : files_(meshes::Soup(120, 0.1)) { Restore(); }

  void Restore() {
    if (!path_.empty()) std::filesystem::remove_all(path_);
    path_ = files_.Chunked(40).path();
  }
  std::string PathOf(const std::string& name) const {
    return path_ + "/" + name;
  }
  std::string Read(const std::string& name) const {
    return ScratchDirectory::Read(PathOf(name));
  }
  void Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(PathOf(name), std::ios::binary) << bytes;
  }
  absl::Status OpenAndVerify(TreeCheck check = TreeCheck::kEverything) const {
    const absl::StatusOr<ChunkedTree> tree =
        ChunkedTree::Open(path_, {.check = check});
    return tree.ok() ? tree->Verify() : tree.status();
  }
  // An error that names the file and the remedy.
  void ExpectError(const std::string& name) const {
    const absl::Status status = OpenAndVerify();
    ASSERT_FALSE(status.ok());
    const std::string message(status.message());
    EXPECT_NE(message.find(PathOf(name)), std::string::npos) << message;
  }

  const chunks::Files files_;
  std::string path_;
};

TEST_F(DamagedChunksTest, WholeFoldersAreRight) {
  for (const TreeCheck check :
       {TreeCheck::kHeader, TreeCheck::kChecksums, TreeCheck::kEverything}) {
    EXPECT_TRUE(OpenAndVerify(check).ok()) << OpenAndVerify(check);
  }
  EXPECT_TRUE(IsChunkedTreeAt(path_));
  EXPECT_FALSE(IsChunkedTreeAt(files_.mesh_path()));
  EXPECT_FALSE(IsChunkedTreeAt(PathOf("missing")));
}

TEST_F(DamagedChunksTest, MissingFilesAreErrors) {
  for (const char* name : {"manifest", "ids", "00000001.orbox"}) {
    std::filesystem::remove(PathOf(name));
    ExpectError(name);
    EXPECT_EQ(OpenAndVerify().code(), absl::StatusCode::kNotFound);
    Restore();
  }
}

TEST_F(DamagedChunksTest, CutFilesAreErrors) {
  for (const char* name : {"manifest", "ids", "00000001.orbox"}) {
    const std::string bytes = Read(name);
    for (const size_t size : {size_t{0}, size_t{10}, bytes.size() - 1}) {
      Write(name, bytes.substr(0, size));
      ExpectError(name);
    }
    Write(name, bytes + "x");
    ExpectError(name);
    Write(name, bytes);
  }
  EXPECT_TRUE(OpenAndVerify().ok());
}

TEST_F(DamagedChunksTest, EachFlippedBitOfManifestAndIdsIsAnError) {
  for (const char* name : {"manifest", "ids"}) {
    const std::string bytes = Read(name);
    for (size_t bit = 0; bit < 8 * bytes.size(); bit += 101) {
      std::string damaged = bytes;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      Write(name, damaged);
      EXPECT_FALSE(OpenAndVerify(TreeCheck::kChecksums).ok()) << name << bit;
    }
    Write(name, bytes);
  }
}

TEST_F(DamagedChunksTest, AnotherTreesChunkIsAnError) {
  const std::string other = Read("00000000.orbox");
  Write("00000001.orbox", other);
  ExpectError("00000001.orbox");
  // Also without reading its contents.
  EXPECT_FALSE(OpenAndVerify(TreeCheck::kHeader).ok());
}

TEST_F(DamagedChunksTest, AManifestThatLiesAboutAChunkIsAnError) {
  const std::string bytes = Read("manifest");
  const ChunkManifest right = ParseManifest(bytes, "manifest").value();
  const auto expect_error = [&](auto change) {
    ChunkManifest wrong = right;
    change(wrong.rows[1]);
    Write("manifest", BytesOf(wrong));
    EXPECT_FALSE(OpenAndVerify().ok());
  };
  expect_error([](ManifestRow& r) { r.row.box.lo.x -= 1; });
  expect_error([](ManifestRow& r) { r.row.vertex = r.row.box.lo; });
  expect_error([](ManifestRow& r) { ++r.row.degenerate; });
  expect_error([](ManifestRow& r) { ++r.row.bytes; });
  expect_error([](ManifestRow& r) { ++r.tree_checksum; });
  expect_error([](ManifestRow& r) { ++r.ids_checksum; });
  expect_error([](ManifestRow& r) { ++r.row.lowest_id; });
}

TEST_F(DamagedChunksTest, AnIdThatOccursTwiceIsAnError) {
  ChunkManifest manifest = ParseManifest(Read("manifest"), "manifest").value();
  std::string ids = Read("ids");
  // The second id of chunk 0 becomes one of chunk 1, in order.
  std::vector<uint64_t> list(ids.size() / 8);
  std::memcpy(list.data(), ids.data(), ids.size());
  const uint64_t count = manifest.rows[0].row.count;
  const auto begin = list.begin();
  const auto end = begin + static_cast<ptrdiff_t>(count);
  for (auto at = begin + 1; at + 1 != end; ++at) {
    for (uint64_t id = *(at - 1) + 1; id < *(at + 1); ++id) {
      if (id != *at) {
        *at = id;
        at = end - 2;
        break;
      }
    }
  }
  ASSERT_NE(std::memcmp(list.data(), ids.data(), ids.size()), 0);
  std::memcpy(ids.data(), list.data(), ids.size());
  Write("ids", ids);
  manifest.rows[0].ids_checksum = tree_internal::ChecksumOf(
      std::as_bytes(std::span<const uint64_t>(list).first(count)));
  Write("manifest", BytesOf(manifest));
  const absl::Status status = OpenAndVerify();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("twice"), std::string::npos) << status;
}

}  // namespace
}  // namespace orbox
