// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/mesh_components.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using ::testing::ElementsAre;

// Components by the definition: adds triangles that share a position with a
// triangle of the component, until there are no more.
std::vector<uint32_t> FirstTriangles(const Mesh& mesh) {
  const auto touch = [](const Triangle& s, const Triangle& t) {
    for (size_t i = 0; i < 3; ++i) {
      for (size_t j = 0; j < 3; ++j) {
        if (s[i] == t[j]) return true;
      }
    }
    return false;
  };
  std::vector<uint32_t> firsts;
  std::vector<bool> done(mesh.triangle_count(), false);
  for (uint32_t first = 0; first < mesh.triangle_count(); ++first) {
    if (done[first]) continue;
    firsts.push_back(first);
    std::vector<uint32_t> component = {first};
    done[first] = true;
    for (size_t next = 0; next < component.size(); ++next) {
      for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
        if (done[i] ||
            !touch(mesh.triangle(component[next]), mesh.triangle(i))) {
          continue;
        }
        done[i] = true;
        component.push_back(i);
      }
    }
  }
  return firsts;
}

TEST(MeshComponentsTest, AgreesWithTheDefinitionOnEveryMesh) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const MeshComponents components = MeshComponents::Of(m.mesh);
    EXPECT_THAT(components.first_triangles(),
                testing::ElementsAreArray(FirstTriangles(m.mesh)));
    EXPECT_EQ(components.is_closed(), IsClosed(m.mesh));
  }
}

TEST(MeshComponentsTest, PartsBeginWithTheirLowestTriangle) {
  const Mesh cube = meshes::Cube();
  const Mesh two = meshes::Joined(cube, meshes::Cube({5, 0, 0}));
  EXPECT_THAT(MeshComponents::Of(two).first_triangles(), ElementsAre(0, 12));
  // A common corner joins them, even with different indices.
  const Mesh touching = meshes::Joined(cube, meshes::Cube({1, 1, 1}));
  EXPECT_THAT(MeshComponents::Of(touching).first_triangles(), ElementsAre(0));
  EXPECT_TRUE(MeshComponents::Of(touching).is_closed());
  EXPECT_FALSE(MeshComponents::Of(meshes::Grid(3)).is_closed());
}

TEST(SplitIntoComponentsTest, EachTriangleIsInThePartOfItsFirst) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const std::vector<Mesh> components = SplitIntoComponents(m.mesh);
    const std::vector<uint32_t> firsts = FirstTriangles(m.mesh);
    ASSERT_EQ(components.size(), firsts.size());
    // In the order of the mesh, each triangle is the next one of its component,
    // and components begin at their first triangles.
    std::vector<uint32_t> next(components.size(), 0);
    size_t begun = 0;
    for (uint32_t i = 0; i < m.mesh.triangle_count(); ++i) {
      const bool begins = begun < firsts.size() && firsts[begun] == i;
      if (begins) ++begun;
      size_t found = 0;
      for (size_t k = 0; k < begun && found == 0; ++k) {
        if (next[k] < components[k].triangle_count() &&
            components[k].triangle(next[k]) == m.mesh.triangle(i) &&
            (!begins || k + 1 == begun)) {
          ++next[k];
          ++found;
        }
      }
      ASSERT_EQ(found, 1U) << i;
    }
    size_t vertices = 0;
    for (const Mesh& component : components) {
      EXPECT_EQ(MeshComponents::Of(component).first_triangles().size(), 1U);
      vertices += component.vertex_count();
    }
    EXPECT_LE(vertices, m.mesh.vertex_count());
  }
}

TEST(SplitIntoComponentsTest, AWholeMeshKeepsItsMemory) {
  const Mesh cube = meshes::Cube();
  const std::vector<Mesh> one = SplitIntoComponents(cube);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].vertices().data(), cube.vertices().data());
}

TEST(FactsOfSurfaceTest, OfSolids) {
  const SurfaceFacts cube = FactsOfSurface(meshes::Cube({1e6, 0, 0}, 2));
  EXPECT_EQ(cube.components, 1U);
  EXPECT_EQ(cube.boundary_edges, 0U);
  EXPECT_EQ(cube.boundary_loops, 0U);
  EXPECT_EQ(cube.non_manifold_edges, 0U);
  EXPECT_DOUBLE_EQ(cube.area, 24);
  EXPECT_DOUBLE_EQ(cube.volume, 8);
  // Mirrored, it faces inward.
  EXPECT_DOUBLE_EQ(FactsOfSurface(meshes::Scaled(meshes::Cube(), -1)).volume,
                   -1);
  // Two faces turned: the mesh is closed, but its inside is not defined.
  const Mesh whole = meshes::Cube({}, 2);
  std::vector<TriangleIndices> turned(whole.triangles().begin(),
                                      whole.triangles().end());
  for (const size_t i : {0, 1}) std::swap(turned[i][0], turned[i][1]);
  const SurfaceFacts none = FactsOfSurface(
      meshes::Make({whole.vertices().begin(), whole.vertices().end()}, turned));
  EXPECT_EQ(none.boundary_edges, 0U);
  EXPECT_FALSE(none.do_faces_agree);
  EXPECT_EQ(none.volume, 0);
  EXPECT_TRUE(cube.do_faces_agree);
  // Two that share an edge, which has four triangles.
  const SurfaceFacts two =
      FactsOfSurface(meshes::Joined(meshes::Cube(), meshes::Cube({1, 1, 0})));
  EXPECT_EQ(two.components, 1U);
  EXPECT_EQ(two.non_manifold_edges, 1U);
  EXPECT_DOUBLE_EQ(two.volume, 2);
}

TEST(FactsOfSurfaceTest, OfOpenSurfaces) {
  // A cube without two triangles of opposite faces, and a sheet.
  const Mesh cube = meshes::Cube();
  std::vector<TriangleIndices> triangles(cube.triangles().begin(),
                                         cube.triangles().end());
  const auto vertices = [&cube] {
    return std::vector<Vec3>(cube.vertices().begin(), cube.vertices().end());
  };
  triangles.pop_back();
  const SurfaceFacts one = FactsOfSurface(*Mesh::Create(vertices(), triangles));
  EXPECT_EQ(one.boundary_edges, 3U);
  EXPECT_EQ(one.boundary_loops, 1U);
  EXPECT_EQ(one.volume, 0);
  EXPECT_DOUBLE_EQ(one.area, 5.5);
  const SurfaceFacts sheets = FactsOfSurface(meshes::Joined(
      meshes::Grid(3),
      meshes::Moved(meshes::Grid(2), Pose::Translation({0, 0, 5}))));
  EXPECT_EQ(sheets.components, 2U);
  EXPECT_EQ(sheets.boundary_loops, 2U);
  EXPECT_EQ(sheets.boundary_edges, 12U + 8U);
}

}  // namespace
}  // namespace orbox
