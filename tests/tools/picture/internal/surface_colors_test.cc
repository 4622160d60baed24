// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/surface_colors.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "tests/support/meshes.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/palette.h"

namespace orbox::picture {
namespace {

// A slanting triangle over a level one, from touching it to 1 above it.
Findings Slanting(const Pose& pose) {
  const Mesh level =
      meshes::Make({{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, {{0, 1, 2}});
  const Mesh slanting =
      meshes::Make({{0, -1, 0}, {0, 1, 0}, {4, 0, 1}}, {{0, 1, 2}});
  Findings findings{.a = *PosedTree::Create(*Build(slanting), pose)};
  findings.b = *Build(level);
  findings.within = 0.5;
  findings.pairs = AllWithin(findings.a, *findings.b, 0.5);
  return findings;
}

TEST(SurfaceColorsTest, EachPlaceHasTheColourOfItsDistance) {
  const Pose raised = Pose::Translation({0, 0, 0.125});
  const Findings findings = Slanting(raised);
  const PictureSpace space{.origin = {1, 2, 3}, .scale = 0.25};
  const auto colors = SurfaceColors::Of(findings, space, 1);
  ASSERT_TRUE(colors.ok()) << colors.status();
  for (const double x : {0.25, 1.0, 1.25, 3.0}) {
    const double distance = 0.125 + x / 4;
    EXPECT_EQ(colors->At(0, space.FromModel({x, 0, distance}), 1e-9),
              ColorOfDistance(distance, 0.5, FromHex(kColorOfA)))
        << x;
  }
  // The other mesh by its own distance: from the lower edge of the first.
  EXPECT_EQ(colors->At(1, space.FromModel({-0.375, 0, 0}), 1e-9),
            ColorOfDistance(std::hypot(0.375, 0.125), 0.5, FromHex(kColorOfB)));
}

TEST(SurfaceColorsTest, RedIsWhereTheyMeetAndNotTheWholeFace) {
  const Findings findings = Slanting(Pose::Identity());
  const PictureSpace space;
  const auto colors = SurfaceColors::Of(findings, space, 1);
  ASSERT_TRUE(colors.ok()) << colors.status();
  const Color red = FromHex(kColorOfMeeting);
  EXPECT_EQ(colors->At(0, {0, 0, 0}, 0.01), red);
  EXPECT_EQ(colors->At(0, {0.02, 0, 0.005}, 0.01), red);
  EXPECT_EQ(colors->At(0, {1, 0, 0.25}, 0.01),
            ColorOfDistance(0.25, 0.5, FromHex(kColorOfA)));
  // Without a distance, faces that meet are red.
  Findings meeting = findings;
  meeting.within.reset();
  meeting.pairs = AllWithin(meeting.a, *meeting.b, 0);
  const auto whole = SurfaceColors::Of(meeting, space, 1);
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_EQ(whole->At(0, {1, 0, 0.25}, 0.01), red);
}

TEST(SurfaceColorsTest, GivenDistancesAreThoseOfFaces) {
  Findings findings = Slanting(Pose::Identity());
  findings.face_distances = {{0.25}, {std::numeric_limits<double>::infinity()}};
  const auto colors = SurfaceColors::Of(findings, {}, 1);
  ASSERT_TRUE(colors.ok()) << colors.status();
  EXPECT_EQ(colors->At(0, {0, 0, 0}, 1),
            ColorOfDistance(0.25, 0.5, FromHex(kColorOfA)));
  EXPECT_EQ(colors->At(1, {0, 0, 0}, 1), FromHex(kColorOfB));
  // The distance to `from` is known at each point, so colours vary within a
  // face.
  findings.from = findings.b;
  const auto varied = SurfaceColors::Of(findings, {}, 1);
  ASSERT_TRUE(varied.ok()) << varied.status();
  EXPECT_EQ(varied->At(0, {1.6, 0, 0.4}, 1e-9),
            ColorOfDistance(0.4, 0.5, FromHex(kColorOfA)));
}

}  // namespace
}  // namespace orbox::picture
