// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/read_mesh.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kObj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
constexpr char kOff[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

// ---- Formats.

TEST(MeshFormatOfTest, TheExtensionDecidesInAnyCase) {
  EXPECT_EQ(*MeshFormatOf("a.obj", {}), MeshFormat::kObj);
  EXPECT_EQ(*MeshFormatOf("a.b/c.d.PLY", "solid"), MeshFormat::kPly);
  EXPECT_EQ(*MeshFormatOf("/x/.hidden.Stl", {}), MeshFormat::kStl);
  EXPECT_EQ(*MeshFormatOf("a.oFF", {}), MeshFormat::kOff);
}

TEST(MeshFormatOfTest, TheBytesDecideWhereThereIsNoExtension) {
  for (const std::string_view name : {"-", "part", "a.b/part", ".part"}) {
    EXPECT_EQ(*MeshFormatOf(name, kObj), MeshFormat::kObj);
    EXPECT_EQ(*MeshFormatOf(name, "# comment\n\nmtllib x\n"), MeshFormat::kObj);
    EXPECT_EQ(*MeshFormatOf(name, kOff), MeshFormat::kOff);
    EXPECT_EQ(*MeshFormatOf(name, "# c\nSTCNOFF 1 1"), MeshFormat::kOff);
    EXPECT_EQ(*MeshFormatOf(name, "ply\nformat"), MeshFormat::kPly);
    EXPECT_EQ(*MeshFormatOf(name, "solid x\n facet"), MeshFormat::kStl);
  }
  const Mesh cube = meshes::Cube();
  for (const MeshFormat format : {MeshFormat::kObj, MeshFormat::kPly,
                                  MeshFormat::kStl, MeshFormat::kOff}) {
    EXPECT_EQ(*MeshFormatOf("-", *EncodeMesh(cube, format)), format);
  }
}

TEST(MeshFormatOfTest, UnmistakableBytesOverruleTheExtension) {
  const Mesh cube = meshes::Cube();
  for (const MeshFormat format :
       {MeshFormat::kPly, MeshFormat::kStl, MeshFormat::kOff}) {
    const std::string bytes = *EncodeMesh(cube, format);
    for (const std::string_view name : {"a.obj", "a.PLY", "a.Stl", "a.off"}) {
      EXPECT_EQ(*MeshFormatOf(name, bytes), format) << name;
    }
  }
  constexpr std::string_view kAsciiStl =
      "solid cube\nfacet normal 0 0 1\nouter loop\n";
  EXPECT_EQ(*MeshFormatOf("a.ply", kAsciiStl), MeshFormat::kStl);
  EXPECT_EQ(*MeshFormatOf("a.obj", "ply\r\nformat ascii 1.0\r\n"),
            MeshFormat::kPly);
  EXPECT_EQ(*MeshFormatOf("a.stl", "ply\ncomment x\nformat ascii 1.0\n"),
            MeshFormat::kPly);
  EXPECT_EQ(*MeshFormatOf("a.stl", "# by hand\nCOFF\n\n3 1 0\n"),
            MeshFormat::kOff);
  EXPECT_EQ(*MeshFormatOf("a.obj", "OFF BINARY\n"), MeshFormat::kOff);
}

TEST(MeshFormatOfTest, WhereBytesLeaveADoubtTheExtensionDecides) {
  for (const std::string_view bytes :
       {"", "ply", "ply\n", "ply format", "plyer\nformat ascii 1.0\n", "solid",
        "solid cube\n", "solid cube\nv 0 0 0\n", "OFF", "OFF 3", "OFF 3 1 x",
        "OFFICE 3 1 0", kObj, " ply\nformat ascii 1.0\n"}) {
    EXPECT_EQ(*MeshFormatOf("a.obj", bytes), MeshFormat::kObj) << bytes;
    EXPECT_EQ(*MeshFormatOf("a.ply", bytes), MeshFormat::kPly) << bytes;
  }
  // The header of a binary STL file may begin like other formats. The file's
  // size decides.
  for (const std::string_view begin :
       {"ply\nformat binary_little_endian 1.0\n", "OFF 1 2 3\n",
        "solid x\nfacet normal 0 0 1\n"}) {
    std::string stl = *EncodeMesh(meshes::Cube(), MeshFormat::kStl);
    stl.replace(0, begin.size(), begin);
    EXPECT_EQ(*MeshFormatOf("a.stl", stl), MeshFormat::kStl) << begin;
  }
}

TEST(MeshFormatOfTest, WhatCannotBeToldIsAnError) {
  for (const auto& [path, bytes, says] :
       std::vector<std::array<std::string, 3>>{
           {"a.txt", kObj, "'.txt'"},
           {"a.", kObj, "'.'"},
           {"a.\x1b[2Jx", kObj, "\\x1b"},
           {"-", "hello world", "cannot be told"},
           {"x", "", "is empty"}}) {
    const absl::StatusOr<MeshFormat> format = MeshFormatOf(path, bytes);
    EXPECT_EQ(format.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(format.status().message()), HasSubstr(says));
  }
}

// ---- Files.

TEST(ReadMeshFileTest, ReadsEachFormat) {
  const ScratchDirectory scratch;
  const Mesh cube = meshes::Cube();
  for (const auto& [name, format] :
       std::vector<std::pair<std::string, MeshFormat>>{
           {"a.obj", MeshFormat::kObj},
           {"a.ply", MeshFormat::kPly},
           {"a.STL", MeshFormat::kStl},
           {"a.off", MeshFormat::kOff},
           {"no_extension", MeshFormat::kOff}}) {
    const absl::StatusOr<Mesh> mesh =
        ReadMeshFile(scratch.Write(name, *EncodeMesh(cube, format)));
    ASSERT_TRUE(mesh.ok()) << mesh.status();
    EXPECT_EQ(mesh->triangle_count(), 12u);
    EXPECT_TRUE(IsClosed(*mesh));
  }
}

TEST(ReadMeshFileTest, ReadsFilesUnderTheNameOfAnotherFormat) {
  const ScratchDirectory scratch;
  const Mesh cube = meshes::Cube();
  for (const MeshFormat format :
       {MeshFormat::kPly, MeshFormat::kStl, MeshFormat::kOff}) {
    for (const std::string name : {"a.obj", "a.ply", "a.STL", "a.off"}) {
      const absl::StatusOr<Mesh> mesh =
          ReadMeshFile(scratch.Write(name, *EncodeMesh(cube, format)));
      ASSERT_TRUE(mesh.ok()) << name << mesh.status();
      EXPECT_EQ(mesh->triangle_count(), 12u);
    }
  }
}

void ExpectError(const absl::StatusOr<Mesh>& mesh, absl::StatusCode code,
                 const std::string& path, const std::string& says) {
  EXPECT_EQ(mesh.status().code(), code) << mesh.status();
  const std::string message(mesh.status().message());
  EXPECT_THAT(message, StartsWith(path + ": "));
  EXPECT_THAT(message, HasSubstr(says));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(ReadMeshFileTest, FilesThatCannotBeRead) {
  const ScratchDirectory scratch;
  for (const std::string name : {"missing.obj", "missing", "no/such/dir.ply"}) {
    const std::string path = scratch.Path(name);
    ExpectError(ReadMeshFile(path), absl::StatusCode::kNotFound, path,
                "No such file");
  }
  const std::string file = scratch.Write("file.obj", kObj);
  ExpectError(ReadMeshFile(file + "/x.obj"), absl::StatusCode::kNotFound,
              file + "/x.obj", "Not a directory");
  for (const std::string name : {"folder", "folder.obj"}) {
    const std::string path = scratch.Path(name);
    std::filesystem::create_directory(path);
    ExpectError(ReadMeshFile(path), absl::StatusCode::kInvalidArgument, path,
                "directory");
  }
  const std::string empty = scratch.Write("empty.stl", "");
  ExpectError(ReadMeshFile(empty), absl::StatusCode::kInvalidArgument, empty,
              "is empty");
  const std::string text =
      scratch.Write("text.stl", *EncodeMesh(meshes::Cube(), MeshFormat::kObj));
  ExpectError(ReadMeshFile(text), absl::StatusCode::kInvalidArgument, text,
              "is text, and not ASCII STL");
  const std::string unknown = scratch.Write("mesh.abc", kObj);
  ExpectError(ReadMeshFile(unknown), absl::StatusCode::kInvalidArgument,
              unknown, "'.abc'");
  const std::string broken = scratch.Write("broken.obj", "v 0 0 zero\n");
  ExpectError(ReadMeshFile(broken), absl::StatusCode::kInvalidArgument, broken,
              "line 1");
}

TEST(ReadMeshFileTest, FilesThatMayNotBeRead) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Write("secret.obj", kObj);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const absl::StatusOr<Mesh> mesh = ReadMeshFile(path);
  if (geteuid() == 0) {
    EXPECT_TRUE(mesh.ok());  // permissions do not bind root
  } else {
    ExpectError(mesh, absl::StatusCode::kPermissionDenied, path, "Permission");
  }
}

TEST(ReadMeshFileTest, LinksAreFollowed) {
  const ScratchDirectory scratch;
  scratch.Write("a.obj", kObj);
  std::filesystem::create_symlink("a.obj", scratch.Path("b.obj"));
  EXPECT_TRUE(ReadMeshFile(scratch.Path("b.obj")).ok());
}

// A pipe returns the bytes that it has, fewer than requested, and a signal
// interrupts the waiting in between.
TEST(ReadMeshFileTest, ShortAndInterruptedReadsAreContinued) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Path("pipe.obj");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  struct sigaction action {};
  action.sa_handler = [](int) {};  // without SA_RESTART: reads fail with EINTR
  struct sigaction old {};
  ASSERT_EQ(sigaction(SIGUSR1, &action, &old), 0);

  const std::string text = *EncodeMesh(meshes::Icosphere(4), MeshFormat::kObj);
  const pthread_t reader = pthread_self();
  std::thread writer([&] {
    const int fd = open(path.c_str(), O_WRONLY);
    for (size_t at = 0; at < text.size(); at += 9973) {
      const std::string_view part = std::string_view(text).substr(at, 9973);
      EXPECT_EQ(write(fd, part.data(), part.size()),
                static_cast<ssize_t>(part.size()));
      pthread_kill(reader, SIGUSR1);
    }
    close(fd);
  });
  const absl::StatusOr<Mesh> mesh = ReadMeshFile(path);
  writer.join();
  sigaction(SIGUSR1, &old, nullptr);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->triangle_count(), 20u * 256);
}

TEST(ReadMeshFileTest, DashIsStandardInput) {
  const ScratchDirectory scratch;
  const int saved = dup(STDIN_FILENO);
  const int file = open(scratch.Write("in", kOff).c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  dup2(file, STDIN_FILENO);
  close(file);
  const absl::StatusOr<Mesh> mesh = ReadMeshFile("-");
  const absl::StatusOr<Mesh> again = ReadMeshFile("-");
  dup2(saved, STDIN_FILENO);
  close(saved);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->triangle_count(), 1u);
  ExpectError(again, absl::StatusCode::kInvalidArgument, "standard input",
              "is empty");
}

// ---- Progress.

TEST(ReadMeshTest, ReportsProgressInOrderFromThisThread) {
  const Mesh mesh = meshes::Grid(200, 0.1);
  for (const MeshFormat format : {MeshFormat::kObj, MeshFormat::kPly,
                                  MeshFormat::kStl, MeshFormat::kOff}) {
    std::vector<double> shares;
    const ReadOptions options = {
        .progress = [&](double share) { shares.push_back(share); }};
    ASSERT_TRUE(ReadMesh(*EncodeMesh(mesh, format), format, "m", options).ok());
    ASSERT_GE(shares.size(), 3u);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_GE(shares.front(), 0);
    EXPECT_EQ(shares.back(), 1);
  }
}

// ---- Names in messages.

TEST(ReadMeshTest, TheNameStandsForTheFile) {
  const absl::StatusOr<Mesh> mesh =
      ReadMesh("v 1 2 x", MeshFormat::kObj, "the input", {});
  EXPECT_THAT(std::string(mesh.status().message()),
              StartsWith("the input: line 1: "));
}

}  // namespace
}  // namespace orbox
