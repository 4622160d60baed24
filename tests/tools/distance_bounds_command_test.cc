// SPDX-License-Identifier: Apache-2.0

// orbox nearest --bounds and clearance --bounds: the doubles around a distance.

#include <cmath>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/orbox.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/trees.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::HasSubstr;

class DistanceBoundsCommandTest : public OrboxCommandTest {};

TEST_F(DistanceBoundsCommandTest, NearestWritesThem) {
  const Mesh mesh = meshes::Icosphere(2);
  const std::string path = File("m.ply", mesh);
  const Tree tree = trees::Make(mesh);
  const Vec3 p{0.3, 0.4, 2};
  const DistanceInterval bounds =
      BoundsOfDistance(tree, p, *ClosestPoint(tree, p));
  EXPECT_LT(bounds.lower, bounds.upper);
  const Words words{"nearest", path, "--point", "0.3,0.4,2", "--bounds"};
  const Json found = JsonOf(words)["results"][0][0]["distance_bounds"];
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].number(), bounds.lower);
  EXPECT_EQ(found[1].number(), bounds.upper);
  const std::string both = Cat(bounds.lower, ",", bounds.upper, "\n");
  Words csv = words;
  csv.insert(csv.end(), {"--format", "csv"});
  EXPECT_THAT(Output(csv), HasSubstr("distance,x,y,z,lower,upper\n"));
  EXPECT_THAT(Output(csv), HasSubstr(both));
  EXPECT_THAT(Output(words), HasSubstr(Cat(", between ", bounds.lower, " and ",
                                           bounds.upper)));
  EXPECT_THAT(
      ErrorOf({"nearest", path, "--point", "0,0,0", "--bounds", "--k", "2"},
              kUsage),
      HasSubstr("--bounds"));
}

TEST_F(DistanceBoundsCommandTest, ClearanceWritesThem) {
  const std::string a = File("a.ply", meshes::Cube());
  const std::string b = File("b.ply", meshes::Cube({2, 0, 0}));
  const Json apart = JsonOf({"clearance", a, b, "--bounds"});
  ASSERT_EQ(apart["distance_bounds"].size(), 2U);
  EXPECT_EQ(apart["distance_bounds"][0].number(), 1);
  EXPECT_EQ(apart["distance_bounds"][1].number(), 1);
  // The root of two, across an edge.
  const std::string c = File("c.ply", meshes::Cube({2, 2, 0}));
  const Json across = JsonOf({"clearance", a, c, "--bounds"});
  const double lower = across["distance_bounds"][0].number();
  EXPECT_LT(std::abs(lower - std::sqrt(2.0)), 1e-15);
  EXPECT_EQ(across["distance_bounds"][1].number(), std::nextafter(lower, 2.0));
  EXPECT_THAT(Output({"clearance", a, c, "--bounds"}),
              HasSubstr(Cat("exactly between   ", lower)));
  EXPECT_THAT(Output({"clearance", a, b, "--bounds", "--format", "csv"}),
              HasSubstr(",1,1\n"));
}

}  // namespace
}  // namespace orbox
