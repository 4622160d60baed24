// SPDX-License-Identifier: Apache-2.0

// Points on triangles and slightly off them, on edges and corners: lanes have
// the results of the scalar function, on every instruction set, and leave few
// undecided.
#include "orbox/overlap/triangles/triangle_distance.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/overlap/triangles/point_near_face_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/triangles/internal/point_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The lanes that are certified, as bits, and their results.
uint32_t FarFromEight(const Vec3& p, const Triangle (&triangles)[8],
                      PointTriangleDistance (&results)[8]) {
  TriangleColumns columns;
  for (size_t i = 0; i < 8; ++i) columns.Set(i, triangles[i]);
  DistanceColumns distances;
  const uint32_t certified = CertifiedDistances(p, columns, 8, &distances);
  for (size_t i = 0; i < 8; ++i) results[i] = distances.Get(i);
  return certified;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

HWY_EXPORT(FarFromEight);

// Places of a triangle, where doubles round them to.
enum class NearPlace { kFace, kEdge, kCorner };
Vec3 PlaceOn(const Triangle& t, NearPlace place, meshes::Random& random) {
  switch (place) {
    case NearPlace::kCorner:
      return t[random.Below(3)];
    case NearPlace::kEdge: {
      const size_t i = random.Below(3);
      const double share = random.Below(2) == 0 ? 0.5 : random.Uniform(0, 1);
      return t[i] + (t[(i + 1) % 3] - t[i]) * share;
    }
    case NearPlace::kFace:
      break;
  }
  const double u = random.Uniform(0, 1);
  return t.a + (t.b - t.a) * u + (t.c - t.a) * random.Uniform(0, 1 - u);
}

// Eight triangles around a corner, which share edges, as meshes have them.
void MakeStar(meshes::Random& random, double size, const Vec3& at,
              Triangle (&star)[8]) {
  Vec3 rim[8];
  const Vec3 middle = random.Point(-1, 1);
  for (int i = 0; i < 8; ++i) {
    const double angle = 0.785 * i;
    rim[i] = middle +
             Vec3{std::cos(angle), std::sin(angle), random.Uniform(-0.3, 0.3)} *
                 random.Uniform(0.1, 0.3);
  }
  for (int i = 0; i < 8; ++i) {
    star[i] = {at + middle * size, at + rim[i] * size,
               at + rim[(i + 1) % 8] * size};
  }
}

// Returns how many of all are certified.
double CheckNear(NearPlace place, double off, double size, const Vec3& at) {
  meshes::Random random(17);
  int certified_count = 0;
  constexpr int kStars = 100;
  for (int n = 0; n < kStars; ++n) {
    Triangle star[8];
    MakeStar(random, size, at, star);
    const Triangle& t = star[random.Below(8)];
    const Vec3 normal = Cross(t.b - t.a, t.c - t.a);
    const Vec3 p = PlaceOn(t, place, random) + Normalized(normal) * off;
    PointTriangleDistance results[8];
    const uint32_t certified =
        ORBOX_DYNAMIC_DISPATCH(FarFromEight)(p, star, results);
    certified_count += std::popcount(certified);
    for (size_t i = 0; i < 8; ++i) {
      if ((certified >> i & 1) == 0) continue;
      const PointTriangleDistance expected = Distance(p, star[i]);
      EXPECT_EQ(results[i].distance, expected.distance);
      EXPECT_EQ(results[i].closest, expected.closest);
    }
  }
  return certified_count / (8.0 * kStars);
}

TEST(PointNearFaceTest, LanesSayWhatTheScalarFunctionSays) {
  trees::OnEachInstructionSet([] {
    for (const NearPlace place :
         {NearPlace::kFace, NearPlace::kEdge, NearPlace::kCorner}) {
      // The last ones are about where one bound for all errors suffices.
      for (const double off :
           {0.0, 1e-18, 1e-16, 1e-15, 1e-12, 1e-9, 1e-6, 3e-6, 1e-5}) {
        SCOPED_TRACE(off);
        EXPECT_GE(CheckNear(place, off, 1, {}), 0.9);
        EXPECT_GE(CheckNear(place, off * 1e5, 1, {1e5, -3e5, 0.3}), 0.8);
        EXPECT_GE(CheckNear(place, off * 1e10, 1e10, {}), 0.9);
        EXPECT_GE(CheckNear(place, off * 1e-10, 1e-10, {}), 0.9);
        // Cases in which digits do not suffice, or terms of products underflow.
        CheckNear(place, off, 1, {1e12, 1, 0});
        CheckNear(place, off * 1e-80, 1e-80, {});
        CheckNear(place, off * 1e-300, 1e-300, {});
      }
    }
  });
}

// Coordinates of few digits, where much is zero, and planes that axes span.
TEST(PointNearFaceTest, ZerosAreThoseOfTheScalarFunction) {
  trees::OnEachInstructionSet([] {
    meshes::Random random(18);
    for (int n = 0; n < 400; ++n) {
      Triangle lattice[8];
      for (Triangle& t : lattice) {
        t = {random.LatticePoint(2), random.LatticePoint(2),
             random.LatticePoint(2)};
      }
      const Vec3 p = random.LatticePoint(2) * (n % 2 == 0 ? 1 : 0.25);
      PointTriangleDistance results[8];
      const uint32_t certified =
          ORBOX_DYNAMIC_DISPATCH(FarFromEight)(p, lattice, results);
      for (size_t i = 0; i < 8; ++i) {
        if ((certified >> i & 1) == 0) continue;
        const PointTriangleDistance expected = Distance(p, lattice[i]);
        ASSERT_EQ(results[i].distance, expected.distance);
        ASSERT_EQ(results[i].closest, expected.closest);
        for (size_t k = 0; k < 3; ++k) {
          ASSERT_EQ(std::signbit(results[i].closest[k]),
                    std::signbit(expected.closest[k]));
        }
      }
    }
  });
}

// Coordinates that were floats: lanes decide that middles of edges, and other
// points on them, are at distance 0, and that others are only near.
TEST(PointNearFaceTest, PointsOnEdgesOfFloatsAreTold) {
  trees::OnEachInstructionSet([] {
    meshes::Random random(19);
    const auto to_float = [](Vec3& v) {
      for (size_t k = 0; k < 3; ++k) v[k] = static_cast<float>(v[k]);
    };
    int certified_count = 0;
    constexpr int kStars = 200;
    for (int n = 0; n < kStars; ++n) {
      Triangle star[8];
      MakeStar(random, 1, {}, star);
      for (Triangle& t : star) {
        for (Vec3* const corner : {&t.a, &t.b, &t.c}) to_float(*corner);
      }
      const size_t of = random.Below(8);
      const size_t i = random.Below(3);
      const Vec3& a = star[of][i];
      const Vec3 p =
          a + (star[of][(i + 1) % 3] - a) * (n % 2 == 0 ? 0.5 : 0.25);
      PointTriangleDistance results[8];
      const uint32_t certified =
          ORBOX_DYNAMIC_DISPATCH(FarFromEight)(p, star, results);
      certified_count += static_cast<int>(certified >> of & 1);
      for (size_t k = 0; k < 8; ++k) {
        if ((certified >> k & 1) == 0) continue;
        const PointTriangleDistance expected = Distance(p, star[k]);
        EXPECT_EQ(results[k].distance, expected.distance);
        EXPECT_EQ(results[k].closest, expected.closest);
      }
      EXPECT_EQ(Distance(p, star[of]).distance, 0);
    }
    // A lane stays undecided if rounding moves the guess into the face.
    EXPECT_GE(certified_count, kStars * 9 / 10);
  });
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
