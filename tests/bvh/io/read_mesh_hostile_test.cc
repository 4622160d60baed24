// SPDX-License-Identifier: Apache-2.0

// A reader returns a mesh or an error for any bytes: small files of every
// format, cut at every byte and with every bit flipped.
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/meshes.h"
#include "tests/support/package_3mf.h"

namespace orbox {
namespace {

struct Sample {
  std::string name;
  MeshFormat format;
  std::string bytes;
};

std::string BigEndianStrips() {
  meshes::ByteWriter out(std::endian::big);
  out.Text(
      "ply\nformat binary_big_endian 1.0\ncomment c\nobj_info i\n"
      "element other 2\nproperty list uchar double l\n"
      "element vertex 4\nproperty double x\nproperty float y\n"
      "property short z\nproperty list uchar char tags\n"
      "element tristrips 1\nproperty list uint int vertex_indices\n"
      "end_header\n");
  out.Number(uint8_t{1}).Number(1.0).Number(uint8_t{0});
  for (int i = 0; i < 4; ++i) {
    out.Number(i * 1.0).Number(i * i * 1.0f).Number(int16_t{7});
    out.Number(uint8_t{1}).Number(int8_t{-1});
  }
  out.Number(uint32_t{8});
  for (const int32_t v : {0, 1, 2, 3, -1, 3, 2, 1}) out.Number(v);
  return out.bytes();
}

std::vector<Sample> Samples() {
  const Mesh mesh = meshes::Tetrahedron({0.1, 0.2, 0.3}, 1.5);
  std::vector<Sample> samples = {
      {"obj", MeshFormat::kObj,
       "# c\nmtllib m\nv 0 0 0 1\nv 1 0 0 .1 .2 .3\nv 0 1e0 -0\\\n 1\n"
       "vt 0 0\nvn 0 0 1\nf 1/1/1 2//1 \\\n 3/1\nf -1 -2 -3\nl 1 2\n"},
      {"off", MeshFormat::kOff,
       "STCNOFF # c\n4 2 0\n0 0 0 1 1\n1 0 0 2\n0 1 0\n0 0 1e0 # d\n"
       "4 0 1 2 3 255 0 0\n3 2 1 0\n"},
      {"ascii_stl", MeshFormat::kStl,
       "solid a\nfacet normal 0 0 nan\nouter loop\nvertex 0 0 0\n"
       "vertex 1 0 0\nvertex 0 1e0 0\nendloop\nendfacet\nendsolid a\n"},
      {"ascii_ply", MeshFormat::kPly,
       "ply\nformat ascii 1.0\ncomment c\nobj_info i\nelement e 1\n"
       "property list char float l\nelement vertex 3\nproperty float x\n"
       "property double y\nproperty int z\nproperty uchar red\n"
       "element face 1\nproperty list uchar int vertex_index\n"
       "element tristrips 1\nproperty list int int vertex_indices\n"
       "end_header\n2 1 2\n0 0 0 9\n1 0 0 9\n0 1 0 9\n3 0 1 2\n4 0 1 2 -1\n"},
      {"big_endian_ply", MeshFormat::kPly, BigEndianStrips()}};
  for (const MeshFormat format :
       {MeshFormat::kObj, MeshFormat::kPly, MeshFormat::kStl, MeshFormat::kOff,
        MeshFormat::kGltf}) {
    samples.push_back({"written_" + std::to_string(samples.size()), format,
                       *EncodeMesh(mesh, format)});
  }
  if (meshes::Reads3mf()) {
    samples.push_back(
        {"package", MeshFormat::k3mf,
         meshes::Package3mf(meshes::Model3mfText(meshes::Object3mfText(1),
                                                 "<item objectid=\"1\"/>"))});
  }
  return samples;
}

// A mesh that passes is one that Create would accept again, of a size that the
// bytes can account for; an error is one line.
void ExpectMeshOrError(std::string_view bytes, MeshFormat format) {
  const absl::StatusOr<Mesh> mesh = ReadMesh(bytes, format, "hostile");
  if (mesh.ok()) {
    ASSERT_GE(mesh->triangle_count(), 1u);
    if (format != MeshFormat::kGltf && format != MeshFormat::k3mf) {
      ASSERT_LE(mesh->triangle_count() + mesh->vertex_count(), bytes.size());
    }
    ASSERT_TRUE(
        Mesh::Create(meshes::VerticesOf(*mesh), meshes::TrianglesOf(*mesh))
            .ok());
  } else {
    ASSERT_EQ(mesh.status().code(), absl::StatusCode::kInvalidArgument)
        << mesh.status();
    const std::string message(mesh.status().message());
    ASSERT_EQ(message.rfind("hostile: ", 0), 0u) << message;
    ASSERT_EQ(message.find_first_of("\n\r"), std::string::npos) << message;
  }
}

TEST(ReadMeshHostileTest, TheSamplesAreGood) {
  for (const Sample& sample : Samples()) {
    const absl::StatusOr<Mesh> mesh =
        ReadMesh(sample.bytes, sample.format, sample.name);
    EXPECT_TRUE(mesh.ok()) << mesh.status();
  }
}

TEST(ReadMeshHostileTest, CutAtEveryByte) {
  for (const Sample& sample : Samples()) {
    for (size_t n = 0; n < sample.bytes.size(); ++n) {
      SCOPED_TRACE(sample.name + " cut at " + std::to_string(n));
      // A copy of exactly this size, so that a sanitizer sees its end.
      const std::vector<char> cut(
          sample.bytes.begin(),
          sample.bytes.begin() + static_cast<ptrdiff_t>(n));
      ExpectMeshOrError({cut.data(), cut.size()}, sample.format);
    }
  }
}

TEST(ReadMeshHostileTest, EveryBitFlipped) {
  for (const Sample& sample : Samples()) {
    std::string bytes = sample.bytes;
    for (size_t i = 0; i < 8 * bytes.size(); ++i) {
      SCOPED_TRACE(sample.name + " bit " + std::to_string(i));
      const char flip = static_cast<char>(1 << (i % 8));
      bytes[i / 8] = static_cast<char>(bytes[i / 8] ^ flip);
      ExpectMeshOrError(bytes, sample.format);
      bytes[i / 8] = static_cast<char>(bytes[i / 8] ^ flip);
    }
  }
}

TEST(ReadMeshHostileTest, EveryByteReplacedByTelling) {
  for (const Sample& sample : Samples()) {
    std::string bytes = sample.bytes;
    for (size_t i = 0; i < bytes.size(); ++i) {
      SCOPED_TRACE(sample.name + " byte " + std::to_string(i));
      const char old = bytes[i];
      for (const char c : {'\0', '\xff', '\x7f', '\n', '\r', ' ', '-', '9', 'e',
                           '#', '\\', '/', '.'}) {
        bytes[i] = c;
        ExpectMeshOrError(bytes, sample.format);
      }
      bytes[i] = old;
    }
  }
}

TEST(ReadMeshHostileTest, EveryFormatReadAsEveryOther) {
  for (const Sample& sample : Samples()) {
    for (const MeshFormat format :
         {MeshFormat::kObj, MeshFormat::kPly, MeshFormat::kStl,
          MeshFormat::kOff, MeshFormat::kGltf, MeshFormat::k3mf}) {
      SCOPED_TRACE(sample.name);
      ExpectMeshOrError(sample.bytes, format);
    }
  }
}

TEST(ReadMeshHostileTest, RandomBytesBehindAGoodStart) {
  meshes::Random random(11);
  for (const Sample& sample : Samples()) {
    for (int round = 0; round < 200; ++round) {
      SCOPED_TRACE(sample.name + " round " + std::to_string(round));
      std::string bytes =
          sample.bytes.substr(0, random.Below(sample.bytes.size()));
      const size_t more = random.Below(200);
      for (size_t i = 0; i < more; ++i) {
        bytes += static_cast<char>(random.Bits());
      }
      ExpectMeshOrError(bytes, sample.format);
    }
  }
}

}  // namespace
}  // namespace orbox
