// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/near_bodies.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// A cube from afar into another one and out of it, past a third.
TEST(NearBodiesTest, FewPosesAreQueriedAboutAndNoneIsMissed) {
  const Tree cube = trees::Make(meshes::Cube());
  const Scene scene = scenes::Make({{cube, Pose::Translation({10, 0, 0})},
                                    {cube, Pose::Translation({10, 3, 0})}});
  const MeshOutline outline(cube);
  for (const double within : {0.0, 0.5}) {
    SCOPED_TRACE(within);
    NearBodies near(scene, outline, cube.mesh().bounds(), within, kNoBody);
    NearBodies all(scene, outline, cube.mesh().bounds(), within, 0);
    const QueryOptions options;
    const Execution run(options);
    int queried = 0;
    for (int i = 0; i < 2000; ++i) {
      const Pose pose = Pose::Translation({0.01 * i, 0.25, 0.25});
      const PosedTree posed = PosedTree::Create(cube, pose).value();
      const bool expected = AnyWithin(posed, scene.body(0), within) ||
                            AnyWithin(posed, scene.body(1), within);
      near.MoveTo(pose);
      bool any = false;
      if (!near.IsCertain()) {
        any = near.AnyWithin(posed, run, [&](const NearBody& body) {
          ++queried;
          return AnyWithin(posed, scene.body(body.id), within);
        });
      }
      ASSERT_EQ(any, expected) << i;
      // The first body is left out.
      all.MoveTo(pose);
      if (all.IsCertain()) continue;
      std::vector<BodyId> found;
      all.VisitWithin(posed, run, [&](const NearBody& body) {
        if (!AnyWithin(posed, scene.body(body.id), within)) return false;
        found.push_back(body.id);
        return true;
      });
      EXPECT_THAT(found, testing::IsEmpty());
    }
    // It is within for some 200 and 300 poses.
    EXPECT_LT(queried, 400);
  }
}

}  // namespace
}  // namespace orbox
