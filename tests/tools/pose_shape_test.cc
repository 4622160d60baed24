// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/poses.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace orbox::cli {
namespace {

using ::testing::HasSubstr;

Pose PoseOf(const Vec3& x, const Vec3& y, const Vec3& z) {
  return {.rows = {x, y, z}, .translation = {1, 2, 3}};
}
Pose Scale(double x, double y, double z) {
  return PoseOf({x, 0, 0}, {0, y, 0}, {0, 0, z});
}

TEST(PoseShapeTest, WhatPeopleTypeAsARotationIsRigid) {
  EXPECT_TRUE(ShapeOf(Pose::Identity()).is_rigid);
  EXPECT_TRUE(ShapeOf(Pose::Rotation({0.6, 0, 0.8}, 2.5)).is_rigid);
  EXPECT_TRUE(ShapeOf(PoseOf({0.707107, -0.707107, 0}, {0.707107, 0.707107, 0},
                             {0, 0, 1}))
                  .is_rigid);
  EXPECT_FALSE(ShapeOf(PoseOf({0.707, -0.707, 0}, {0.707, 0.707, 0}, {0, 0, 1}))
                   .is_rigid);
}

TEST(PoseShapeTest, SaysWhatOthersDo) {
  EXPECT_EQ(DescriptionOf(ShapeOf(Scale(2, 2, 2))), "scales by 2");
  EXPECT_EQ(DescriptionOf(ShapeOf(Scale(0.001, 0.001, 0.001))),
            "scales by 0.001");
  EXPECT_EQ(DescriptionOf(ShapeOf(Scale(0.5, 3, 1))), "stretches by 0.5 to 3");
  EXPECT_EQ(DescriptionOf(ShapeOf(Scale(-1, 1, 1))), "mirrors");
  EXPECT_EQ(DescriptionOf(ShapeOf(Scale(-2, 2, 2))), "scales by 2 and mirrors");
  EXPECT_EQ(DescriptionOf(ShapeOf(Scale(1, 0, 1))), "flattens");
  EXPECT_EQ(DescriptionOf(ShapeOf(Scale(1e12, 1, 1))),
            "stretches by up to 1e+12");
  // A shear stretches by the golden ratio and its inverse.
  EXPECT_EQ(DescriptionOf(ShapeOf(PoseOf({1, 1, 0}, {0, 1, 0}, {0, 0, 1}))),
            "stretches by 0.618034 to 1.61803");
}

TEST(PoseShapeTest, SizesAtTheEndsOfTheRange) {
  for (const double size :
       {std::numeric_limits<double>::denorm_min(), 1e-310, 1e-200, 1e200}) {
    const PoseShape shape = ShapeOf(Scale(size, size, size));
    EXPECT_FALSE(shape.is_singular) << size;
    EXPECT_FALSE(shape.is_rigid) << size;
    EXPECT_NEAR(shape.largest / size, 1, 1e-6) << size;
  }
  EXPECT_FALSE(ShapeOf(Scale(1e-300, 1e300, 1)).is_singular);
}

// Doubles would not decide.
TEST(PoseShapeTest, SingularIsExact) {
  EXPECT_TRUE(ShapeOf(Scale(0, 0, 0)).is_singular);
  const Vec3 x{0.1, 0.2, 0.3};
  const Vec3 y{0.7, 0.11, 0.13};
  EXPECT_TRUE(ShapeOf(PoseOf(x, y, {0.2, 0.4, 0.6})).is_singular);
  Vec3 off{0.2, 0.4, 0.6};
  off.z = std::nextafter(off.z, 1);
  const PoseShape near = ShapeOf(PoseOf(x, y, off));
  EXPECT_FALSE(near.is_singular);
  EXPECT_FALSE(near.is_rigid);
}

TEST(PoseShapeTest, KnowsOtherOrdersOfTheNumbers) {
  const std::vector<double> r_first = {1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0};
  EXPECT_THAT(OrderHint(r_first), HasSubstr("R first, then t"));
  const std::vector<double> turned = {0, 1, 0, -1, 0, 0, 0, 0, 1, 5, 6, 7};
  EXPECT_THAT(OrderHint(turned), HasSubstr("R first, then t"));
  const std::vector<double> columns = {0, 1, 0, 0, -1, 0, 0, 0,
                                       0, 0, 1, 0, 5,  6, 7, 1};
  EXPECT_THAT(OrderHint(columns), HasSubstr("column by column"));
  const std::vector<double> nothing = {2, 0, 0, 9, 0, 2, 0, 9, 0, 0, 2, 9};
  EXPECT_EQ(OrderHint(nothing), "");
}

}  // namespace
}  // namespace orbox::cli
