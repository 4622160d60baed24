// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/mask.h"

#include <cmath>
#include <numbers>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tools/picture/internal/canvas.h"

namespace orbox::picture {
namespace {

constexpr int kMaskWidth = 80, kMaskHeight = 60;

double Area(const Mask& mask) {
  double area = 0;
  for (int y = 0; y < kMaskHeight; ++y) {
    for (int x = 0; x < kMaskWidth; ++x) area += mask.at(x, y);
  }
  return area;
}

TEST(MaskTest, AreasAreThoseOfTheShapes) {
  using std::numbers::pi;
  meshes::Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Point2 p{random.Uniform(20, 60), random.Uniform(20, 40)};
    const Point2 q{random.Uniform(20, 60), random.Uniform(20, 40)};
    const double width = random.Uniform(1.5, 9);
    const double length = std::hypot(p.x - q.x, p.y - q.y);
    Mask line(kMaskWidth, kMaskHeight), disc(kMaskWidth, kMaskHeight),
        ring(kMaskWidth, kMaskHeight);
    line.AddLine(p, q, width);
    const double area = length * width + pi * width * width / 4;
    EXPECT_NEAR(Area(line), area, 0.03 * area + 0.8);
    disc.AddDisc(p, width);
    EXPECT_NEAR(Area(disc), pi * width * width, 1);
    ring.AddRing(p, 12, width);
    EXPECT_NEAR(Area(ring), 2 * pi * 12 * width, 1.5);
  }
}

// Brute force: the fraction of a fine grid of points that are within half a
// width of the segment.
TEST(MaskTest, SharesAreThoseOfPointsInside) {
  const Point2 p{10.3, 12.8}, q{60.1, 41.7};
  constexpr double kLineWidth = 5;
  Mask mask(kMaskWidth, kMaskHeight);
  mask.AddLine(p, q, kLineWidth);
  const double dx = q.x - p.x, dy = q.y - p.y, squared = dx * dx + dy * dy;
  for (int y = 0; y < kMaskHeight; ++y) {
    for (int x = 0; x < kMaskWidth; ++x) {
      int inside = 0;
      for (int i = 0; i < 64; ++i) {
        const double u = x + (i % 8 + 0.5) / 8 - p.x;
        const double v = y + (i / 8 + 0.5) / 8 - p.y;
        const double t = std::clamp((u * dx + v * dy) / squared, 0.0, 1.0);
        if (std::hypot(u - t * dx, v - t * dy) <= kLineWidth / 2) ++inside;
      }
      EXPECT_NEAR(mask.at(x, y), inside / 64.0, 0.13) << x << " " << y;
    }
  }
}

TEST(MaskTest, WhatOverlapsCountsOnce) {
  Mask once(kMaskWidth, kMaskHeight), twice(kMaskWidth, kMaskHeight);
  once.AddLine({10, 10}, {50, 30}, 3);
  twice.AddLine({10, 10}, {30, 20}, 3);
  twice.AddLine({30, 20}, {50, 30}, 3);
  for (int y = 0; y < kMaskHeight; ++y) {
    for (int x = 0; x < kMaskWidth; ++x) {
      EXPECT_NEAR(once.at(x, y), twice.at(x, y), 1e-6);
    }
  }
}

TEST(MaskTest, WhatIsOutsideIsLeftOut) {
  Mask mask(kMaskWidth, kMaskHeight);
  mask.AddLine({-1e9, -20}, {1e9, -20}, 3);
  mask.AddDisc({1e7, 1e7}, 5);
  EXPECT_EQ(Area(mask), 0);
  mask.AddLine({-1e9, 30.5}, {1e9, 30.5}, 1);
  EXPECT_NEAR(Area(mask), kMaskWidth, 1e-3);
  EXPECT_EQ(mask.at(0, 30), 1);
  EXPECT_EQ(mask.at(kMaskWidth - 1, 30), 1);
}

TEST(MaskTest, ThinLinesAreFaint) {
  Mask mask(kMaskWidth, kMaskHeight);
  mask.AddLine({10, 20.5}, {70, 20.5}, 0.25);
  EXPECT_NEAR(mask.at(40, 20), 0.25, 1e-6);
}

TEST(CanvasTest, PaintCoversByShares) {
  Canvas canvas(kMaskWidth, kMaskHeight);
  canvas.Fill({10, 10}, {20.5, 20}, {1, 0, 0});
  EXPECT_EQ(canvas.at(15, 15).alpha, 1);
  EXPECT_EQ(canvas.at(20, 15).alpha, 0.5);
  EXPECT_EQ(canvas.at(20, 15).light, (Color{0.5, 0, 0}));
  EXPECT_EQ(canvas.at(21, 15).alpha, 0);
  Mask mask(kMaskWidth, kMaskHeight);
  mask.AddLine({0, 15.5}, {80, 15.5}, 1);
  canvas.Paint(mask, {0, 0, 1}, 0.25);
  EXPECT_EQ(canvas.at(15, 15).light, (Color{0.75, 0, 0.25}));
  EXPECT_EQ(canvas.at(15, 14).light, (Color{1, 0, 0}));

  const Image image = canvas.OnColor({1, 1, 1});
  EXPECT_EQ(image.channels, 3);
  EXPECT_EQ(image.pixel(0, 0)[0], 255);
  EXPECT_EQ(image.pixel(15, 14)[1], 0);
  const Image clear = canvas.Transparent();
  EXPECT_EQ(clear.channels, 4);
  EXPECT_EQ(clear.pixel(0, 0)[3], 0);
  EXPECT_EQ(clear.pixel(20, 12)[0], 255);  // red, half of it
  EXPECT_EQ(clear.pixel(20, 12)[3], 128);
}

}  // namespace
}  // namespace orbox::picture
