// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/distance_ply.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/palette.h"

namespace orbox::cli {
namespace {

using ::testing::HasSubstr;

// A parsed file: the header, and the records after it.
struct File {
  std::string header;
  std::vector<uint32_t> vertex_colors;
  std::vector<float> vertex_qualities;
  struct Face {
    std::array<uint32_t, 3> corners;
    uint32_t color;
    float distance;
    int mesh;
  };
  std::vector<Face> faces;
};

template <typename T>
T ReadNext(const char*& at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

uint32_t ReadColor(const char*& at) {
  uint32_t color = 0;
  for (int i = 0; i < 3; ++i) color = color << 8 | ReadNext<uint8_t>(at);
  return color;
}

File ParsePly(const std::string& bytes) {
  const size_t end = bytes.find("end_header\n") + 11;
  File file{.header = bytes.substr(0, end)};
  const auto count = [&file](const std::string& element) {
    const size_t place = file.header.find("element " + element + " ");
    return std::stoul(file.header.substr(place + 9 + element.size()));
  };
  const char* at = bytes.data() + end;
  for (size_t i = count("vertex"); i > 0; --i) {
    at += 24;
    file.vertex_colors.push_back(ReadColor(at));
    file.vertex_qualities.push_back(ReadNext<float>(at));
  }
  for (size_t i = count("face"); i > 0; --i) {
    EXPECT_EQ(ReadNext<uint8_t>(at), 3);
    File::Face face{};
    for (uint32_t& corner : face.corners) corner = ReadNext<uint32_t>(at);
    face.color = ReadColor(at);
    face.distance = ReadNext<float>(at);
    face.mesh = ReadNext<uint8_t>(at);
    file.faces.push_back(face);
  }
  EXPECT_EQ(at, bytes.data() + bytes.size());
  return file;
}

class DistancePlyTest : public OrboxCommandTest {};

TEST_F(DistancePlyTest, DistancesAreThoseOfAllTriangles) {
  const Mesh a = meshes::Soup(40, 0.3, 1), b = meshes::Torus(12, 6);
  const Pose pose = Pose::Rotation({0, 0, 1}, 0.4, {0.2, 0.3, 0});
  const Mesh moved = meshes::Moved(a, pose);
  const std::vector<PairDistance> all =
      brute_force::Within(moved, b, std::numeric_limits<double>::infinity());
  const PosedTree posed = *PosedTree::Create(*Build(a), pose);
  const PosedTree other = *Build(b);
  for (const int threads : {1, 3}) {
    const RunOptions options{.threads = threads};
    EXPECT_EQ(*DistancesFrom(posed, other, options),
              picture::FaceDistancesOf(all, 0, a.triangle_count()));
    EXPECT_EQ(*DistancesFrom(other, posed, options),
              picture::FaceDistancesOf(all, 1, b.triangle_count()));
  }
}

TEST_F(DistancePlyTest, FileHasBothMeshesWithDistancesAndColours) {
  const Mesh a = meshes::Torus(16, 8);
  const Mesh b = meshes::Cube({1.3, -0.5, -0.5});
  const Mesh moved = meshes::Moved(b, Pose::Translation({0.1, 0, 0}));
  const std::string path = folder_.Path("d.ply");
  Output({"clearance", File("b.ply", b), File("a.ply", a), "--pose",
          "1,0,0,0.1,0,1,0,0,0,0,1,0", "--within", "0.4", "--ply", path});
  const std::string bytes = ScratchDirectory::Read(path);

  // Any reader finds both meshes, one after the other, at their poses, as
  // components with their areas and their own distances.
  const absl::StatusOr<Mesh> read = ReadMeshFile(path);
  ASSERT_TRUE(read.ok()) << read.status();
  const struct File file = ParsePly(bytes);
  EXPECT_THAT(file.header, HasSubstr("comment colours from 0 to 0.4\n"));
  ASSERT_EQ(file.faces.size(), read->triangle_count());
  EXPECT_GT(file.faces.size(), 3 * (a.triangle_count() + b.triangle_count()));
  const Mesh* const meshes[] = {&moved, &a};
  double areas[2] = {0, 0};
  size_t near = 0;
  for (size_t id = 0; id < file.faces.size(); ++id) {
    const File::Face& face = file.faces[id];
    const Triangle t = read->triangle(id);
    areas[face.mesh] += Norm(Cross(t.b - t.a, t.c - t.a));
    const picture::Color own = picture::FromHex(
        face.mesh == 0 ? picture::kColorOfA : picture::kColorOfB);
    for (const uint32_t corner : face.corners) {
      EXPECT_EQ(file.vertex_colors[corner], face.color);
      EXPECT_LE(file.vertex_qualities[corner], face.distance);
    }
    near += face.distance <= 0.4F ? 1 : 0;
    // Brute force takes long: some of them.
    if (id % 37 != 0) continue;
    double expected = std::numeric_limits<double>::infinity();
    const Mesh& other = *meshes[1 - face.mesh];
    for (size_t k = 0; k < other.triangle_count(); ++k) {
      expected = std::min(expected, Distance(t, other.triangle(k)).distance);
    }
    EXPECT_EQ(face.distance, static_cast<float>(expected));
    EXPECT_EQ(face.color,
              picture::HexOf(picture::ColorOfDistance(expected, 0.4, own)));
  }
  for (int i = 0; i < 2; ++i) {
    double area = 0;
    for (size_t id = 0; id < meshes[i]->triangle_count(); ++id) {
      const Triangle t = meshes[i]->triangle(id);
      area += Norm(Cross(t.b - t.a, t.c - t.a));
    }
    EXPECT_NEAR(areas[i], area, 1e-9 * area);
  }
  EXPECT_GT(near, 20U);
  EXPECT_LT(near, file.faces.size() - 20);
  // Its vertices are among them, as they were.
  for (const Mesh* mesh : meshes) {
    for (const Vec3& v : mesh->vertices()) {
      EXPECT_THAT(read->vertices(), ::testing::Contains(v));
    }
  }
}

TEST_F(DistancePlyTest, WithoutALimitColoursReachTheLargestDistance) {
  const std::string a = File("a.ply", meshes::Cube());
  const std::string b = File("b.ply", meshes::Cube({3, 0, 0}));
  const std::string path = folder_.Path("d.ply");
  EXPECT_THAT(Output({"clearance", a, b, "--ply", path}),
              HasSubstr("distance 2"));
  const struct File file = ParsePly(ScratchDirectory::Read(path));
  EXPECT_THAT(file.header, HasSubstr("comment colours from 0 to 3\n"));
  const std::string first = ScratchDirectory::Read(path);
  Output({"clearance", a, b, "--ply", path, "--threads", "1", "--volumes",
          "sphere"});
  EXPECT_EQ(ScratchDirectory::Read(path), first);
}

TEST_F(DistancePlyTest, WrongInputIsExplained) {
  const std::string cube = File("cube.ply", meshes::Cube());
  ErrorOf({"clearance", cube, cube, "--ply", "-"}, 2);
  ErrorOf({"clearance", cube, cube, "--ply", ""}, 2);
  const std::string pose = "1,0,0,0,0,1,0,0,0,0,1,0\n";
  const std::string poses = folder_.Write("p.csv", pose + pose);
  EXPECT_THAT(ErrorOf({"clearance", cube, cube, "--ply", "x.ply", "--pose",
                       "@" + poses},
                      3),
              HasSubstr("p.csv:2: the second of 2 poses"));
  const ProcessResult full =
      Run({"clearance", cube, cube, "--ply", "/dev/full"});
  EXPECT_EQ(full.exit_code, 4);
  EXPECT_THAT(full.err, HasSubstr("/dev/full"));
}

}  // namespace
}  // namespace orbox::cli
