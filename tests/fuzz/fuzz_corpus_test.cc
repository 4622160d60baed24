// SPDX-License-Identifier: Apache-2.0

// Every input that the fuzzers start from or once failed on, and a fixed number
// of random ones, in each build.
#include <filesystem>
#include <string>

#include "gtest/gtest.h"
#include "tests/fuzz/chunk_manifest_fuzz.h"
#include "tests/fuzz/for_each_input.h"
#include "tests/fuzz/mesh_pairs_fuzz.h"
#include "tests/fuzz/mesh_queries_fuzz.h"
#include "tests/fuzz/model_3mf_fuzz.h"
#include "tests/fuzz/motions_fuzz.h"
#include "tests/fuzz/pcd_points_fuzz.h"
#include "tests/fuzz/random_inputs.h"
#include "tests/fuzz/read_mesh_fuzz.h"
#include "tests/fuzz/scenes_fuzz.h"
#include "tests/fuzz/tree_file_fuzz.h"

namespace orbox {
namespace {

const std::filesystem::path kCorpus =
    std::filesystem::path(ORBOX_SOURCE_DIR) / "tests" / "fuzz" / "corpus";

TEST(FuzzCorpusTest, EachReader) {
  const struct {
    const char* fuzzer;
    MeshFormat format;
  } readers[] = {
      {"read_obj", MeshFormat::kObj},   {"read_ply", MeshFormat::kPly},
      {"read_stl", MeshFormat::kStl},   {"read_off", MeshFormat::kOff},
      {"read_gltf", MeshFormat::kGltf}, {"read_3mf", MeshFormat::k3mf}};
  for (const auto& [fuzzer, format] : readers) {
    EXPECT_GT(ForEachInput(kCorpus, fuzzer,
                           [f = format](const std::string& bytes) {
                             FuzzReadMesh(bytes, f);
                           }),
              0u)
        << fuzzer;
  }
}

TEST(FuzzCorpusTest, AnyFormat) {
  for (const char* fuzzer : {"read_any", "read_obj", "read_ply", "read_stl",
                             "read_off", "read_gltf", "read_3mf"}) {
    EXPECT_GT(ForEachInput(kCorpus, fuzzer, FuzzReadAnyMesh), 0u) << fuzzer;
  }
}

TEST(FuzzCorpusTest, PointsOfPcd) {
  EXPECT_GT(ForEachInput(kCorpus, "read_pcd", FuzzPcd), 0u);
}

TEST(FuzzCorpusTest, ModelsInPackages) {
  EXPECT_GT(ForEachInput(kCorpus, "read_3mf", FuzzModel3mf), 0u);
}

TEST(FuzzCorpusTest, Queries) {
  EXPECT_GT(ForEachInput(kCorpus, "mesh_queries", FuzzMeshQueries), 0u);
  EXPECT_GT(ForEachInput(kCorpus, "mesh_pairs", FuzzMeshPairs), 0u);
}

TEST(FuzzCorpusTest, ScenesAndMotions) {
  EXPECT_GT(ForEachInput(kCorpus, "scenes", FuzzScenes), 0u);
  EXPECT_GT(ForEachInput(kCorpus, "motions", FuzzMotions), 0u);
}

TEST(FuzzCorpusTest, TreeFiles) {
  EXPECT_GT(ForEachInput(kCorpus, "tree_file", FuzzTreeFile), 0u);
}

TEST(FuzzCorpusTest, ChunkManifests) {
  EXPECT_GT(ForEachInput(kCorpus, "chunk_manifest", FuzzChunkManifest), 0u);
}

TEST(FuzzCorpusTest, RandomBytesForQueries) {
  EXPECT_GT(FeedRandomBytes("mesh_queries", FuzzMeshQueries, 4000), 0u);
}

TEST(FuzzCorpusTest, RandomBytesForPairs) {
  EXPECT_GT(FeedRandomBytes("mesh_pairs", FuzzMeshPairs, 6000), 0u);
}

TEST(FuzzCorpusTest, RandomBytesForScenes) {
  EXPECT_GT(FeedRandomBytes("scenes", FuzzScenes, 4000), 0u);
}

TEST(FuzzCorpusTest, RandomBytesForMotions) {
  EXPECT_GT(FeedRandomBytes("motions", FuzzMotions, 1200), 0u);
}

}  // namespace
}  // namespace orbox
