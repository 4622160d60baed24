// SPDX-License-Identifier: Apache-2.0

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/escaping.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/write_bodies.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

using ReadGltfTest = meshes::ReaderTest<MeshFormat::kGltf>;

// Four points in float, then three indices in 16 bits and two bytes of nothing.
std::string Binary() {
  meshes::ByteWriter out(std::endian::little);
  for (const float x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) out.Number(x);
  for (const uint16_t i : {0, 2, 3, 0}) out.Number(i);
  return out.bytes();
}

std::string Glb(std::string json, const std::string& binary = Binary()) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  meshes::ByteWriter out(std::endian::little);
  const auto number = [&out](size_t n) {
    out.Number(static_cast<uint32_t>(n));
  };
  out.Text("glTF");
  number(2);
  number(28 + json.size() + binary.size());
  number(json.size());
  out.Text("JSON" + json);
  number(binary.size());
  out.Text(std::string_view("BIN\0", 4)).Text(binary);
  return out.bytes();
}

// All but the nodes and the meshes.
std::string GltfJson(const std::string& rest,
                     const std::string& buffer = "\"byteLength\":56") {
  return "{\"asset\":{\"version\":\"2.0\"}," + rest + ",\"buffers\":[{" +
         buffer +
         "}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
         "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":6}],"
         "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
         "\"type\":\"VEC3\",\"count\":4},{\"bufferView\":1,"
         "\"componentType\":5123,\"type\":\"SCALAR\",\"count\":3}]}";
}

std::string Meshes(const std::string& primitive = "") {
  return "\"meshes\":[{\"name\":\"m\",\"extras\":{\"of\":\"mesh\",\"n\":1},"
         "\"primitives\":[{\"attributes\":{\"POSITION\":0}" +
         (primitive.empty() ? ",\"indices\":1" : primitive) + "}]}]";
}

std::vector<NamedBody> Bodies(const std::string& bytes) {
  const auto bodies = ReadBodies(bytes, MeshFormat::kGltf, "f.glb");
  EXPECT_TRUE(bodies.ok()) << bodies.status();
  return bodies.ok() ? *bodies : std::vector<NamedBody>();
}

TEST_F(ReadGltfTest, NodesAreBodiesWithPosesNamesAndProperties) {
  const std::string json = GltfJson(
      "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
      "{\"name\":\"storey\",\"translation\":[0,0,10],\"children\":[1,2]},"
      "{\"mesh\":0,\"name\":\"wall\",\"matrix\":[0,1,0,0, -1,0,0,0, 0,0,1,0, "
      "1,2,3,1],\"extras\":{\"n\":2,\"u\":1.5,\"ok\":true,\"none\":null,"
      "\"list\":[1],\"Pset\":{\"Fire\":\"F90\",\"deep\":{\"er\":1}}}},"
      "{\"mesh\":0,\"rotation\":[0,0,0,1],\"scale\":[2,2,2]},"
      "{\"mesh\":0,\"name\":\"of no scene\"}]," +
      Meshes());
  const std::vector<NamedBody> bodies = Bodies(Glb(json));
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_EQ(bodies[0].name, "wall");
  const BodyProperties expected = {{"of", "mesh"},       {"n", "2"},
                                   {"u", "1.5"},         {"ok", "true"},
                                   {"Pset.Fire", "F90"}, {"parent", "storey"}};
  EXPECT_EQ(bodies[0].properties, expected);
  EXPECT_EQ(bodies[0].pose.Apply(Vec3{1, 0, 0}), (Vec3{1, 3, 13}));
  EXPECT_EQ(bodies[1].name, "m");
  EXPECT_EQ(bodies[1].pose.Apply(Vec3{1, 1, 1}), (Vec3{2, 2, 12}));
  EXPECT_THAT(VerticesOf(bodies[0].mesh),
              ElementsAre(Vec3{0, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}));
  EXPECT_THAT(TrianglesOf(bodies[0].mesh), ElementsAre(T(0, 1, 2)));
  // Read as one mesh, each body is at its pose.
  const Mesh mesh = Read(Glb(json));
  EXPECT_EQ(mesh.triangle_count(), 2u);
  EXPECT_EQ(mesh.triangle(1).b, (Vec3{0, 2, 10}));
}

TEST_F(ReadGltfTest, ElementsWithoutTrianglesAreLeftOut) {
  // Mesh 1 has points and lines; mesh 2 lines and triangles.
  const std::string lines =
      R"({"attributes":{"POSITION":0},"mode":1},{"attributes":{"POSITION":0},)"
      R"("mode":0})";
  const std::string json = GltfJson(
      R"("scene":0,"scenes":[{"nodes":[0,7,8,9,10,11]}],"nodes":[)"
      R"({"name":"storey","children":[1,2,3,4,5,6]},)"
      R"({"mesh":0,"name":"wall"},{"mesh":1,"name":"axis"},{"mesh":1},)"
      R"({"name":"door"},{},{"mesh":2,"name":"roof"},)"
      R"({"name":"camera","camera":0},{"name":"lamp","extensions":{"x":{}}},)"
      R"({"name":"joint"},{"name":"group","children":[12]},{},)"
      R"({"mesh":0,"name":"pipe"},{"name":"of no scene"}],)"
      R"("skins":[{"joints":[9,99]}],"meshes":[)"
      R"({"primitives":[{"attributes":{"POSITION":0},"indices":1}]},)"
      R"({"name":"grid","primitives":[)" +
      lines + R"(]},{"primitives":[)" + lines +
      R"(,{"attributes":{"POSITION":0},"indices":1}]}])");
  std::vector<std::string> left_out;
  const auto bodies = ReadBodies(Glb(json), MeshFormat::kGltf, "f.glb",
                                 {.left_out = &left_out});
  ASSERT_TRUE(bodies.ok()) << bodies.status();
  EXPECT_EQ(bodies->size(), 3u);
  // Nodes without a mesh are no elements.
  EXPECT_THAT(left_out, ElementsAre("axis", "grid"));
  // A mesh of a file without nodes.
  left_out.clear();
  ASSERT_TRUE(
      ReadBodies(
          Glb(GltfJson(R"("meshes":[{"name":"grid","primitives":[)" + lines +
                       R"(]},{"primitives":[{"attributes":)"
                       R"({"POSITION":0},"indices":1}]}])")),
          MeshFormat::kGltf, "f.glb", {.left_out = &left_out})
          .ok());
  EXPECT_THAT(left_out, ElementsAre("grid"));
}

TEST_F(ReadGltfTest, StripsFansAndCornersWithoutIndices) {
  const auto triangles = [](const std::string& primitive) {
    return TrianglesOf(Read(Glb(GltfJson(Meshes(primitive)))));
  };
  EXPECT_THAT(triangles(",\"mode\":5"), ElementsAre(T(0, 1, 2), T(1, 3, 2)));
  EXPECT_THAT(triangles(",\"mode\":6"), ElementsAre(T(1, 2, 0), T(2, 3, 0)));
  EXPECT_THAT(triangles(",\"mode\":5,\"indices\":1"), ElementsAre(T(0, 1, 2)));
  EXPECT_THAT(Error(Glb(GltfJson(Meshes(",\"mode\":4")))),
              HasSubstr("mesh 0: a primitive of 4 corners"));
  EXPECT_THAT(Error(Glb(GltfJson(Meshes(",\"mode\":1")))),
              HasSubstr("no node of its scene has a mesh of triangles"));
}

TEST_F(ReadGltfTest, QuantizedPoints) {
  // The two views as bytes: strides and normalized numbers.
  const std::string json =
      "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{"
      "\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{\"byteLength\":12}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":11,\"byteStride\":4}],"
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5120,"
      "\"normalized\":true,\"type\":\"VEC3\",\"count\":3}]}";
  const Mesh mesh = Read(Glb(json, std::string("\x7f\x00\x81\x55"
                                               "\x80\x00\x00\x55"
                                               "\x00\x7f\x00\x55",
                                               12)));
  EXPECT_THAT(VerticesOf(mesh),
              ElementsAre(Vec3{1, 0, -1}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}));
}

TEST_F(ReadGltfTest, BuffersInTextAndInFiles) {
  std::string base64;
  absl::Base64Escape(Binary(), &base64);
  const std::string in_text =
      GltfJson(Meshes(),
               "\"byteLength\":56,\"uri\":\"data:application/"
               "octet-stream;base64," +
                   base64 + "\"");
  EXPECT_EQ(*MeshFormatOf("-", in_text), MeshFormat::kGltf);
  EXPECT_EQ(Read(in_text).triangle_count(), 1u);
  const std::string beside =
      GltfJson(Meshes(), "\"byteLength\":56,\"uri\":\"a%20b.bin\"");
  EXPECT_THAT(Error(beside), HasSubstr("buffer 0: is in 'a b.bin'"));
  const ScratchDirectory scratch;
  const std::string path = scratch.Write("a.gltf", beside);
  EXPECT_EQ(ReadMeshFile(path).status().code(), absl::StatusCode::kNotFound);
  scratch.Write("a b.bin", Binary());
  EXPECT_EQ(ReadMeshFile(path)->triangle_count(), 1u);
  for (const std::string uri : {"https://x.y/z", "/etc/passwd", "data:,x"}) {
    EXPECT_THAT(
        Error(GltfJson(Meshes(), "\"byteLength\":56,\"uri\":\"" + uri + "\"")),
        HasSubstr("buffer 0"));
  }
}

TEST_F(ReadGltfTest, CompressionIsNamed) {
  EXPECT_THAT(
      Error("{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"count\":3,"
            "\"componentType\":5126,\"type\":\"VEC3\"}]," +
            Meshes(",\"extensions\":{\"KHR_draco_mesh_compression\":{}}") +
            "}"),
      HasSubstr("Draco"));
  std::string json = GltfJson(Meshes());
  json.insert(json.find("\"byteLength\":48"),
              "\"extensions\":{\"EXT_meshopt_compression\":{}},");
  EXPECT_THAT(Error(json), HasSubstr("meshopt"));
  EXPECT_THAT(Error(Glb(GltfJson("\"nodes\":[{\"mesh\":0,\"extensions\":{"
                                 "\"EXT_mesh_gpu_instancing\":{}}}]," +
                                 Meshes()))),
              HasSubstr("EXT_mesh_gpu_instancing"));
}

TEST_F(ReadGltfTest, NumbersThatLieCostNothing) {
  const auto with = [](const std::string& old, const std::string& now) {
    std::string json = GltfJson("\"nodes\":[{\"mesh\":0}]," + Meshes());
    const size_t at = json.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    json.replace(at, old.size(), now);
    return Error(Glb(json));
  };
  EXPECT_THAT(with("\"count\":4", "\"count\":1e9"),
              HasSubstr("accessor 0: cl"));
  EXPECT_THAT(with("\"count\":4", "\"count\":-4"), HasSubstr("accessor 0: is"));
  EXPECT_THAT(with("\"count\":4", "\"count\":2"), HasSubstr("names point 3"));
  EXPECT_THAT(with("\"byteLength\":56", "\"byteLength\":57"),
              HasSubstr("buffer 0: claims 57 bytes, and there are 56"));
  EXPECT_THAT(with("\"byteOffset\":48", "\"byteOffset\":9007199254740991"),
              HasSubstr("bufferView 1: reaches beyond"));
  EXPECT_THAT(with("\"indices\":1", "\"indices\":7"),
              HasSubstr("accessor 7: is named, and there are 2"));
  EXPECT_THAT(with("\"mesh\":0", "\"mesh\":1"), HasSubstr("mesh 1: is named"));
  EXPECT_THAT(with("\"mesh\":0", "\"children\":[0]"),
              HasSubstr("no node of its scene"));
  EXPECT_THAT(with("5123", "5126"), HasSubstr("accessor 1"));
}

TEST_F(ReadGltfTest, NodesThatAreTheirOwnParents) {
  EXPECT_THAT(Error(Glb(GltfJson("\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{"
                                 "\"children\":[1]},{\"children\":[0]}]," +
                                 Meshes()))),
              HasSubstr("node 0: has two parents, or is above itself"));
}

TEST_F(ReadGltfTest, ContainersThatLie) {
  const std::string good = Glb(GltfJson(Meshes()));
  EXPECT_EQ(Read(good).triangle_count(), 1u);
  for (size_t n = 0; n < good.size(); ++n) {
    // A copy of exactly this size, so that a sanitizer sees its end.
    const std::vector<char> cut(good.begin(),
                                good.begin() + static_cast<ptrdiff_t>(n));
    if (n > 3) Error({cut.data(), cut.size()});
  }
  std::string other = good;
  other[4] = 1;
  EXPECT_THAT(Error(other), HasSubstr("GLB of version 1"));
  EXPECT_THAT(Error("{\"asset\":{\"version\":\"1.0\"}}"),
              HasSubstr("glTF of version '1.0'"));
  EXPECT_THAT(Error("{\"asset\" 3}"), HasSubstr("byte 9: is no JSON"));
  EXPECT_THAT(Error(std::string(300, '[')), HasSubstr("nested more than 200"));
}

TEST_F(ReadGltfTest, AccessorsUsedOverAndOverAreRefused) {
  std::string primitives;
  for (int i = 0; i < 3000; ++i) {
    primitives += "{\"attributes\":{\"POSITION\":0},\"mode\":5},";
  }
  primitives.pop_back();
  // A thousand corners of one byte each in each of three thousand strips.
  const std::string json =
      "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[" +
      primitives +
      "]}],\"buffers\":[{\"byteLength\":3000}],\"bufferViews\":[{\"buffer\":0,"
      "\"byteLength\":3000}],\"accessors\":[{\"bufferView\":0,"
      "\"componentType\":5121,\"type\":\"VEC3\",\"count\":1000}]}";
  EXPECT_THAT(Error(Glb(json, std::string(3000, 'x'))),
              HasSubstr("used over and over"));
}

// A tetrahedron: the left hand is the right hand, mirrored.
std::string Hands() {
  meshes::ByteWriter out(std::endian::little);
  for (const float x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) out.Number(x);
  for (const uint16_t i : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) out.Number(i);
  std::string json = GltfJson(
      R"("nodes":[{"mesh":0,"name":"right"},{"mesh":0,"name":"left",)"
      R"("scale":[-1,1,1]},{"mesh":0,"name":"both","scale":[-1,-1,1]}],)" +
          Meshes(),
      "\"byteLength\":72");
  const auto replace = [&json](std::string_view from, std::string_view to) {
    json.replace(json.find(from), from.size(), to);
  };
  replace("\"byteLength\":6}", "\"byteLength\":24}");
  replace("\"count\":3", "\"count\":12");
  return Glb(json, out.bytes());
}

// Six times the volume, where the body stands.
double Volume6(const NamedBody& body) {
  double volume = 0;
  for (size_t i = 0; i < body.mesh.triangle_count(); ++i) {
    const Triangle t = body.mesh.triangle(i);
    volume += Dot(body.pose.Apply(t.a),
                  Cross(body.pose.Apply(t.b), body.pose.Apply(t.c)));
  }
  return volume;
}

TEST_F(ReadGltfTest, MirroredNodesKeepTheirOutside) {
  const std::vector<NamedBody> bodies = Bodies(Hands());
  ASSERT_EQ(bodies.size(), 3u);
  for (const NamedBody& body : bodies) EXPECT_EQ(Volume6(body), 1) << body.name;
  EXPECT_EQ(bodies[0].mesh.vertices().data(), bodies[2].mesh.vertices().data());
  EXPECT_EQ(bodies[0].pose.Apply(Vec3{1, 0, 0}), (Vec3{1, 0, 0}));
  EXPECT_EQ(bodies[1].pose.Apply(Vec3{1, 0, 0}), (Vec3{-1, 0, 0}));
  // Written and read again.
  const std::vector<NamedBody> again = Bodies(*EncodeBodies(bodies));
  ASSERT_EQ(again.size(), 3u);
  for (const NamedBody& body : again) EXPECT_EQ(Volume6(body), 1) << body.name;
}

TEST_F(ReadGltfTest, ChunksWithoutPaddingHaveANote) {
  std::string json = GltfJson(Meshes());
  while (json.size() % 4 != 1) json += ' ';
  std::string bytes = Glb(json);
  // Three blanks of padding, and the lengths.
  bytes.erase(20 + json.size(), 3);
  bytes[12] = static_cast<char>(json.size() & 255);
  bytes[13] = static_cast<char>(json.size() >> 8);
  bytes[8] = static_cast<char>(bytes.size() & 255);
  bytes[9] = static_cast<char>(bytes.size() >> 8);
  std::vector<ReadNote> notes;
  const auto mesh =
      ReadMesh(bytes, MeshFormat::kGltf, "f.glb", {.notes = &notes});
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_THAT(TrianglesOf(*mesh), ElementsAre(T(0, 1, 2)));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(TextOf(notes[0]),
            "chunks of GLB that are not padded: 1, at byte 20");
}

TEST_F(ReadGltfTest, PointsAndLinesNextToTrianglesHaveANote) {
  std::vector<ReadNote> notes;
  const std::string json = GltfJson(
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":3},)"
      R"({"attributes":{"POSITION":0},"indices":1}]},{"primitives":[)"
      R"({"attributes":{"POSITION":0},"mode":1}]}])");
  ASSERT_TRUE(
      ReadMesh(Glb(json), MeshFormat::kGltf, "f", {.notes = &notes}).ok());
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(TextOf(notes[0]),
            "points and lines next to triangles, skipped: 1, at mesh 0");
  EXPECT_EQ(TextOf(notes[1]), "elements without triangles, left out: 1");
}

// Replaces the second point, and one index; or all but one point is zero.
TEST_F(ReadGltfTest, SparseAccessors) {
  meshes::ByteWriter out(std::endian::little);
  out.Text(Binary());
  out.Number(uint16_t{2}).Number(uint16_t{0});
  for (const float x : {5, 6, 7}) out.Number(x);
  out.Number(uint16_t{1}).Number(uint16_t{0});
  const auto json = [](const std::string& base, const std::string& count) {
    return "{\"asset\":{\"version\":\"2.0\"}," + Meshes() +
           R"(,"buffers":[{"byteLength":76}],"bufferViews":[)"
           R"({"buffer":0,"byteLength":48},)"
           R"({"buffer":0,"byteOffset":48,"byteLength":6},)"
           R"({"buffer":0,"byteOffset":56,"byteLength":2},)"
           R"({"buffer":0,"byteOffset":60,"byteLength":12},)"
           R"({"buffer":0,"byteOffset":72,"byteLength":2}],"accessors":[{)" +
           base + R"("componentType":5126,"type":"VEC3","count":)" + count +
           R"(,"sparse":{"count":1,"indices":{"bufferView":2,)"
           R"("componentType":5123},"values":{"bufferView":3}}},)"
           R"({"bufferView":1,"componentType":5123,"type":"SCALAR","count":3,)"
           R"("sparse":{"count":1,"indices":{"bufferView":2,)"
           R"("componentType":5123},"values":{"bufferView":4}}}]})";
  };
  Mesh mesh = Read(Glb(json("\"bufferView\":0,", "4"), out.bytes()));
  EXPECT_EQ(mesh.triangle(0), (Triangle{{0, 0, 0}, {5, 6, 7}, {1, 0, 0}}));
  mesh = Read(Glb(json("", "4"), out.bytes()));
  EXPECT_EQ(mesh.triangle(0), (Triangle{{0, 0, 0}, {5, 6, 7}, {0, 0, 0}}));
  EXPECT_THAT(Error(Glb(json("", "4000000000000"), out.bytes())),
              HasSubstr("without bytes"));
  std::string beyond = out.bytes();
  beyond[56] = 4;
  EXPECT_THAT(Error(Glb(json("", "4"), beyond)), HasSubstr("sparse indices"));
}

}  // namespace
}  // namespace orbox
