// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/surface_edges.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/internal/weld.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

SurfaceEdges EdgesOf(const Mesh& mesh) {
  const auto welded = mesh_internal::Weld(mesh.vertices());
  return JoinEdges(mesh, welded.id, welded.first.size());
}

// By a map of all edges.
TEST(SurfaceEdgesTest, AreThoseOfAMapOfEdges) {
  using Side = std::pair<uint32_t, bool>;  // triangle, goes up
  for (const Mesh& mesh :
       {meshes::Torus(9, 5), meshes::Grid(4), meshes::Soup(40, 0.3),
        meshes::Joined(meshes::Cube(), meshes::Cube({1, 1, 0})),
        meshes::DegenerateMix(60)}) {
    const std::vector<uint32_t> id = mesh_internal::Weld(mesh.vertices()).id;
    std::map<std::pair<uint32_t, uint32_t>, std::vector<Side>> expected;
    const auto ends = [&](uint32_t t, size_t k) {
      return std::pair(id[mesh.triangles()[t][k]],
                       id[mesh.triangles()[t][(k + 1) % 3]]);
    };
    for (uint32_t t = 0; t < mesh.triangle_count(); ++t) {
      for (size_t k = 0; k < 3; ++k) {
        const auto [from, to] = ends(t, k);
        if (from == to) continue;
        expected[{std::min(from, to), std::max(from, to)}].push_back(
            {t, from < to});
      }
    }
    const SurfaceEdges edges = EdgesOf(mesh);
    uint64_t open = 0;
    uint64_t unequal = 0;
    uint32_t first = SurfaceEdges::kNobody;
    for (const auto& [ends_of_edge, sides] : expected) {
      const auto up = std::count_if(sides.begin(), sides.end(),
                                    [](const Side& s) { return s.second; });
      const bool is_equal = 2 * up == static_cast<ptrdiff_t>(sides.size());
      if (!is_equal) ++(sides.size() % 2 != 0 ? open : unequal);
      if (!is_equal) first = std::min(first, sides.front().first);
      if (is_equal && up == 1) continue;
      EXPECT_FALSE(edges.is_regular[ends_of_edge.first]);
      EXPECT_FALSE(edges.is_regular[ends_of_edge.second]);
    }
    EXPECT_EQ(edges.open, open);
    EXPECT_EQ(edges.unequal, unequal);
    EXPECT_EQ(edges.first, first);
    for (uint32_t t = 0; t < mesh.triangle_count(); ++t) {
      for (size_t k = 0; k < 3; ++k) {
        const auto [from, to] = ends(t, k);
        uint32_t across = SurfaceEdges::kNobody;
        if (from != to) {
          const auto& sides =
              expected[{std::min(from, to), std::max(from, to)}];
          if (sides.size() == 2 && sides[0].second != sides[1].second) {
            across = sides[0].first == t ? sides[1].first : sides[0].first;
          }
        }
        EXPECT_EQ(edges.across[t][k], across);
      }
    }
  }
}

TEST(SurfaceEdgesTest, ManyEdgesAtOneVertex) {
  std::vector<Vec3> vertices = {{0, 0, 1}};
  std::vector<TriangleIndices> triangles;
  constexpr uint32_t kCount = 20'000;
  for (uint32_t i = 0; i < kCount; ++i) {
    vertices.push_back({std::cos(i * 1e-3), std::sin(i * 1e-3), i * 1e-3});
    triangles.push_back({0, 1 + i, 1 + (i + 1) % kCount});
  }
  const SurfaceEdges edges =
      EdgesOf(meshes::Make(std::move(vertices), std::move(triangles)));
  EXPECT_EQ(edges.open, kCount);
  EXPECT_EQ(edges.first, 0);
  for (uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(edges.across[i][0], (i + kCount - 1) % kCount);
    EXPECT_EQ(edges.across[i][2], (i + 1) % kCount);
  }
}

TEST(SurfaceEdgesTest, PartsGoAroundWhatIsExcluded) {
  // Two cubes, and a ring of which a part is cut out by two cuts.
  const Mesh mesh =
      meshes::Joined(meshes::Joined(meshes::Cube(), meshes::Cube({5, 0, 0})),
                     meshes::Torus(6, 3));
  const SurfaceEdges edges = EdgesOf(mesh);
  std::vector<bool> excluded(mesh.triangle_count());
  std::vector<uint32_t> components = ComponentsOf(edges, excluded);
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    EXPECT_EQ(components[i], i < 12 ? 0u : (i < 24 ? 12u : 24u));
  }
  // All but one triangle of each cube.
  for (uint32_t i = 0; i < 24; ++i) excluded[i] = i % 12 != 7;
  components = ComponentsOf(edges, excluded);
  for (uint32_t i = 0; i < 24; ++i) EXPECT_EQ(components[i], i);
  EXPECT_EQ(components[30], 24);
}

}  // namespace
}  // namespace orbox
