// SPDX-License-Identifier: Apache-2.0

// Files that `orbox hausdorff` writes in addition to its result, and clouds as
// its input.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/trees.h"
#include "tests/support/xml.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class HausdorffFilesTest : public OrboxCommandTest {
 protected:
  const Mesh ball_ = meshes::Icosphere(2, {}, 1.1);
  const Mesh cube_ = meshes::Cube({-1, -1, -1}, 2);
  const std::string a_ = File("a.ply", ball_);
  const std::string b_ = File("b.ply", cube_);
  const std::string ply_ = folder_.Path("out.ply");
};

TEST_F(HausdorffFilesTest, PlyHasTheDistanceOfEachVertex) {
  Output({"hausdorff", a_, b_, "--ply", ply_, "--pose",
          "1,0,0,0.5,0,1,0,0,0,0,1,0"});
  const std::string bytes = ScratchDirectory::Read(ply_);
  EXPECT_THAT(bytes, HasSubstr("property float quality\n"));
  const Mesh moved = meshes::Moved(ball_, Pose::Translation({0.5, 0, 0}));
  const Tree tree = *Build(cube_);
  constexpr size_t kRecord = 24 + 3 + 4;
  const char* const begin =
      bytes.data() + bytes.find("end_header\n") + std::strlen("end_header\n");
  for (size_t i = 0; i < moved.vertex_count(); ++i) {
    Vec3 place;
    float quality = 0;
    std::memcpy(&place, begin + i * kRecord, sizeof(place));
    std::memcpy(&quality, begin + i * kRecord + 27, sizeof(quality));
    EXPECT_EQ(place, moved.vertices()[i]);
    EXPECT_EQ(quality, static_cast<float>(
                           ClosestPoint(tree, moved.vertices()[i])->distance));
  }
  const auto read = ReadMeshFile(ply_);
  ASSERT_TRUE(read.ok()) << read.status();
  // Its own vertices come first; faces are split where the distance changes.
  EXPECT_GT(read->triangle_count(), 2 * ball_.triangle_count());
  const double end = 1.6 - 1;  // of the ball's farthest point from the cube
  for (const TriangleIndices& t : read->triangles()) {
    double least = end, most = 0;
    for (const uint32_t corner : t) {
      const double d = ClosestPoint(tree, read->vertices()[corner])->distance;
      least = std::min(least, d);
      most = std::max(most, d);
    }
    EXPECT_LE(most - least, end / 16 + 1e-9);
  }
}

TEST_F(HausdorffFilesTest, GlbHasBothAndColoursOfTheFirst) {
  const std::string glb = folder_.Path("out.glb");
  Output({"hausdorff", a_, b_, "--glb", glb, "--pose",
          "1,0,0,0.5,0,1,0,0,0,0,1,0"});
  const auto bodies = ReadBodiesFile(glb);
  ASSERT_TRUE(bodies.ok()) << bodies.status();
  ASSERT_EQ(bodies->size(), 2U);
  EXPECT_EQ((*bodies)[0].name, "A");
  EXPECT_EQ((*bodies)[0].pose.translation.x, 0.5);
  EXPECT_EQ((*bodies)[1].mesh.triangle_count(), cube_.triangle_count());
  const std::string bytes = ScratchDirectory::Read(glb);
  EXPECT_THAT(bytes, AllOf(HasSubstr("\"COLOR_0\""),
                           HasSubstr("\"alphaMode\":\"BLEND\"")));
  const std::string cloud = folder_.Write("cloud.xyz", "0 0 2\n1 2 3\n");
  EXPECT_THAT(ErrorOf({"hausdorff", cloud, b_, "--glb", glb}, 3),
              HasSubstr("A is a cloud"));
}

TEST_F(HausdorffFilesTest, ReportsShowTheDeviation) {
  const std::string path = folder_.Path("r.html");
  Output({"hausdorff", a_, b_, "--report", path, "--unit", "mm",
          "--picture-size", "64x48"});
  const std::string page = ScratchDirectory::Read(path);
  const std::optional<Xml> xml = ParseXml(page);
  ASSERT_TRUE(xml.has_value());
  EXPECT_THAT(xml->AllText(),
              AllOf(HasSubstr("Deviation of A (a.ply) and B (b.ply)"),
                    HasSubstr("root of mean square"), HasSubstr(" mm"),
                    HasSubstr("standard deviation"), HasSubstr("from B to A"),
                    HasSubstr("by area, at 162 "),
                    HasSubstr("Distances of the corners of A from B")));
  Output({"hausdorff", a_, b_, "--report", path, "--picture-size", "64x48",
          "--from", "A", "--within", "0.05", "--max-distance", "0.08"});
  const std::optional<Xml> cut = ParseXml(ScratchDirectory::Read(path));
  ASSERT_TRUE(cut.has_value());
  EXPECT_THAT(cut->AllText(),
              AllOf(HasSubstr("within 0.05 are"), Not(HasSubstr("from B to A")),
                    HasSubstr(" corners farther than 0.08")));
  Output({"hausdorff", a_, b_, "--report", path, "--picture-size", "64x48",
          "--pose", "1,0,0,9,0,1,0,0,0,0,1,0", "--max-distance", "1"});
  EXPECT_THAT(ScratchDirectory::Read(path),
              HasSubstr("All corners of A are farther than the cut-off"));
  Output({"hausdorff", a_, a_, "--report", path, "--picture-size", "64x48"});
  EXPECT_THAT(ScratchDirectory::Read(path),
              HasSubstr("All corners of A are on B"));
}

TEST_F(HausdorffFilesTest, CloudsAreMeasured) {
  std::string rows = "x y z intensity\n";
  double largest = 0;
  const Tree tree = *Build(cube_);
  for (const Vec3& p : ball_.vertices()) {
    rows += Cat(p.x, " ", p.y, " ", p.z, " 255\n");
    largest = std::max(largest, ClosestPoint(tree, p)->distance);
  }
  const std::string cloud = folder_.Write("cloud.xyz", rows);
  const std::string report = folder_.Path("r.html");
  const Json json =
      JsonOf({"hausdorff", cloud, b_, "--ply", ply_, "--report", report});
  EXPECT_EQ(json["a_to_b"]["lower"].number(), largest);
  const std::string bytes = ScratchDirectory::Read(ply_);
  EXPECT_THAT(
      bytes,
      AllOf(HasSubstr(Cat("element vertex ", ball_.vertex_count(), "\n")),
            Not(HasSubstr("element face"))));
  EXPECT_THAT(ScratchDirectory::Read(report),
              HasSubstr(Cat("of ", ball_.vertex_count(), " points of A")));
  // A written file is a cloud again.
  EXPECT_EQ(JsonOf({"hausdorff", ply_, b_})["a_to_b"]["lower"].number(),
            largest);
  EXPECT_THAT(
      Output({"hausdorff", cloud, b_, "--summary", "--from", "A"}),
      HasSubstr(Cat("\n    vertices    ", ball_.vertex_count(), ", from ")));
  // Others want triangles.
  ErrorOf({"clearance", cloud, b_}, 3);
}

}  // namespace
}  // namespace orbox
