// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/creases.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox::picture {
namespace {

struct Drawn {
  std::vector<std::array<Vec3f, 3>> normals;
  std::vector<Segment> creases;
};

Drawn DrawnOf(const Mesh& mesh) {
  Drawn drawn;
  AddSmoothNormals(mesh.vertices(), mesh.triangles(), drawn.normals,
                   drawn.creases);
  EXPECT_EQ(drawn.normals.size(), mesh.triangle_count());
  return drawn;
}

// Each triangle with corners of its own, as STL has them.
Mesh Exploded(const Mesh& mesh) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (size_t id = 0; id < mesh.triangle_count(); ++id) {
    const auto first = static_cast<uint32_t>(vertices.size());
    const Triangle t = mesh.triangle(id);
    vertices.insert(vertices.end(), {t.a, t.b, t.c});
    triangles.push_back({first, first + 1, first + 2});
  }
  return *Mesh::Create(vertices, triangles);
}

TEST(CreasesTest, ACubeHasTwelveEdgesAndFlatFaces) {
  for (const Mesh& mesh : {meshes::Cube(), Exploded(meshes::Cube())}) {
    const Drawn drawn = DrawnOf(mesh);
    EXPECT_EQ(drawn.creases.size(), 12U);
    for (const Segment& s : drawn.creases) EXPECT_EQ(Norm(s.a - s.b), 1);
    for (size_t id = 0; id < mesh.triangle_count(); ++id) {
      const Triangle t = mesh.triangle(id);
      const Vec3 flat = Cross(t.b - t.a, t.c - t.a);
      for (const Vec3f& n : drawn.normals[id]) {
        EXPECT_EQ((Vec3{n.x, n.y, n.z}), flat);
      }
    }
  }
}

TEST(CreasesTest, ASphereIsSmooth) {
  const Mesh sphere = meshes::Icosphere(3);
  const Drawn drawn = DrawnOf(Exploded(sphere));
  EXPECT_TRUE(drawn.creases.empty());
  for (size_t id = 0; id < sphere.triangle_count(); ++id) {
    for (size_t i = 0; i < 3; ++i) {
      const Vec3f& n = drawn.normals[id][i];
      const Vec3 radial = Normalized(sphere.triangle(id)[i]);
      EXPECT_GT(Dot(Vec3{n.x, n.y, n.z}, radial), 0.999);
    }
  }
}

TEST(CreasesTest, BoundariesAreDrawnAndOrientationDoesNotMatter) {
  const Mesh grid = meshes::Grid(5);
  EXPECT_EQ(DrawnOf(grid).creases.size(), 20U);
  std::vector<TriangleIndices> triangles(grid.triangles().begin(),
                                         grid.triangles().end());
  for (size_t i = 0; i < triangles.size(); i += 2) {
    std::swap(triangles[i][0], triangles[i][1]);
  }
  const Mesh mixed = *Mesh::Create(
      {grid.vertices().begin(), grid.vertices().end()}, triangles);
  EXPECT_EQ(DrawnOf(mixed).creases.size(), 20U);
}

TEST(CreasesTest, DegenerateTrianglesHaveNoNormals) {
  const Mesh mesh = meshes::DegenerateMix(60);
  const Drawn drawn = DrawnOf(mesh);
  for (const auto& normals : drawn.normals) {
    for (const Vec3f& n : normals) {
      const float length = Norm(n);
      EXPECT_TRUE(length == 0 || std::abs(length - 1) < 1e-6F) << length;
    }
  }
}

}  // namespace
}  // namespace orbox::picture
