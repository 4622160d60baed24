// SPDX-License-Identifier: Apache-2.0

// The meshes in data/ are what the generators make today, byte for byte.
#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

struct DataFile {
  std::string name;
  GenerateOptions options;
  size_t triangles;
};

// The files that data/README.md lists.
const std::vector<DataFile> kFiles = {
    {"torus_knot.ply", {.shape = "torus_knot", .triangles = 2000}, 2000},
    {"linked_knot.ply", {.shape = "linked_knot", .triangles = 2000}, 2000},
    {"gear.stl", {.shape = "gear", .triangles = 768}, 768},
    {"terrain.obj", {.shape = "terrain", .triangles = 800, .seed = 1}, 800},
    {"sphere.off", {.shape = "sphere", .triangles = 300}, 288},
    {"box.obj", {.shape = "box", .triangles = 12}, 12}};

TEST(DataTest, FilesAreWhatTheGeneratorsMake) {
  const std::filesystem::path data =
      std::filesystem::path(ORBOX_SOURCE_DIR) / "data";
  for (const DataFile& file : kFiles) {
    SCOPED_TRACE(file.name);
    const std::string path = (data / file.name).string();
    const absl::StatusOr<Mesh> made = GenerateMesh(file.options);
    ASSERT_TRUE(made.ok()) << made.status();
    const MeshFormat format = *MeshFormatOf(path, {});
    EXPECT_EQ(ScratchDirectory::Read(path), *EncodeMesh(*made, format));

    const absl::StatusOr<Mesh> read = ReadMeshFile(path);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->triangle_count(), file.triangles);
  }
}

}  // namespace
}  // namespace orbox
