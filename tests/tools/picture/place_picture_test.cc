// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/place_picture.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox::picture {
namespace {

std::vector<PosedTree> CubesAt(const std::vector<Vec3>& places) {
  const Tree cube = trees::Make(meshes::Cube());
  std::vector<PosedTree> bodies;
  for (const Vec3& place : places) {
    bodies.push_back(*PosedTree::Create(cube, Pose::Translation(place)));
  }
  return bodies;
}

// Pixels with more of one colour than of the others.
size_t Count(const Image& image, bool (*is)(const uint8_t* rgba)) {
  size_t count = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (is(image.pixel(x, y))) ++count;
    }
  }
  return count;
}
bool IsBlue(const uint8_t* p) { return p[3] > 200 && p[2] > p[0] + 40; }
bool IsAmber(const uint8_t* p) { return p[3] > 200 && p[0] > p[2] + 40; }
bool IsFaint(const uint8_t* p) { return p[3] > 10 && p[3] < 120; }
bool IsEmpty(const uint8_t* p) { return p[3] == 0; }

TEST(PlacePictureTest, TwoAreSolidAndOthersSeeThrough) {
  // Bodies on both sides of the two, one of which is in front.
  const std::vector<PosedTree> bodies =
      CubesAt({{0, 0, 0}, {0.8, 0, 0}, {0.4, 1.5, 0}, {0.4, -1.5, 0}});
  const PlacePainter painter(bodies);
  const PlaceView view =
      painter.ViewOf({.a = 0, .b = 1, .place = {0.9, 0.5, 0.5}, .gap = {}});
  EXPECT_NEAR(Norm(view.back), 1, 1e-12);
  EXPECT_NEAR(Dot(view.back, view.up), 0, 1e-12);
  EXPECT_GT(view.up.z, 0);
  EXPECT_GT(view.radius, 0.1);
  const Image image = painter.Draw(view, {96, 72});
  EXPECT_EQ(image.channels, 4);
  const size_t pixels = 96 * 72;
  EXPECT_GT(Count(image, IsBlue), pixels / 20);
  EXPECT_GT(Count(image, IsAmber), pixels / 20);
  EXPECT_GT(Count(image, IsFaint), 0U);
}

TEST(PlacePictureTest, ABodyInsideShinesThrough) {
  const Tree cube = trees::Make(meshes::Cube({-0.5, -0.5, -0.5}));
  const Tree ball = trees::Make(meshes::Icosphere(2, {0, 0, 0}, 0.3));
  const auto differs = [&](size_t a, size_t b) {
    const std::vector<PosedTree> bodies = {cube, ball, cube};
    const PlacePainter painter(bodies);
    const PlaceToShow shown{.a = a, .b = b, .place = {0, 0, 0}, .gap = {}};
    PlaceView view = painter.ViewOf(shown);
    view.radius = 0.6;
    return painter.Draw(view, {64, 48}).bytes;
  };
  // The ball in the cube, and the cube in its duplicate.
  EXPECT_NE(differs(0, 1), differs(0, 2));
}

TEST(PlacePictureTest, OnlyWhatIsNearIsDrawn) {
  const std::vector<PosedTree> bodies =
      CubesAt({{0, 0, 0}, {1.25, 0, 0}, {40, 0, 0}});
  const PlacePainter painter(bodies),
      few(std::span<const PosedTree>(bodies).first(2));
  const PlaceToShow shown{.a = 0,
                          .b = 1,
                          .place = {1.125, 0.5, 0.5},
                          .gap = Segment{{1, 0.5, 0.5}, {1.25, 0.5, 0.5}}};
  const PlaceView view = painter.ViewOf(shown);
  // The gap is seen from its side.
  EXPECT_LT(std::abs(view.back.x), 0.8);
  EXPECT_EQ(painter.Draw(view, {64, 48}).bytes, few.Draw(view, {64, 48}).bytes);
  EXPECT_GT(Count(painter.Draw(view, {64, 48}), IsEmpty), 0U);
}

TEST(PlacePictureTest, FlatAndHugeBodiesAreDrawn) {
  for (const double size : {1e-9, 1.0, 1e59}) {
    const Tree grid = trees::Make(meshes::Grid(2));
    std::vector<PosedTree> bodies;
    for (const double z : {0.0, 0.5}) {
      bodies.push_back(*PosedTree::Create(
          grid, {.rows = {{{size, 0, 0}, {0, size, 0}, {0, 0, size}}},
                 .translation = {0, 0, z * size}}));
    }
    const PlacePainter painter(bodies);
    const Vec3 place{0.5 * size, 0.5 * size, 0.25 * size};
    const PlaceView view =
        painter.ViewOf({.a = 0, .b = 1, .place = place, .gap = {}});
    const Image image = painter.Draw(view, {32, 24});
    EXPECT_LT(Count(image, IsEmpty), 32U * 24) << size;
  }
}

}  // namespace
}  // namespace orbox::picture
