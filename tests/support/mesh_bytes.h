// SPDX-License-Identifier: Apache-2.0

// Reading meshes from bytes in tests, good and bad ones.
#ifndef ORBOX_TESTS_SUPPORT_MESH_BYTES_H_
#define ORBOX_TESTS_SUPPORT_MESH_BYTES_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox::meshes {

// Fails the test, and returns one triangle, where the bytes cannot be read.
inline Mesh ReadGood(std::string_view bytes, MeshFormat format) {
  const absl::StatusOr<Mesh> mesh = ReadMesh(bytes, format, "good");
  EXPECT_TRUE(mesh.ok()) << mesh.status();
  if (mesh.ok()) return *mesh;
  return *Mesh::Create({{}}, {{0, 0, 0}});
}

// The message for bytes that are expected to be refused: kInvalidArgument, in
// one printable line that begins with the name.
inline std::string ErrorFor(std::string_view bytes, MeshFormat format) {
  const absl::StatusOr<Mesh> mesh = ReadMesh(bytes, format, "bad");
  EXPECT_EQ(mesh.status().code(), absl::StatusCode::kInvalidArgument);
  const std::string message(mesh.status().message());
  EXPECT_THAT(message, testing::StartsWith("bad: "));
  EXPECT_TRUE(std::all_of(message.begin(), message.end(), [](char c) {
    return c >= ' ' && c <= '~';
  })) << message;
  return message;
}

inline std::vector<TriangleIndices> TrianglesOf(const Mesh& mesh) {
  return {mesh.triangles().begin(), mesh.triangles().end()};
}

inline std::vector<Vec3> VerticesOf(const Mesh& mesh) {
  return {mesh.vertices().begin(), mesh.vertices().end()};
}

// A fixture for the reader of a format.
template <MeshFormat kFormat>
class ReaderTest : public testing::Test {
 protected:
  static Mesh Read(std::string_view bytes) { return ReadGood(bytes, kFormat); }
  static std::string Error(std::string_view bytes) {
    return ErrorFor(bytes, kFormat);
  }
  static std::vector<TriangleIndices> TrianglesOf(const Mesh& mesh) {
    return meshes::TrianglesOf(mesh);
  }
  static std::vector<Vec3> VerticesOf(const Mesh& mesh) {
    return meshes::VerticesOf(mesh);
  }
  // Short, for lists of them.
  static TriangleIndices T(uint32_t a, uint32_t b, uint32_t c) {
    return {a, b, c};
  }
};

// Writes binary files byte by byte.
class ByteWriter {
 public:
  explicit ByteWriter(std::endian order) : order_(order) {}

  ByteWriter& Text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  template <typename T>
  ByteWriter& Number(T value) {
    char raw[sizeof(T)];
    std::copy_n(reinterpret_cast<const char*>(&value), sizeof(T), raw);
    if (order_ != std::endian::native) std::reverse(raw, raw + sizeof(T));
    bytes_.append(raw, sizeof(T));
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::endian order_;
  std::string bytes_;
};

}  // namespace orbox::meshes

#endif  // ORBOX_TESTS_SUPPORT_MESH_BYTES_H_
