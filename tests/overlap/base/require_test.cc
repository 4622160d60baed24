// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/base/require.h"

#include <gtest/gtest.h>

namespace orbox {
namespace {

TEST(RequireDeathTest, ABrokenPreconditionEndsWithAMessageInEveryBuild) {
  RequireThat(true, "Scene::bounds", "never", "nothing");
  EXPECT_DEATH(RequireThat(false, "Scene::bounds", "no body has this id",
                           "ask Contains first"),
               "^orbox: Scene::bounds: no body has this id; ask Contains "
               "first\n$");
}

TEST(RequireDeathTest, AnIndexEndsWithItsNumbers) {
  RequireIndex(11, 12, "Mesh::triangle", "triangles");
  EXPECT_DEATH(RequireIndex(12, 12, "Mesh::triangle", "triangles"),
               "^orbox: Mesh::triangle: there are 12 triangles, and 12 is not "
               "below that; pass a smaller number\n$");
}

}  // namespace
}  // namespace orbox
