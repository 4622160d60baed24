// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/mesh_records.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/internal/little_endian.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"

namespace orbox::mesh_internal {
namespace {

class MeshRecordsTest : public ::testing::Test {
 protected:
  std::string Write(const Mesh& mesh, const std::string& name) const {
    EXPECT_TRUE(WriteMeshFile(mesh, folder_.Path(name)).ok());
    return folder_.Path(name);
  }
  std::optional<MeshRecords> Open(const std::string& path) const {
    absl::StatusOr<std::optional<MeshRecords>> file = MeshRecords::Open(path);
    EXPECT_TRUE(file.ok()) << file.status();
    return *std::move(file);
  }
  // A binary PLY file of a square and two more faces, of floats; `after` comes
  // behind the header's faces, `tail` behind everything.
  std::string Square(const std::vector<std::vector<int>>& faces,
                     std::string_view after = {},
                     std::string_view tail = {}) const {
    meshes::ByteWriter bytes(std::endian::little);
    bytes
        .Text(
            "ply\nformat binary_little_endian 1.0\nelement vertex 4\n"
            "property float x\nproperty float y\nproperty float z\n"
            "property uchar red\nelement face ")
        .Text(std::to_string(faces.size()))
        .Text("\nproperty list uchar int vertex_indices\n")
        .Text(after)
        .Text("end_header\n");
    for (int i = 0; i < 4; ++i) {
      for (const float x : {i & 1 ? 1.0F : 0.0F, i & 2 ? 1.0F : 0.0F, 0.5F}) {
        bytes.Number(x);
      }
      bytes.Number(uint8_t{7});
    }
    for (const std::vector<int>& face : faces) {
      bytes.Number(static_cast<uint8_t>(face.size()));
      for (const int v : face) bytes.Number(v);
    }
    bytes.Text(tail);
    return folder_.Write("square.ply", bytes.bytes());
  }

  const ScratchDirectory folder_;
};

TEST_F(MeshRecordsTest, AnyRunOfPlyIsThatOfTheMesh) {
  const Mesh mesh = meshes::Torus(12, 5);
  const std::optional<MeshRecords> file = Open(Write(mesh, "torus.ply"));
  ASSERT_TRUE(file.has_value());
  EXPECT_TRUE(file->has_vertices());
  EXPECT_EQ(file->vertex_count(), mesh.vertices().size());
  EXPECT_EQ(file->face_count(), mesh.triangle_count());
  EXPECT_EQ(file->most_triangles(), 1u);
  for (const size_t begin : {size_t{0}, size_t{7}, mesh.vertices().size()}) {
    std::vector<Vec3> vertices;
    EXPECT_EQ(*file->ReadVertices(begin, mesh.vertices().size(), &vertices),
              true);
    EXPECT_TRUE(std::equal(vertices.begin(), vertices.end(),
                           mesh.vertices().begin() + begin,
                           mesh.vertices().end()));
    std::vector<TriangleIndices> faces;
    EXPECT_EQ(*file->ReadFaces(begin, mesh.triangle_count(), &faces), true);
    EXPECT_TRUE(std::equal(faces.begin(), faces.end(),
                           mesh.triangles().begin() + begin,
                           mesh.triangles().end()));
  }
}

TEST_F(MeshRecordsTest, AnyRunOfStlIsThatOfTheMesh) {
  const std::string path = Write(meshes::Torus(12, 5), "torus.stl");
  const Mesh mesh = ReadMeshFile(path).value();
  const std::optional<MeshRecords> file = Open(path);
  ASSERT_TRUE(file.has_value());
  EXPECT_FALSE(file->has_vertices());
  EXPECT_EQ(file->face_count(), mesh.triangle_count());
  std::vector<Triangle> facets;
  EXPECT_EQ(*file->ReadFacets(3, 50, &facets), true);
  ASSERT_EQ(facets.size(), 47u);
  for (size_t i = 0; i < 47; ++i) EXPECT_EQ(facets[i], mesh.triangle(3 + i));
}

// They may be concave, and are cut where their vertices are.
TEST_F(MeshRecordsTest, FacesOfFourCornersHaveNone) {
  EXPECT_FALSE(Open(Square({{0, 1, 3, 2}, {0, 2, 3, 1}})).has_value());
}

TEST_F(MeshRecordsTest, OtherFilesHaveNone) {
  const Mesh mesh = meshes::Icosphere(1);
  EXPECT_FALSE(Open(Write(mesh, "a.obj")).has_value());
  EXPECT_FALSE(Open(Write(mesh, "a.off")).has_value());
  EXPECT_FALSE(Open("-").has_value());
  EXPECT_FALSE(Open(folder_.Write("empty.ply", "")).has_value());
  // Faces of several lengths, a file that is cut or too long, other lists.
  EXPECT_FALSE(Open(Square({{0, 1, 2}, {0, 1, 3, 2}})).has_value());
  EXPECT_FALSE(Open(Square({{0, 1, 3, 2}, {0, 1, 2}})).has_value());
  EXPECT_FALSE(Open(Square({{0, 1, 2}}, {}, "x")).has_value());
  EXPECT_FALSE(Open(Square({})).has_value());
  EXPECT_FALSE(
      Open(Square({{0, 1, 2}}, "element more 1\nproperty list uchar int of\n",
                  std::string_view("\0", 1)))
          .has_value());
  EXPECT_FALSE(Open(Square({{0, 1, 4}})).has_value());
  const std::string stl = ScratchDirectory::Read(Write(mesh, "a.stl"));
  const std::string cut = folder_.Write("cut.stl", stl.substr(0, 300));
  EXPECT_FALSE(Open(cut).has_value());
  EXPECT_EQ(MeshRecords::Open(folder_.Path("none.ply")).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(MeshRecords::Open(folder_.Write("bad.ply", "ply\nformat what\n"))
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

// Elements without lists may follow the faces.
TEST_F(MeshRecordsTest, OtherElementsAreNoHindrance) {
  const std::optional<MeshRecords> file =
      Open(Square({{0, 1, 2}}, "element edge 2\nproperty int a\n", "12345678"));
  ASSERT_TRUE(file.has_value());
  std::vector<TriangleIndices> faces;
  EXPECT_EQ(*file->ReadFaces(0, 1, &faces), true);
  EXPECT_EQ(faces, (std::vector<TriangleIndices>{{0, 1, 2}}));
}

// The lengths add up, and yet: a face of two corners and one of four.
TEST_F(MeshRecordsTest, AFaceOfAnotherLengthIsNotRegular) {
  const std::optional<MeshRecords> file =
      Open(Square({{0, 1, 2}, {0, 1, 3}, {0, 1}, {0, 1, 3, 2}}));
  ASSERT_TRUE(file.has_value());
  std::vector<TriangleIndices> faces;
  EXPECT_EQ(*file->ReadFaces(0, 2, &faces), true);
  EXPECT_EQ(*file->ReadFaces(0, 4, &faces), false);
  EXPECT_EQ(*file->ReadFaces(1, 3, &faces), false);
}

TEST_F(MeshRecordsTest, BadContentsAreNotRegular) {
  std::vector<TriangleIndices> faces;
  EXPECT_EQ(*Open(Square({{0, 1, 2}, {0, 1, 4}}))->ReadFaces(0, 2, &faces),
            false);
  // Infinity in the last vertex.
  std::string bytes = ScratchDirectory::Read(Square({{0, 1, 2}}));
  std::string infinity;
  AppendLittleFloat(std::numeric_limits<float>::infinity(), infinity);
  bytes.replace(bytes.size() - 13 - 13, 4, infinity);
  const std::optional<MeshRecords> ply = Open(folder_.Write("i.ply", bytes));
  std::vector<Vec3> vertices;
  EXPECT_EQ(*ply->ReadVertices(0, 3, &vertices), true);
  EXPECT_EQ(*ply->ReadVertices(3, 4, &vertices), false);
  bytes = ScratchDirectory::Read(Write(meshes::Icosphere(1), "a.stl"));
  bytes.replace(kStlHeaderBytes + 5 * kStlFacetBytes + 12, 4, infinity);
  const std::optional<MeshRecords> stl = Open(folder_.Write("i.stl", bytes));
  std::vector<Triangle> facets;
  EXPECT_EQ(*stl->ReadFacets(0, 5, &facets), true);
  EXPECT_EQ(*stl->ReadFacets(0, 6, &facets), false);
}

TEST_F(MeshRecordsTest, AFileThatBecomesShorterIsAnError) {
  const std::string path = Write(meshes::Torus(12, 5), "torus.stl");
  const std::optional<MeshRecords> file = Open(path);
  std::filesystem::resize_file(path, 300);
  std::vector<Triangle> facets;
  EXPECT_EQ(file->ReadFacets(0, 50, &facets).status().code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace orbox::mesh_internal
