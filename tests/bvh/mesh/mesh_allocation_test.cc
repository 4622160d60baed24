// SPDX-License-Identifier: Apache-2.0

// Reading, writing and generating when memory runs out at the n-th allocation,
// for every n: a clean status, nothing leaked (which a leak checker sees), and
// nothing half done.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/meshes.h"
#include "tests/support/package_3mf.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

TEST(MeshAllocationTest, ReadingEachFormat) {
  const Mesh mesh = meshes::Icosphere(1);
  for (const MeshFormat format :
       {MeshFormat::kObj, MeshFormat::kPly, MeshFormat::kStl, MeshFormat::kOff,
        MeshFormat::kGltf}) {
    const std::string bytes = *EncodeMesh(mesh, format);
    EXPECT_GT(FailEachAllocation(
                  [&] { return ReadMesh(bytes, format, "m").status(); }),
              3u);
  }
}

TEST(MeshAllocationTest, ReadingAPackage) {
  if (!meshes::Reads3mf()) GTEST_SKIP() << "without Expat and zlib";
  const std::string bytes = meshes::Package3mf(meshes::Model3mfText(
      meshes::Object3mfText(1, "name=\"a part with a name of its own\""),
      "<item objectid=\"1\"/>"));
  EXPECT_GT(FailEachAllocation([&] {
              return ReadMesh(bytes, MeshFormat::k3mf, "m").status();
            }),
            3u);
}

TEST(MeshAllocationTest, ReadingAFile) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Write(
      "a.obj", *EncodeMesh(meshes::Icosphere(1), MeshFormat::kObj));
  EXPECT_GT(FailEachAllocation([&] { return ReadMeshFile(path).status(); }),
            3u);
}

TEST(MeshAllocationTest, ReadingABody) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Write(
      "a.glb", *EncodeMesh(meshes::Icosphere(1), MeshFormat::kGltf));
  const std::string body = path + "#mesh";
  EXPECT_GT(FailEachAllocation([&] { return ReadMeshFile(body).status(); }),
            3u);
  EXPECT_GT(FailEachAllocation([&] { return ReadBodiesFile(body).status(); }),
            3u);
}

TEST(MeshAllocationTest, WritingAFileLeavesNoTemporary) {
  const ScratchDirectory scratch;
  const Mesh mesh = meshes::Icosphere(1);
  const std::string path = scratch.Path("a.ply");
  EXPECT_GT(FailEachAllocation([&] { return WriteMeshFile(mesh, path); }), 3u);
  EXPECT_EQ(scratch.Names(), std::vector<std::string>{"a.ply"});
}

TEST(MeshAllocationTest, MakingOneOfRows) {
  const std::vector<float> xyz = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::vector<int32_t> rows = {0, 1, 2};
  EXPECT_GT(
      FailEachAllocation([&] { return Mesh::Create(xyz, rows).status(); }), 2u);
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
