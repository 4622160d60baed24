// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/mesh_parts.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using ::testing::ElementsAre;

// Parts by the definition: whatever shares a position with a triangle that is
// of the part, until nothing more does.
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
    std::vector<uint32_t> part = {first};
    done[first] = true;
    for (size_t next = 0; next < part.size(); ++next) {
      for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
        if (done[i] || !touch(mesh.triangle(part[next]), mesh.triangle(i))) {
          continue;
        }
        done[i] = true;
        part.push_back(i);
      }
    }
  }
  return firsts;
}

TEST(MeshPartsTest, AgreesWithTheDefinitionOnEveryMesh) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const MeshParts parts = MeshParts::Of(m.mesh);
    EXPECT_THAT(parts.first_triangles(),
                testing::ElementsAreArray(FirstTriangles(m.mesh)));
    EXPECT_EQ(parts.is_closed(), IsClosed(m.mesh));
  }
}

TEST(MeshPartsTest, PartsBeginWithTheirLowestTriangle) {
  const Mesh cube = meshes::Cube();
  const Mesh two = meshes::Joined(cube, meshes::Cube({5, 0, 0}));
  EXPECT_THAT(MeshParts::Of(two).first_triangles(), ElementsAre(0, 12));
  // A common corner joins them, whatever its indices.
  const Mesh touching = meshes::Joined(cube, meshes::Cube({1, 1, 1}));
  EXPECT_THAT(MeshParts::Of(touching).first_triangles(), ElementsAre(0));
  EXPECT_TRUE(MeshParts::Of(touching).is_closed());
  EXPECT_FALSE(MeshParts::Of(meshes::Grid(3)).is_closed());
}

}  // namespace
}  // namespace orbox
