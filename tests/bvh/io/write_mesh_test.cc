// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/write_mesh.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/shapes/range.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

using meshes::TrianglesOf;
using meshes::VerticesOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// ---- Encoding.

// Coordinates that only survive if every digit, or every bit, is kept.
Mesh Awkward() {
  constexpr double max = kLargestCoordinate;
  constexpr double least = kSmallestCoordinate;
  return *Mesh::Create({{0.1, 1. / 3, -2e-17},
                        {max, -max, least},
                        {std::nextafter(1, 2), -0.0, 0x1p-199},
                        {123456789.123456789, 1e22, std::nextafter(-max, 0.0)},
                        {9, 9, 9}},
                       {{0, 1, 2}, {3, 2, 1}, {0, 0, 3}});
}

TEST(EncodeMeshTest, WhatIsWrittenReadsBackToTheSameBits) {
  std::vector<meshes::Named> all = meshes::Assortment();
  all.push_back({"awkward", Awkward()});
  for (const MeshFormat format :
       {MeshFormat::kObj, MeshFormat::kPly, MeshFormat::kOff}) {
    for (const auto& [name, mesh] : all) {
      SCOPED_TRACE(name);
      const Mesh read = meshes::ReadGood(*EncodeMesh(mesh, format), format);
      EXPECT_EQ(TrianglesOf(read), TrianglesOf(mesh));
      ASSERT_EQ(VerticesOf(read), VerticesOf(mesh));
      for (size_t i = 0; i < mesh.vertex_count(); ++i) {
        for (size_t axis = 0; axis < 3; ++axis) {
          // Comparison does not distinguish the two zeros.
          EXPECT_EQ(std::signbit(read.vertices()[i][axis]),
                    std::signbit(mesh.vertices()[i][axis]));
        }
      }
    }
  }
}

// GCC 12 drops the rounding of (double)(float)x where it vectorizes two of
// them; what is volatile it has to store as a float.
double RoundedToFloat(double x) {
  const volatile float rounded = static_cast<float>(x);
  return rounded;
}

TEST(EncodeMeshTest, StlKeepsTrianglesRoundedToFloat) {
  for (const auto& [name, mesh] : meshes::Assortment()) {
    SCOPED_TRACE(name);
    const Mesh read =
        meshes::ReadGood(*EncodeMesh(mesh, MeshFormat::kStl), MeshFormat::kStl);
    ASSERT_EQ(read.triangle_count(), mesh.triangle_count());
    for (size_t id = 0; id < mesh.triangle_count(); ++id) {
      for (size_t corner = 0; corner < 3; ++corner) {
        const Vec3 v = mesh.triangle(id)[corner];
        EXPECT_EQ(read.triangle(id)[corner],
                  (Vec3{RoundedToFloat(v.x), RoundedToFloat(v.y),
                        RoundedToFloat(v.z)}));
      }
    }
  }
}

TEST(EncodeMeshTest, StlNormalsAreUnitOrZero) {
  const std::string bytes =
      *EncodeMesh(*Mesh::Create({{0, 0, 0}, {0, 5, 0}, {0, 0, 5}, {1, 1, 1}},
                                {{0, 1, 2}, {0, 3, 3}}),
                  MeshFormat::kStl);
  ASSERT_EQ(bytes.size(), 84u + 2 * 50);
  float normal[3];
  std::memcpy(normal, bytes.data() + 84, sizeof normal);
  EXPECT_THAT(normal, ElementsAre(1, 0, 0));
  std::memcpy(normal, bytes.data() + 134, sizeof normal);
  EXPECT_THAT(normal, ElementsAre(0, 0, 0));
}

TEST(EncodeMeshTest, StlRefusesWhatFloatCannotHold) {
  const double most = std::numeric_limits<float>::max();
  EXPECT_TRUE(EncodeMesh(*Mesh::Create({{most, -most, 0}}, {{0, 0, 0}}),
                         MeshFormat::kStl)
                  .ok());
  const absl::StatusOr<std::string> bytes = EncodeMesh(
      *Mesh::Create({{0, 0, 0}, {0, -1e39, 0}}, {{0, 0, 1}}), MeshFormat::kStl);
  EXPECT_EQ(bytes.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(bytes.status().message()), HasSubstr("vertex 1"));
}

TEST(EncodeMeshTest, TheTextsThemselves) {
  const Mesh mesh =
      *Mesh::Create({{0, 0.1, 0}, {1, 0, -0.0}, {0, 1e60, 0}}, {{0, 1, 2}});
  EXPECT_EQ(*EncodeMesh(mesh, MeshFormat::kObj),
            "v 0 0.1 0\nv 1 0 -0\nv 0 1e+60 0\nf 1 2 3\n");
  EXPECT_EQ(*EncodeMesh(mesh, MeshFormat::kOff),
            "OFF\n3 1 0\n0 0.1 0\n1 0 -0\n0 1e+60 0\n3 0 1 2\n");
}

// ---- Files.

TEST(WriteMeshFileTest, TheFormatFollowsTheExtension) {
  const ScratchDirectory scratch;
  const Mesh cube = meshes::Cube();
  for (const auto& [name, format] :
       std::vector<std::pair<std::string, MeshFormat>>{
           {"a.obj", MeshFormat::kObj},
           {"a.PLY", MeshFormat::kPly},
           {"a.stl", MeshFormat::kStl},
           {"a.off", MeshFormat::kOff}}) {
    const absl::Status status = WriteMeshFile(cube, scratch.Path(name));
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(ScratchDirectory::Read(scratch.Path(name)),
              *EncodeMesh(cube, format));
  }
  // Nothing else is left.
  EXPECT_THAT(scratch.Names(),
              UnorderedElementsAre("a.obj", "a.PLY", "a.stl", "a.off"));
}

TEST(WriteMeshFileTest, Errors) {
  const ScratchDirectory scratch;
  const Mesh cube = meshes::Cube();
  for (const std::string name : {"a", "a.txt"}) {
    const absl::Status status = WriteMeshFile(cube, scratch.Path(name));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(".obj"));
  }
  std::filesystem::create_directory(scratch.Path("folder.obj"));
  EXPECT_EQ(WriteMeshFile(cube, scratch.Path("folder.obj")).code(),
            absl::StatusCode::kInvalidArgument);
  const std::string lost = scratch.Path("no/such/folder/a.obj");
  const absl::Status status = WriteMeshFile(cube, lost);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(lost + ": cannot be written: No such file"));
  EXPECT_EQ(WriteMeshFile(*Mesh::Create({{1e60, 0, 0}}, {{0, 0, 0}}),
                          scratch.Path("a.stl"))
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(scratch.Names(), ElementsAre("folder.obj"));
}

TEST(WriteMeshFileTest, ReplacesAFileAndKeepsItsPermissions) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Write("a.obj", "old");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read |
                                         std::filesystem::perms::owner_write);
  ASSERT_TRUE(WriteMeshFile(meshes::Cube(), path).ok());
  EXPECT_EQ(
      std::filesystem::status(path).permissions(),
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_TRUE(ReadMeshFile(path).ok());
}

TEST(WriteMeshFileTest, FollowsALinkInsteadOfReplacingIt) {
  const ScratchDirectory scratch;
  scratch.Write("target.obj", "old");
  std::filesystem::create_symlink("target.obj", scratch.Path("link.obj"));
  ASSERT_TRUE(WriteMeshFile(meshes::Cube(), scratch.Path("link.obj")).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.Path("link.obj")));
  EXPECT_TRUE(ReadMeshFile(scratch.Path("target.obj")).ok());
}

TEST(WriteMeshFileTest, WritesIntoAPipeInsteadOfReplacingIt) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Path("pipe.obj");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = ScratchDirectory::Read(path); });
  // More than a pipe holds at a time.
  const Mesh mesh = meshes::Icosphere(4);
  const absl::Status status = WriteMeshFile(mesh, path);
  reader.join();
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(received, *EncodeMesh(mesh, MeshFormat::kObj));
  EXPECT_TRUE(std::filesystem::is_fifo(path));
}

// A limit on the size of files replaces a full disk.
TEST(WriteMeshFileTest, AFullDiskLeavesTheOldFileAndNothingElse) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Write("a.obj", "old");
  struct rlimit old {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  struct rlimit small = old;
  small.rlim_cur = 1000;
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status replaced = WriteMeshFile(meshes::Icosphere(3), path);
  const absl::Status fresh =
      WriteMeshFile(meshes::Icosphere(3), scratch.Path("b.ply"));
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);

  EXPECT_EQ(replaced.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(replaced.message()),
              HasSubstr(path + ": cannot be written: File too large"));
  EXPECT_EQ(fresh.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(scratch.Names(), ElementsAre("a.obj"));
  EXPECT_EQ(ScratchDirectory::Read(path), "old");
}

TEST(WriteMeshFileTest, ADeviceThatIsFullIsAnError) {
  const ScratchDirectory scratch;
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  std::filesystem::create_symlink("/dev/full", scratch.Path("full.obj"));
  const absl::Status status =
      WriteMeshFile(meshes::Cube(), scratch.Path("full.obj"));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("No space left"));
}

TEST(MeshFormatToWriteTest, TheNameDecidesButForDevices) {
  const ScratchDirectory scratch;
  EXPECT_EQ(*MeshFormatToWrite("a.STL"), MeshFormat::kStl);
  EXPECT_EQ(*MeshFormatToWrite("-"), MeshFormat::kOff);
  EXPECT_EQ(*MeshFormatToWrite("/dev/null"), MeshFormat::kOff);
  for (const std::string name : {"a", "a.txt", "folder"}) {
    std::filesystem::create_directory(scratch.Path("folder"));
    EXPECT_THAT(
        std::string(MeshFormatToWrite(scratch.Path(name)).status().message()),
        HasSubstr("end the name in .obj"));
  }
}

TEST(WriteMeshFileTest, DashIsOffOnStandardOutput) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Path("out");
  const int saved = dup(STDOUT_FILENO);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(file, 0);
  dup2(file, STDOUT_FILENO);
  close(file);
  const absl::Status status = WriteMeshFile(meshes::Cube(), "-");
  dup2(saved, STDOUT_FILENO);
  close(saved);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(ScratchDirectory::Read(path),
            *EncodeMesh(meshes::Cube(), MeshFormat::kOff));
}

TEST(WriteMeshFileTest, ManyWritersOfOneFileLeaveOneWholeFile) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Path("a.obj");
  const Mesh small = meshes::Cube();
  const Mesh large = meshes::Icosphere(3);
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&, i] {
      for (int k = 0; k < 5; ++k) {
        EXPECT_TRUE(WriteMeshFile(i % 2 == 0 ? small : large, path).ok());
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_THAT(scratch.Names(), ElementsAre("a.obj"));
  EXPECT_THAT(ScratchDirectory::Read(path),
              testing::AnyOf(*EncodeMesh(small, MeshFormat::kObj),
                             *EncodeMesh(large, MeshFormat::kObj)));
}

}  // namespace
}  // namespace orbox
