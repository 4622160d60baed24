// SPDX-License-Identifier: Apache-2.0

// Real scans and models, as their publishers distribute them, if they are
// available.
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/mesh_directory.h"

namespace orbox {
namespace {

struct Expected {
  std::string file;
  size_t vertices;
  size_t triangles;
  bool closed;
};

const std::vector<Expected> kExpected = {
    {"stanford-bunny.obj", 35947, 69451, false},
    {"nefertiti.obj", 49971, 99938, true},
    {"turbineblade.ply", 99519, 199034, true},
    {"horse.ply", 48485, 96966, true},
    {"gears.stl", 9723, 19426, true},
    {"fandisk.obj", 6475, 12946, true},
    {"rocker-arm.obj", 10044, 20088, true},
    {"homer.obj", 6002, 12000, true},
    {"spot.obj", 2930, 5856, true},
    {"cow.obj", 2903, 5804, true},
    {"teapot.obj", 3644, 6320, false},
    {"suzanne.obj", 507, 968, false}};

TEST(SharedMeshesTest, AreReadWhole) {
  const std::filesystem::path directory = MeshDirectory();
  if (directory.empty()) {
    std::puts("skipped: no mesh directory");
    return;
  }
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(expected.file);
    const std::filesystem::path path = directory / expected.file;
    if (!std::filesystem::exists(path)) {
      std::printf("skipped: no %s\n", expected.file.c_str());
      continue;
    }
    const absl::StatusOr<Mesh> mesh = ReadMeshFile(path.string());
    ASSERT_TRUE(mesh.ok()) << mesh.status();
    EXPECT_EQ(mesh->vertex_count(), expected.vertices);
    EXPECT_EQ(mesh->triangle_count(), expected.triangles);
    EXPECT_EQ(IsClosed(*mesh), expected.closed);
    EXPECT_EQ(mesh->degenerate_count(), 0u);

    const Mesh again = meshes::ReadGood(*EncodeMesh(*mesh, MeshFormat::kObj),
                                        MeshFormat::kObj);
    EXPECT_EQ(meshes::VerticesOf(again), meshes::VerticesOf(*mesh));
    EXPECT_EQ(meshes::TrianglesOf(again), meshes::TrianglesOf(*mesh));
  }
}

}  // namespace
}  // namespace orbox
