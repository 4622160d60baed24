// SPDX-License-Identifier: Apache-2.0

// Expectations of witnesses: of triangles that are equally near, queries may
// report any, but the answer has to hold.
#ifndef ORBOX_TESTS_SUPPORT_WITNESSES_H_
#define ORBOX_TESTS_SUPPORT_WITNESSES_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {

inline void ExpectSame(const Witness& x, const Witness& y) {
  EXPECT_EQ(x.distance, y.distance);
  EXPECT_EQ(x.triangles, y.triangles);
  EXPECT_EQ(x.on_a, y.on_a);
  EXPECT_EQ(x.on_b, y.on_b);
}

inline void ExpectSame(const SurfacePoint& x, const SurfacePoint& y) {
  EXPECT_EQ(x.triangle, y.triangle);
  EXPECT_EQ(x.distance, y.distance);
  EXPECT_EQ(x.point, y.point);
}

// That a query for k found the first of `all`, which brute force sorted.
inline void ExpectSame(const std::vector<SurfacePoint>& found,
                       const std::vector<SurfacePoint>& all, size_t k) {
  ASSERT_EQ(found.size(), std::min(k, all.size()));
  for (size_t i = 0; i < found.size(); ++i) ExpectSame(found[i], all[i]);
}

// Like the check above, if any of those that are as near as the last may be
// found.
inline void ExpectAsNear(const std::vector<SurfacePoint>& found,
                         const std::vector<SurfacePoint>& all, size_t k) {
  ASSERT_EQ(found.size(), std::min(k, all.size()));
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].distance, all[i].distance);
    const auto one =
        std::find_if(all.begin(), all.end(), [&](const SurfacePoint& near) {
          return near.triangle == found[i].triangle;
        });
    ASSERT_NE(one, all.end());
    ExpectSame(found[i], *one);
    // Ascending where they are as near, and each once.
    if (i > 0 && found[i].distance == found[i - 1].distance) {
      EXPECT_GT(found[i].triangle, found[i - 1].triangle);
    }
  }
}

// Checks that a point is on a triangle, to within the rounding of doubles of
// this size.
inline void ExpectIsOn(const Triangle& t, const Vec3& p) {
  double size = MaxCoordinate(Abs(p));
  for (const Vec3& v : {t.a, t.b, t.c}) {
    size = std::max(size, MaxCoordinate(Abs(v)));
  }
  EXPECT_LE(Distance(p, t).distance, size * 0x1p-47);
}

// Checks that the meshes' distance is `least`, bit for bit, and that of the two
// reported triangles, and that the points are on these and as far apart.
inline void ExpectIsClosest(const Witness& found, const Mesh& a, const Mesh& b,
                            double least) {
  EXPECT_EQ(found.distance, least);
  ASSERT_LT(found.triangles.a, a.triangle_count());
  ASSERT_LT(found.triangles.b, b.triangle_count());
  const Triangle s = a.triangle(found.triangles.a);
  const Triangle t = b.triangle(found.triangles.b);
  const TrianglePairDistance d = Distance(s, t);
  EXPECT_EQ(d.distance, least);
  EXPECT_EQ(d.on_first, found.on_a);
  EXPECT_EQ(d.on_second, found.on_b);
  ExpectIsOn(s, found.on_a);
  ExpectIsOn(t, found.on_b);
}

// Like the check above, for a point and a mesh.
inline void ExpectIsClosest(const SurfacePoint& found, const Mesh& mesh,
                            const Vec3& p, double least) {
  EXPECT_EQ(found.distance, least);
  ASSERT_LT(found.triangle, mesh.triangle_count());
  const Triangle t = mesh.triangle(found.triangle);
  const PointTriangleDistance d = Distance(p, t);
  EXPECT_EQ(d.distance, least);
  EXPECT_EQ(d.closest, found.point);
  ExpectIsOn(t, found.point);
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_WITNESSES_H_
