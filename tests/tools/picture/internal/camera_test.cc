// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/camera.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/meshes.h"

namespace orbox::picture {
namespace {

constexpr Viewport kViewport{20, 10, 400, 300};

std::vector<Vec3> RandomPoints(meshes::Random& random) {
  const Vec3 stretch = random.Point(0.05, 3), shift = random.Point(-50, 50);
  std::vector<Vec3> points;
  for (int i = 0; i < 60; ++i) {
    const Vec3 p = random.Point(-1, 1);
    points.push_back(Vec3{p.x * stretch.x, p.y * stretch.y, p.z * stretch.z} +
                     shift);
  }
  return points;
}

TEST(CameraTest, EverythingFitsAndTouchesTheEdgesOfTheViewport) {
  meshes::Random random(3);
  for (int i = 0; i < 50; ++i) {
    const std::vector<Vec3> points = RandomPoints(random);
    const Camera camera =
        Camera::Framing(points, random.Direction(), kViewport);
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    for (const Vec3& p : points) {
      const Projected projected = camera.Project(p);
      EXPECT_GT(projected.depth, 0);
      left = std::min(left, projected.pixel.x);
      right = std::max(right, projected.pixel.x);
      top = std::min(top, projected.pixel.y);
      bottom = std::max(bottom, projected.pixel.y);
    }
    const double spare_x = kViewport.width - (right - left);
    const double spare_y = kViewport.height - (bottom - top);
    EXPECT_GE(left, 20 - 1e-6);
    EXPECT_LE(right, 420 + 1e-6);
    EXPECT_GE(top, 10 - 1e-6);
    EXPECT_LE(bottom, 310 + 1e-6);
    EXPECT_NEAR(std::min(spare_x, spare_y), 0, 1e-6);
    // In the middle of what room there is.
    EXPECT_NEAR(left - 20, 420 - right, 2);
    EXPECT_NEAR(top - 10, 310 - bottom, 2);
  }
}

TEST(CameraTest, RaysGoWherePointsAreProjected) {
  meshes::Random random(4);
  const std::vector<Vec3> points = RandomPoints(random);
  const Camera camera = Camera::Framing(points, {1, -2, 0.5}, kViewport);
  for (const Vec3& p : points) {
    const Projected projected = camera.Project(p);
    const Ray ray = camera.RayThrough(projected.pixel);
    EXPECT_LT(Norm(ray.origin + ray.direction * projected.depth - p), 1e-9);
  }
}

TEST(CameraTest, LooksFromWhereItIsTold) {
  const std::vector<Vec3> cube = {{0, 0, 0}, {1, 1, 1}};
  const Camera front = Camera::Framing(cube, {0, -5, 0}, kViewport);
  EXPECT_EQ(front.back(), (Vec3{0, -1, 0}));
  EXPECT_EQ(front.right(), (Vec3{1, 0, 0}));
  EXPECT_EQ(front.up(), (Vec3{0, 0, 1}));
  EXPECT_LT(front.eye().y, 0);
  const Camera top = Camera::Framing(cube, {0, 0, 2}, kViewport);
  EXPECT_EQ(top.right(), (Vec3{1, 0, 0}));
  EXPECT_EQ(top.up(), (Vec3{0, 1, 0}));
  EXPECT_GT(top.Project({0.5, 0.9, 1}).depth, 0);
  EXPECT_LT(top.Project({0.5, 0.9, 1}).pixel.y,
            top.Project({0.5, 0.1, 1}).pixel.y);
}

TEST(CameraTest, AModelOfAnotherSizeLooksTheSame) {
  meshes::Random random(5);
  const std::vector<Vec3> points = RandomPoints(random);
  std::vector<Vec3> large;
  for (const Vec3& p : points) large.push_back(p * 1024);
  const Camera first = Camera::Framing(points, {1, 1, 1}, kViewport);
  const Camera second = Camera::Framing(large, {1024, 1024, 1024}, kViewport);
  for (size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(first.Project(points[i]).pixel.x,
              second.Project(large[i]).pixel.x);
    EXPECT_EQ(first.Project(points[i]).depth * 1024,
              second.Project(large[i]).depth);
  }
}

TEST(CameraTest, OnePointIsInTheMiddle) {
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1e6, -3, 1e-3}}) {
    const Camera camera = Camera::Framing({&p, 1}, {2, -3, 1.8}, kViewport);
    const Projected projected = camera.Project(p);
    EXPECT_GT(projected.depth, 0);
    EXPECT_NEAR(projected.pixel.x, 220, 1);
    EXPECT_NEAR(projected.pixel.y, 160, 1);
  }
}

}  // namespace
}  // namespace orbox::picture
