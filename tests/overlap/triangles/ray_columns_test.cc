// SPDX-License-Identifier: Apache-2.0

// What doubles, side by side, say of rays that graze triangles: certain misses
// are misses, and hardly any is not seen. The same of one ray and one triangle
// by volumes, which tell hits apart as well.
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

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

uint32_t MissesOf(const Ray& ray, const Triangle* triangles, size_t count) {
  TriangleColumns columns;
  for (size_t i = 0; i < kColumns; ++i) {
    columns.Set(i, triangles[i < count ? i : 0]);
  }
  return CertainMisses(ray, columns, count);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/internal/exact_ray.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {

HWY_EXPORT(MissesOf);

namespace {

struct Tally {
  int missed = 0;       // by the line
  int told_missed = 0;  // by columns
  int closely = 0;      // told by volumes, of missed and hit
  int asked = 0;
};

// By the ladder alone.
bool MeetsLine(const Ray& ray, const Triangle& t) {
  Arithmetic used = Arithmetic::kDouble;
  const double most = 1e300;
  return exact::Intersect(ray, t, most, &used) ||
         exact::Intersect({ray.origin, -ray.direction}, t, most, &used);
}

void Check(const Ray& ray, const Triangle& t, Tally* tally) {
  const Triangle triangles[] = {t, {t.b, t.c, t.a}, {t.a, t.c, t.b}};
  const uint32_t missed = ORBOX_DYNAMIC_DISPATCH(MissesOf)(ray, triangles, 3);
  const bool meets = MeetsLine(ray, t);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE((missed >> i & 1) != 0 && meets);
  ++tally->asked;
  tally->missed += !meets;
  tally->told_missed += missed & 1;
  const RaySolution x = SolveRayClosely(ray, t);
  if (x.verdict == RayVerdict::kOpen) return;
  ++tally->closely;
  Arithmetic used = Arithmetic::kDouble;
  const auto hit = exact::Intersect(ray, t, 1e300, &used);
  ASSERT_EQ(x.verdict == RayVerdict::kHit, hit.has_value());
  if (!hit) return;
  EXPECT_EQ(x.t, hit->t);
  EXPECT_EQ(HitAt(t, x.t, x.v, x.w).barycentric, hit->barycentric);
}

// A ray from beside an edge along it, `off` the plane.
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
    EXPECT_GT(tally.missed, tally.asked / 3);
    EXPECT_GE(tally.told_missed, 0.95 * tally.missed);
    EXPECT_GE(tally.closely, 0.95 * tally.asked);
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
    EXPECT_GT(tally.told_missed, tally.missed / 8);
  });
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
