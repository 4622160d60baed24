// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/write_bodies.h"

#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/json.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

using meshes::TrianglesOf;
using meshes::VerticesOf;
using testing::HasSubstr;

std::vector<NamedBody> ReadBack(const std::string& bytes) {
  const auto bodies = ReadBodies(bytes, MeshFormat::kGltf, "back");
  EXPECT_TRUE(bodies.ok()) << bodies.status();
  return bodies.ok() ? *bodies : std::vector<NamedBody>();
}

Json JsonOf(const std::string& glb) {
  const size_t length = static_cast<unsigned char>(glb[12]) +
                        256U * static_cast<unsigned char>(glb[13]);
  const auto json = ParseJson(glb.substr(20, length));
  EXPECT_TRUE(json.has_value());
  return json.value_or(Json());
}

TEST(EncodeBodiesTest, ReadsBackToTheSameBodies) {
  const Mesh cube = meshes::Cube();
  const Pose turned =
      Pose::Rotation({0.6, 0, 0.8}, 1.25, {10.5, -3, 1e7 + 1.0 / 3});
  const std::vector<NamedBody> bodies = {
      {"wall \"7\" \\", cube, {}, {{"type", "IfcWall"}, {"st\xc3\xb6ry", ""}}},
      {"pipe", meshes::Torus(7, 5), turned, {}},
      {"wall 8", cube, turned, {{"type", "IfcWall"}}}};
  const std::string bytes = *EncodeBodies(bodies);
  const std::vector<NamedBody> back = ReadBack(bytes);
  ASSERT_EQ(back.size(), bodies.size());
  for (size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(back[i].name, bodies[i].name);
    EXPECT_EQ(back[i].properties, bodies[i].properties);
    EXPECT_EQ(TrianglesOf(back[i].mesh), TrianglesOf(bodies[i].mesh));
  }
  EXPECT_EQ(back[0].pose, Pose());
  EXPECT_EQ(back[2].pose, turned);
  EXPECT_EQ(VerticesOf(back[0].mesh), VerticesOf(cube));
  // Bodies of one mesh share it.
  EXPECT_EQ(back[0].mesh.vertices().data(), back[2].mesh.vertices().data());
  EXPECT_EQ(JsonOf(bytes)["meshes"].size(), 2u);
}

TEST(EncodeBodiesTest, LosesAFloatOfTheSizeAndNotOfTheDistance) {
  const Mesh far =
      meshes::Moved(meshes::Icosphere(1), Pose::Translation({1e6, 2e5, 30}));
  const auto back = ReadBack(*EncodeBodies(std::vector<NamedBody>{{"b", far}}));
  ASSERT_EQ(back.size(), 1u);
  ASSERT_EQ(back[0].mesh.vertex_count(), far.vertex_count());
  for (size_t i = 0; i < far.vertex_count(); ++i) {
    const Vec3 v = back[0].pose.Apply(back[0].mesh.vertices()[i]);
    EXPECT_LT(Norm(v - far.vertices()[i]), 0x1p-22);
  }
  // Written as one mesh, coordinates are as accurate.
  const Mesh merged =
      meshes::ReadGood(*EncodeMesh(far, MeshFormat::kGltf), MeshFormat::kGltf);
  EXPECT_LT(Norm(merged.vertices()[0] - far.vertices()[0]), 0x1p-22);
}

TEST(EncodeBodiesTest, ColorsAreMaterials) {
  const Mesh cube = meshes::Cube();
  const std::vector<NamedBody> bodies = {{"a", cube}, {"b", cube}, {"c", cube}};
  const std::vector<BodyColor> colors = {
      {1, 0, 0, 1}, {0, 0, 1, 0.25}, {1, 0, 0, 1}};
  const Json json = JsonOf(*EncodeBodies(bodies, colors));
  ASSERT_EQ(json["materials"].size(), 2u);
  EXPECT_EQ(json["materials"][1]["alphaMode"].text, "BLEND");
  EXPECT_FALSE(json["materials"][0].Has("alphaMode"));
  const Json& factor =
      json["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"];
  EXPECT_EQ(factor[3].number(), 0.25);
  EXPECT_EQ(json["nodes"][0]["mesh"].text, json["nodes"][2]["mesh"].text);
  EXPECT_EQ(json["accessors"].size(), 2u);
  EXPECT_EQ(json["accessors"][0]["count"].number(), cube.vertex_count());
  EXPECT_EQ(json["accessors"][0]["max"][0].number(), cube.bounds().hi.x);
}

TEST(EncodeBodiesTest, VerticesHaveColors) {
  const Mesh cube = meshes::Cube();
  const std::vector<NamedBody> bodies = {{"a", cube}, {"b", cube}};
  std::vector<std::vector<BodyColor>> colors(2);
  for (size_t i = 0; i < cube.vertex_count(); ++i) {
    colors[1].push_back({0.25F * static_cast<float>(i), 0.5, 1, 1});
  }
  const std::string bytes = *EncodeBodies(bodies, {}, colors);
  const Json json = JsonOf(bytes);
  ASSERT_EQ(json["meshes"].size(), 2u);
  const auto attributes = [&json](size_t body) -> const Json& {
    const auto mesh = static_cast<size_t>(json["nodes"][body]["mesh"].number());
    return json["meshes"][mesh]["primitives"][0]["attributes"];
  };
  EXPECT_FALSE(attributes(0).Has("COLOR_0"));
  const auto number = static_cast<size_t>(attributes(1)["COLOR_0"].number());
  const Json& accessor = json["accessors"][number];
  EXPECT_EQ(accessor["count"].number(), cube.vertex_count());
  EXPECT_EQ(accessor["type"].text, "VEC3");
  const Json& view =
      json["bufferViews"][static_cast<size_t>(accessor["bufferView"].number())];
  const size_t binary = bytes.find(std::string_view("BIN\0", 4)) + 4;
  for (size_t i = 0; i < cube.vertex_count(); ++i) {
    float color[3];
    std::memcpy(color,
                bytes.data() + binary +
                    static_cast<size_t>(view["byteOffset"].number()) + 12 * i,
                sizeof(color));
    EXPECT_EQ(color[0], colors[1][i].red);
    EXPECT_EQ(color[2], 1);
  }
  EXPECT_EQ(ReadBack(bytes)[1].mesh.triangle_count(), 12u);
  colors[0].resize(3);
  EXPECT_THAT(std::string(EncodeBodies(bodies, {}, colors).status().message()),
              HasSubstr("3 colors for 8 vertices"));
}

TEST(EncodeBodiesTest, Errors) {
  const Mesh cube = meshes::Cube();
  const auto error = [](const std::vector<NamedBody>& bodies,
                        const std::vector<BodyColor>& colors = {}) {
    const auto bytes = EncodeBodies(bodies, colors);
    EXPECT_EQ(bytes.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(bytes.status().message());
  };
  EXPECT_THAT(error({}), HasSubstr("no bodies"));
  EXPECT_THAT(error({{"a", cube}}, {{}, {}}), HasSubstr("2 colors for 1"));
  EXPECT_THAT(
      error({{"a", *Mesh::Create({{1e60, 0, 0}, {-1e60, 0, 0}}, {{0, 1, 0}})}}),
      HasSubstr("body 'a': a coordinate is beyond float"));
}

TEST(WriteBodiesFileTest, WritesGlbAlone) {
  const ScratchDirectory scratch;
  const std::vector<NamedBody> bodies = {{"a", meshes::Cube()}};
  ASSERT_TRUE(WriteBodiesFile(bodies, scratch.Path("a.glb")).ok());
  EXPECT_EQ(ReadBodiesFile(scratch.Path("a.glb#a"))->size(), 1u);
  const absl::Status status = WriteBodiesFile(bodies, scratch.Path("a.gltf"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("end the name in .glb"));
}

}  // namespace
}  // namespace orbox
