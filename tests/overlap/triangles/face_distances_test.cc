// SPDX-License-Identifier: Apache-2.0

// Distances without closest points: those of the scalar function, on every
// instruction set, of needles as well; and none where an edge is nearer.
#include "orbox/overlap/triangles/triangle_distance.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/overlap/triangles/face_distances_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/triangles/internal/face_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The lanes that are certified, as bits.
uint32_t FaceDistancesOfEight(const Vec3& p, const Triangle (&triangles)[8],
                              double (&distances)[8]) {
  TriangleColumns columns;
  for (size_t i = 0; i < 8; ++i) columns.Set(i, triangles[i]);
  return FaceDistances(p, columns, distances);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <bit>
#include <cmath>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

HWY_EXPORT(FaceDistancesOfEight);

// Returns how many are certified.
int Check(const Vec3& p, const Triangle (&triangles)[8]) {
  double distances[8];
  const uint32_t certified =
      ORBOX_DYNAMIC_DISPATCH(FaceDistancesOfEight)(p, triangles, distances);
  for (size_t i = 0; i < 8; ++i) {
    if ((certified >> i & 1) == 0) continue;
    EXPECT_EQ(distances[i], Distance(p, triangles[i]).distance) << i;
  }
  return std::popcount(certified);
}

// A point above the inside of a triangle, or below it.
Vec3 Above(const Triangle& t, meshes::Random& random, double height) {
  const double u = random.Uniform(0.05, 0.9);
  const Vec3 foot =
      t.a + (t.b - t.a) * u + (t.c - t.a) * random.Uniform(0.05, 0.95 - u);
  return foot + Normalized(Cross(t.b - t.a, t.c - t.a)) * height;
}

TEST(FaceDistancesTest, AreThoseOfTheScalarFunctionFarOffAndNear) {
  trees::OnEachInstructionSet([] {
    meshes::Random random(31);
    for (const double size : {1.0, 1e-20, 1e20}) {
      for (const double height : {10.0, 1.0, -1e-3, 1e-8}) {
        SCOPED_TRACE(::testing::Message() << size << " " << height);
        int certified = 0;
        for (int n = 0; n < 100; ++n) {
          const Triangle t = {random.Point(-1, 1) * size,
                              random.Point(-1, 1) * size,
                              random.Point(-1, 1) * size};
          // One triangle in each order of its corners, and one reflected in a
          // corner.
          const Triangle of[8] = {t,
                                  {t.b, t.c, t.a},
                                  {t.c, t.a, t.b},
                                  {t.a, t.c, t.b},
                                  {t.c, t.b, t.a},
                                  {t.b, t.a, t.c},
                                  t,
                                  {t.a, t.a + (t.a - t.b), t.a + (t.a - t.c)}};
          certified += Check(Above(t, random, height * size), of);
        }
        EXPECT_GE(certified, 600);
      }
    }
  });
}

// The narrower the needle, the less a guess of the closest point is worth.
TEST(FaceDistancesTest, AreKnownOfNeedles) {
  trees::OnEachInstructionSet([] {
    for (const double width : {1e-2, 1e-4, 1e-5}) {
      SCOPED_TRACE(width);
      meshes::Random random(32);
      int certified = 0;
      for (int n = 0; n < 100; ++n) {
        Triangle fan[8];
        const Vec3 apex = random.Point(-1, 1);
        const Vec3 out = random.Direction();
        const Vec3 side = random.Direction() * width;
        for (int i = 0; i < 8; ++i) {
          fan[i] = {apex, apex + out + side * i, apex + out + side * (i + 1)};
        }
        certified += Check(
            Above(fan[random.Below(8)], random, random.Uniform(0.1, 2)), fan);
      }
      EXPECT_GE(certified, 95);
    }
  });
}

TEST(FaceDistancesTest, AnyTriangleIsRightOrLeftOpen) {
  trees::OnEachInstructionSet([] {
    meshes::Random random(33);
    for (const TriangleKind kind : kTriangleKinds) {
      for (const Placing& placing : kPlacings) {
        SCOPED_TRACE(NameOf(kind) + ", " + std::to_string(placing.scale));
        TriangleCases cases(kind, /*seed=*/7);
        for (int n = 0; n < 10; ++n) {
          Triangle of[8];
          for (int i = 0; i < 8; i += 2) {
            const auto [s, t] = cases.Next();
            of[i] = Transformed(s, placing.scale, placing.shift);
            of[i + 1] = Transformed(t, placing.scale, placing.shift);
          }
          Check(of[0].a, of);
          Check((of[0].a + of[0].b) * 0.5, of);
          Check(of[0].a + (of[1].b - of[1].a) * 2, of);
          Check(of[0].a + random.Point(-2, 2) * placing.scale, of);
        }
      }
    }
  });
}

// Triangles whose closest point is at or very near an edge or a corner stay
// undecided.
TEST(FaceDistancesTest, NothingBesideAFaceIsTold) {
  trees::OnEachInstructionSet([] {
    const Triangle t = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const Triangle of[8] = {t, {t.b, t.c, t.a}, {t.c, t.a, t.b}, t, t, t, t, t};
    for (const Vec3& p :
         {Vec3{0, 0, 1}, Vec3{0.5, 0, 1}, Vec3{0.5, 0.5, 3}, Vec3{0.5, -1, 0},
          Vec3{2, 2, 1}, Vec3{0.25, -0x1p-60, 1}, Vec3{0.25, 0x1p-60, 1}}) {
      EXPECT_EQ(Check(p, of), 0);
    }
    EXPECT_EQ(Check({0.25, 0.25, 1}, of), 8);
  });
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
