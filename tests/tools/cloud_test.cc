// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/cloud.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kPly[] =
    "ply\nformat ascii 1.0\nelement vertex 2\nproperty uchar red\n"
    "property float x\nproperty float y\nproperty float z\nend_header\n"
    "255 1 2 3\n0 4 5 6\n";

class CloudTest : public ::testing::Test {
 protected:
  std::string ErrorOf(const std::string& name, const std::string& content) {
    const auto points = ReadCloud(folder_.Write(name, content));
    EXPECT_EQ(points.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(points.status().message());
  }

  ScratchDirectory folder_;
};

TEST_F(CloudTest, ReadsRowsAndPlyWhateverTheName) {
  for (const std::string content :
       {"1 2 3 9 9\n4 5 6\n", "x,y,z\n1,2,3\n4,5,6\n", kPly}) {
    for (const std::string name : {"a.xyz", "b.csv", "c.ply", "d"}) {
      const auto points = ReadCloud(folder_.Write(name, content));
      ASSERT_TRUE(points.ok()) << points.status();
      EXPECT_THAT(*points, ElementsAre(Vec3{1, 2, 3}, Vec3{4, 5, 6}));
    }
  }
}

TEST_F(CloudTest, PlyFilesWithFacesHaveVerticesToo) {
  const std::string path = folder_.Path("cube.ply");
  ASSERT_TRUE(WriteMeshFile(meshes::Cube(), path).ok());
  EXPECT_FALSE(IsCloud(path));
  const auto points = ReadCloud(path);
  ASSERT_TRUE(points.ok()) << points.status();
  EXPECT_EQ(points->size(), meshes::Cube().vertex_count());
}

TEST_F(CloudTest, ErrorsNameThePlace) {
  EXPECT_THAT(ErrorOf("a.xyz", "1 2 3\n1 2\n"), HasSubstr("a.xyz:2: found 2"));
  EXPECT_THAT(ErrorOf("b.ply", Cat(kPly, "x")), HasSubstr("b.ply"));
  const std::string_view text = kPly;
  const std::string not_finite =
      Cat(text.substr(0, text.find("4 5 6")), "inf 5 6\n");
  EXPECT_THAT(ErrorOf("c.ply", not_finite), HasSubstr("c.ply"));
}

TEST_F(CloudTest, IsAMeshOfPoints) {
  EXPECT_TRUE(IsCloud(folder_.Write("a.PLY", kPly)));
  EXPECT_TRUE(IsCloud(folder_.Write("a.XYZ", "")));
  EXPECT_FALSE(IsCloud(folder_.Write("a.off", "OFF")));
  EXPECT_FALSE(IsCloud(folder_.Path("none")));
  const auto mesh = MeshOfCloud(folder_.Write("b.xyz", "1 2 3\n4 5 6\n"));
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  ASSERT_EQ(mesh->triangle_count(), 2U);
  EXPECT_EQ(mesh->degenerate_count(), 2U);
  EXPECT_EQ(mesh->triangle(1).b, (Vec3{4, 5, 6}));
}

TEST_F(CloudTest, FilesOfPtsBeginWithTheirCount) {
  std::vector<ReadNote> notes;
  const auto points = ReadCloud(folder_.Write("a.pts", "2\n1 2 3 9\n4 5 6 9\n"),
                                {.notes = &notes});
  ASSERT_TRUE(points.ok()) << points.status();
  EXPECT_EQ(*points, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_TRUE(notes.empty());
  ASSERT_TRUE(
      ReadCloud(folder_.Write("b.pts", "3\n1 2 3\n"), {.notes = &notes}).ok());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(TextOf(notes[0]), "points, where the first line counts 3: 1");
}

TEST_F(CloudTest, PcdFilesAreCloudsWhateverTheName) {
  const std::string pcd =
      "# .PCD v0.7\nVERSION 0.7\nFIELDS rgb z y x\nSIZE 4 4 4 4\n"
      "TYPE F F F F\nCOUNT 1 1 1 1\nWIDTH 2\nHEIGHT 1\nPOINTS 2\n"
      "DATA ascii\n9 3 2 1\n9 6 5 4\n";
  for (const char* name : {"a.pcd", "b.PCD", "c.xyz", "d"}) {
    const std::string path = folder_.Write(name, pcd);
    EXPECT_TRUE(IsCloud(path));
    const auto points = ReadCloud(path);
    ASSERT_TRUE(points.ok()) << points.status();
    EXPECT_THAT(*points, ElementsAre(Vec3{1, 2, 3}, Vec3{4, 5, 6}));
  }
  EXPECT_THAT(ErrorOf("e.pcd", pcd.substr(0, pcd.size() - 8)),
              HasSubstr("e.pcd: line 12: the file ends before point 1"));
}

TEST_F(CloudTest, ColumnsByName) {
  const auto points = ReadCloud(folder_.Write(
      "a.csv", "\"z [m]\";X [m];intensity;Y\n3;1;0;2\n6;4;0;5\n"));
  ASSERT_TRUE(points.ok()) << points.status();
  EXPECT_THAT(*points, ElementsAre(Vec3{1, 2, 3}, Vec3{4, 5, 6}));
}

TEST_F(CloudTest, NamesWhatReadsOtherClouds) {
  EXPECT_THAT(ErrorOf("a.las", "LASF\1\2"), HasSubstr("pip install laspy"));
  EXPECT_THAT(ErrorOf("a.xyz", "LASF\1\2"), HasSubstr("CloudCompare"));
  EXPECT_THAT(ErrorOf("a.e57", "ASTM-E57\1\2"), HasSubstr("pip install pye57"));
  EXPECT_THAT(ErrorOf("a.dae", "<COLLADA>"), HasSubstr("assimp export"));
  EXPECT_THAT(ErrorOf("a.vtk", "# vtk DataFile\nx\n"), HasSubstr("ParaView"));
  EXPECT_THAT(ErrorOf("a.obj", "v 1 2 3\nf 1 1 1\n"),
              HasSubstr("a.obj: is no point cloud; give a PLY or PCD file"));
  EXPECT_THAT(ErrorOf("a.xyz", "x y z\n1 2\n"), HasSubstr("a.xyz:2: found 2"));
}

TEST_F(CloudTest, PointsThatAreNotFinite) {
  const std::string path = folder_.Write("a.xyz", "1 2 3\n1 nan 3\n4 5 6\n");
  EXPECT_FALSE(ReadCloud(path).ok());
  std::vector<ReadNote> notes;
  const auto points = ReadCloud(path, {.notes = &notes, .skip_invalid = true});
  ASSERT_TRUE(points.ok()) << points.status();
  EXPECT_EQ(*points, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(TextOf(notes[0]),
            "points that are not finite, skipped: 1, at line 2");
}

}  // namespace
}  // namespace orbox::cli
