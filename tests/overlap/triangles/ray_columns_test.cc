// SPDX-License-Identifier: Apache-2.0

// Decisions of doubles in lanes about rays that graze triangles. Certain misses
// are misses, corners reported as hit first are hit first, and nearly all are
// decided. Tests one ray and one triangle by volumes too, which also decide
// hits.
#include <cstddef>
#include <cstdint>

#include "orbox/overlap/shapes/shapes.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/overlap/triangles/ray_columns_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/triangles/internal/ray_columns-inl.h"

#include "gtest/gtest.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// For each triangle the corner that is met first, 3 for none, 4 for a miss.
void ClassifyEach(const Ray& ray, const Triangle* triangles, size_t count,
                  size_t* classified) {
  TriangleColumns columns;
  for (size_t i = 0; i < kColumns; ++i) {
    columns.Set(i, triangles[i < count ? i : 0]);
  }
  const LineVerdicts verdicts = ClassifyLine(ray, columns, count);
  EXPECT_EQ(verdicts.missed >> count, 0u);
  for (size_t i = 0; i < count; ++i) {
    classified[i] = (verdicts.missed >> i & 1) != 0 ? 4 : verdicts.CornerOf(i);
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cmath>
#include <vector>

#include "orbox/overlap/triangles/internal/exact_ray.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"
#include "orbox/overlap/triangles/internal/ray_through_corner.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {

HWY_EXPORT(ClassifyEach);

namespace {

struct Tally {
  int missed = 0;         // by the line
  int known_missed = 0;   // by columns
  int known_corners = 0;  // met first
  int closely = 0;        // decided by volumes, of missed and hit
  int queried = 0;
};

// By the ladder alone.
bool MeetsLine(const Ray& ray, const Triangle& t) {
  Arithmetic used = Arithmetic::kDouble;
  const double most = 1e300;
  return exact::Intersect(ray, t, most, &used) ||
         exact::Intersect({ray.origin, -ray.direction}, t, most, &used);
}

// That the line meets the triangle first in that corner, by the ladder.
void CheckCorner(const Ray& ray, const Triangle& t, size_t corner) {
  const Vec3& p = t[corner];
  const CornerCrossing at = CrossingOfPoint(ray, p);
  Arithmetic used = Arithmetic::kDouble;
  const auto hit = exact::Intersect(ray, t, 1e300, &used);
  const auto hit_point = exact::Intersect(ray, {p, p, p}, 1e300, &used);
  ASSERT_EQ(hit.has_value(), hit_point.has_value());
  if (at.is_known) {
    EXPECT_EQ(at.is_behind(), !hit_point.has_value());
  }
  if (!hit) {
    EXPECT_TRUE(exact::Intersect({ray.origin, -ray.direction}, {p, p, p}, 1e300,
                                 &used));
    return;
  }
  EXPECT_EQ(hit->t, hit_point->t);
  EXPECT_EQ(hit->barycentric[corner], 1);
  if (at.is_known) {
    EXPECT_EQ(at.t, hit->t);
  }
}

void Check(const Ray& ray, const Triangle& t, Tally* tally) {
  const Triangle triangles[] = {t, {t.b, t.c, t.a}, {t.a, t.c, t.b}};
  const bool meets = MeetsLine(ray, t);
  size_t classified[3];
  ORBOX_DYNAMIC_DISPATCH(ClassifyEach)(ray, triangles, 3, classified);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(classified[i] == 4 && meets);
    if (classified[i] < 3) CheckCorner(ray, triangles[i], classified[i]);
  }
  ++tally->queried;
  tally->missed += !meets;
  tally->known_missed += classified[0] == 4;
  tally->known_corners += classified[0] < 3;
  const RaySolution x = SolveRayClosely(ray, t);
  if (x.verdict == RayVerdict::kUndecided) return;
  ++tally->closely;
  Arithmetic used = Arithmetic::kDouble;
  const auto hit = exact::Intersect(ray, t, 1e300, &used);
  ASSERT_EQ(x.verdict == RayVerdict::kHit, hit.has_value());
  if (!hit) return;
  EXPECT_EQ(x.t, hit->t);
  EXPECT_EQ(HitAt(t, x.t, x.v, x.w).barycentric, hit->barycentric);
}

// A ray from next to an edge along it, `off` the plane.
Ray AlongAnEdge(const Triangle& t, double off) {
  const Vec3 along = t.b - t.a;
  const Vec3 n = Cross(along, t.c - t.a);
  return {(t.a + t.b) * 0.5 - along * 3 + n * off, along};
}

TEST(RayColumnsTest, NearlyAllMissesOfGrazingRaysAreSeen) {
  trees::OnEachInstructionSet([] {
    meshes::Random random(1);
    Tally tally;
    for (int i = 0; i < 150; ++i) {
      const Triangle t{random.Point(-1, 1), random.Point(-1, 1),
                       random.Point(-1, 1)};
      const double off[] = {0, 1e-16, 1e-12, 1e-3};
      const Ray ray = AlongAnEdge(t, off[i % 4]);
      Check(ray, t, &tally);
      Check(ray, {t.b, t.a, random.Point(-1, 1)}, &tally);
      Check(ray, {t.b, random.Point(-1, 1), random.Point(-1, 1)}, &tally);
    }
    EXPECT_GT(tally.missed, tally.queried / 3);
    EXPECT_GE(tally.known_missed, 0.95 * tally.missed);
    EXPECT_GE(tally.closely, 0.95 * tally.queried);
  });
}

// Small whole numbers make every coincidence; scales, what over- or underflows.
TEST(RayColumnsTest, WhatIsCertainIsTrue) {
  trees::OnEachInstructionSet([] {
    meshes::Random random(2);
    Tally tally;
    for (const double scale : {1.0, 1e-310, 1e-290, 1e-105, 1e90, 1e290}) {
      for (const double stretch : {1.0, 1e-200, 1e200}) {
        for (int i = 0; i < 25; ++i) {
          const Ray ray{random.LatticePoint(2) * scale,
                        random.LatticePoint(2) * scale * stretch};
          if (ray.direction == Vec3{} || !IsFinite(ray.direction)) continue;
          Check(ray,
                {random.LatticePoint(2) * scale, random.LatticePoint(2) * scale,
                 random.LatticePoint(2) * scale},
                &tally);
        }
      }
    }
    EXPECT_GT(tally.known_missed, tally.missed / 8);
    EXPECT_GT(tally.known_corners, 0);
  });
}

// Rays through corners and along edges whose coordinates take many digits.
TEST(RayColumnsTest, CornersAreSeenWhereWaysToThemAreExact) {
  trees::OnEachInstructionSet([] {
    meshes::Random random(3);
    Tally tally;
    const auto corner = [&random] {
      // Multiples of 2^-40, so that differences and ways back are exact.
      const Vec3 p = random.Point(-1, 1) * 0x1p40;
      return Vec3{std::floor(p.x), std::floor(p.y), std::floor(p.z)} * 0x1p-40;
    };
    for (int i = 0; i < 200; ++i) {
      const Triangle t{corner(), corner(), corner()};
      const double away[] = {3, -3, 0, -0.5, 0.5, -2};
      const Vec3 along = i % 2 == 0 ? t.b - t.a : corner();
      Check({t.a - along * away[i % 6], along}, t, &tally);
      Check({t.a - along * away[i % 6], along}, {t.b, corner(), t.a}, &tally);
    }
    EXPECT_GT(tally.known_corners, 0.9 * tally.queried);
  });
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
