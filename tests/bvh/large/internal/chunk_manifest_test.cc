// SPDX-License-Identifier: Apache-2.0

// For any bytes of a manifest, the result is an error that names the fault, or
// a table that keeps its laws.
#include "orbox/bvh/large/internal/chunk_manifest.h"

#include <limits>

#include "gtest/gtest.h"
#include "tests/fuzz/chunk_manifest_fuzz.h"

namespace orbox {
namespace {

ChunkManifest TwoChunks() {
  ChunkManifest manifest{.chunk_triangles = 5};
  manifest.rows.resize(2);
  manifest.rows[0].row = {.box = {{0, 0, 0}, {1, 1, 1}},
                          .vertex = {0.5, 0.5, 0.5},
                          .count = 5,
                          .first = 0,
                          .lowest_id = 10,
                          .highest_id = 16,
                          .bytes = 1000};
  manifest.rows[1].row = {.box = {{1, 0, 0}, {2, 1, 1}},
                          .vertex = {2, 1, 1},
                          .count = 2,
                          .first = 5,
                          .lowest_id = 13,
                          .highest_id = 15,
                          .degenerate = 1,
                          .bytes = 500};
  return manifest;
}

TEST(ChunkManifestTest, WhatIsWrittenIsRead) {
  const std::string bytes = BytesOf(TwoChunks());
  EXPECT_EQ(bytes.size(), 64 + 2 * 136);
  const ChunkManifest manifest = ParseManifest(bytes, "m").value();
  ASSERT_EQ(manifest.rows.size(), 2);
  EXPECT_EQ(manifest.chunk_triangles, 5);
  EXPECT_EQ(manifest.rows[1].row.highest_id, 15);
  EXPECT_EQ(manifest.rows[1].row.vertex, (Vec3{2, 1, 1}));
  EXPECT_EQ(BytesOf(manifest), bytes);
}

TEST(ChunkManifestTest, EachLawIsHeld) {
  const auto expect_error = [](auto change, std::string_view what) {
    ChunkManifest wrong = TwoChunks();
    change(wrong);
    const auto parsed = ParseManifest(BytesOf(wrong), "m");
    ASSERT_FALSE(parsed.ok()) << std::string(what);
    EXPECT_NE(std::string(parsed.status().message()).find(what),
              std::string::npos)
        << parsed.status();
  };
  using M = ChunkManifest;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error([](M& m) { m.rows[1].row.count = 0; }, "number of triangles");
  expect_error([](M& m) { m.rows[1].row.count = 6; }, "number of triangles");
  expect_error([](M& m) { m.rows[0].row.count = 4; }, "first place");
  expect_error([](M& m) { m.rows[1].row.first = 4; }, "first place");
  expect_error([](M& m) { m.rows[0].row.highest_id = 13; }, "fewer ids");
  expect_error([](M& m) { m.rows[0].row.highest_id = 0; }, "fewer ids");
  expect_error([&](M& m) { m.rows[0].row.box.lo.x = nan; }, "box");
  expect_error([](M& m) { m.rows[0].row.box.lo.x = 2; }, "box");
  expect_error([](M& m) { m.rows[0].row.vertex.x = 2; }, "vertex");
  expect_error([](M& m) { m.rows[0].row.box.hi.x = 1e61; }, "beyond 2^200");
  expect_error([&](M& m) { m.rows[0].row.vertex.x = nan; }, "vertex");
  expect_error([](M& m) { m.rows[1].row.degenerate = 3; }, "degenerate");
  expect_error([](M& m) { m.rows[0].row.highest_id = 40; }, "ids");
  expect_error([](M& m) { m.chunk_triangles = 0; }, "triangles");
  expect_error([](M& m) { m.chunk_triangles = uint64_t{1} << 40; },
               "triangles");
}

TEST(ChunkManifestTest, AnyChunkMayBeSmaller) {
  ChunkManifest manifest = TwoChunks();
  manifest.rows[0].row.count = 4;
  manifest.rows[0].row.highest_id = 15;
  manifest.rows[1].row.first = 4;
  EXPECT_TRUE(ParseManifest(BytesOf(manifest), "m").ok());
}

TEST(ChunkManifestTest, EachCutAndEachFlippedBitIsAnError) {
  const std::string bytes = BytesOf(TwoChunks());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ParseManifest(bytes.substr(0, size), "m").ok()) << size;
  }
  EXPECT_FALSE(ParseManifest(bytes + "x", "m").ok());
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(ParseManifest(damaged, "m").ok()) << bit;
    FuzzChunkManifest(damaged);
  }
}

TEST(ChunkManifestTest, FilesAreNamedByTheirNumber) {
  EXPECT_EQ(ChunkFileName(7), "00000007.orbox");
  EXPECT_EQ(ChunkFileName(123456789), "123456789.orbox");
}

}  // namespace
}  // namespace orbox
