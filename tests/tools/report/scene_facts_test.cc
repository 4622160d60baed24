// SPDX-License-Identifier: Apache-2.0

#include "tools/report/scene_facts.h"

#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"

namespace orbox::report {
namespace {

Mesh WithATurnedTriangle(const Mesh& mesh) {
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(),
                                         mesh.triangles().end());
  std::swap(triangles.back()[0], triangles.back()[1]);
  return meshes::Make({mesh.vertices().begin(), mesh.vertices().end()},
                      std::move(triangles));
}

// The holes of cubes are 3.41 long.
TEST(SceneFactsTest, SentencesSayHowBodiesAreJudged) {
  const Mesh cube = meshes::Cube();
  const Mesh open = solids::Opened(cube);
  SceneFacts facts{.names = {"cube", "turned", "open", "closed", "both"}};
  facts.Classify(cube, {}, 0);
  facts.Classify(WithATurnedTriangle(cube), {}, 4);
  facts.Classify(open, {}, 3);
  facts.Classify(open, {}, 4);
  facts.Classify(WithATurnedTriangle(open), {}, 4);
  EXPECT_EQ(facts.classifications,
            (std::vector{Classification::kSolid, Classification::kParity,
                         Classification::kOpen, Classification::kSolid,
                         Classification::kParity}));
  EXPECT_EQ(facts.closed_holes, (std::vector<size_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(facts.NotJudged(0), "");
  EXPECT_EQ(facts.NotJudged(1),
            "The faces of turned do not agree: parity decides what is inside.");
  EXPECT_EQ(facts.NotJudged(2), "open is open and has no inside.");
  EXPECT_EQ(facts.NotJudged(3),
            "closed is open: its 1 hole is closed to judge what is inside.");
  EXPECT_EQ(facts.NotJudged(4),
            "both is open: its 1 hole is closed to judge what is inside. The "
            "faces of both do not agree: parity decides what is inside.");
  EXPECT_EQ(facts.NotJudged(5), "");
  EXPECT_EQ(facts.ClosedBodies(), 2u);
  EXPECT_EQ(facts.HolesClosed(),
            "2 holes of 2 bodies are closed to judge what is inside");
  EXPECT_EQ(facts.NotJudgedCount(), 3u);
}

}  // namespace
}  // namespace orbox::report
