// SPDX-License-Identifier: Apache-2.0

// Compares Orbox with CGAL's exact kernel (cgal_shapes.h), triangle by
// triangle. Triangles without area, which CGAL's preconditions exclude, are
// left out. If the two differ, rationals decide which is wrong.
#include <cmath>
#include <cstdio>
#include <limits>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/distance_bounds.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/differential/cgal_shapes.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

using cgal::Holds;
using cgal::Kernel;
using cgal::Number;
using cgal::ToCgal;

// Transformation of the pairs of a kind.
struct Placement {
  double scale;
  Vec3 shift;
};
const Placement kPlacements[] = {
    {1, {0, 0, 0}},        {1, {0x1p20, -0x1p20, 0x1p20}}, {0x1p-30, {0, 0, 0}},
    {1e-12, {1e-3, 0, 0}}, {0.001, {1000, 1000, -1000}},
};

class CgalDifferential : public testing::TestWithParam<TriangleKind> {};

TEST_P(CgalDifferential, PairsOfTrianglesAreTheSame) {
  int queried = 0;
  int left_out = 0;
  int distances = 0;
  for (const Placement& place : kPlacements) {
    TriangleCases cases(GetParam(), 11);
    for (int i = 0; i < 2000; ++i) {
      auto [s, t] = cases.Next();
      s = Transformed(s, place.scale, place.shift);
      t = Transformed(t, place.scale, place.shift);
      const auto cs = ToCgal(s);
      const auto ct = ToCgal(t);
      if (cs.is_degenerate() || ct.is_degenerate()) {
        ++left_out;
        continue;
      }
      ++queried;
      EXPECT_EQ(Overlaps(s, t), CGAL::do_intersect(cs, ct))
          << i << ": rationals say " << oracle::Overlaps(s, t);
      if (i % 4 != 0) continue;
      distances += 2;
      EXPECT_TRUE(
          Holds(BoundsOfSquaredDistance(s, t), CGAL::squared_distance(cs, ct)))
          << i;
      EXPECT_TRUE(Holds(BoundsOfSquaredDistance(s.a, t),
                        CGAL::squared_distance(ToCgal(s.a), ct)))
          << i;
    }
  }
  std::printf("%d pairs and %d distances asked, %d left out (no area)\n",
              queried, distances, left_out);
}

TEST_P(CgalDifferential, RaysAndBoxesAreTheSame) {
  int queried = 0;
  for (const Placement& place : kPlacements) {
    TriangleCases cases(GetParam(), 12);
    for (int i = 0; i < 1000; ++i) {
      auto [s, t] = cases.Next();
      s = Transformed(s, place.scale, place.shift);
      t = Transformed(t, place.scale, place.shift);
      const auto ct = ToCgal(t);
      if (ct.is_degenerate()) continue;
      const Ray ray{s.a, s.b - s.a};
      if (ray.direction != Vec3{}) {
        const Vec3& d = ray.direction;
        const Kernel::Ray_3 cgal(ToCgal(s.a), Kernel::Vector_3(d.x, d.y, d.z));
        ++queried;
        EXPECT_EQ(Overlaps(ray, t, std::numeric_limits<double>::infinity()),
                  CGAL::do_intersect(cgal, ct))
            << i;
      }
      const Aabb box = BoundsOf(s);
      if (box.lo.x < box.hi.x && box.lo.y < box.hi.y && box.lo.z < box.hi.z) {
        ++queried;
        const Kernel::Iso_cuboid_3 cuboid(ToCgal(box.lo), ToCgal(box.hi));
        EXPECT_EQ(Overlaps(box, t), CGAL::do_intersect(cuboid, ct)) << i;
      }
      ++queried;
      const double radius = Norm(s.b - s.a);
      const Number squared = CGAL::squared_distance(ToCgal(s.a), ct);
      EXPECT_EQ(Overlaps(Sphere{s.a, radius}, t),
                squared <= Number(radius) * Number(radius))
          << i;
    }
  }
  std::printf("%d rays, boxes and balls asked\n", queried);
}

INSTANTIATE_TEST_SUITE_P(Kinds, CgalDifferential,
                         testing::ValuesIn(kTriangleKinds),
                         [](const auto& kind) { return NameOf(kind.param); });

}  // namespace
}  // namespace orbox
