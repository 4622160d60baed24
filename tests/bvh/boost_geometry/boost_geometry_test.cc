// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/boost_geometry/boost_geometry.h"

#include <algorithm>
#include <boost/geometry.hpp>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/boost_boxes.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

namespace bg = boost::geometry;
using boost_boxes::Box;
using boost_boxes::BoxOf;
using boost_boxes::Point;
using boost_boxes::PointOf;
using boost_boxes::ToBox;

TEST(BoostGeometryTest, VectorsAndBoxesAreBoosts) {
  EXPECT_EQ(bg::distance(Vec3{1, 2, 3}, Point(1, 2, 5)), 2);
  EXPECT_EQ(bg::distance(Vec3f{1, 2, 3}, Vec3f{1, 2, 5}), 2);
  const Aabb box{{0, 0, 0}, {1, 2, 3}};
  EXPECT_TRUE(bg::intersects(box, ToBox({{1, 2, 3}, {4, 4, 4}})));
  EXPECT_FALSE(bg::intersects(box, Box{{1.5, 2, 3}, {4, 4, 4}}));
  Aabb grown = box;
  bg::expand(grown, Vec3{5, -1, 1});
  EXPECT_EQ(grown.lo, (Vec3{0, -1, 0}));
  EXPECT_EQ(grown.hi, (Vec3{5, 2, 3}));
  EXPECT_EQ(bg::return_centroid<Vec3>(box), (Vec3{0.5, 1, 1.5}));
}

TEST(BoostGeometryTest, TrianglesAreRingsOfThreePoints) {
  const Triangle t{{0, 0, 0}, {3, 0, 0}, {3, 4, -1}};
  EXPECT_EQ(bg::num_points(t), 3u);
  double sum = 0;
  bg::for_each_point(t, [&](const Vec3& p) { sum += p.x + 10 * p.y + p.z; });
  EXPECT_EQ(sum, 45);
  const Aabb box = bg::return_envelope<Aabb>(t);
  EXPECT_EQ(box.lo, BoundsOf(t).lo);
  EXPECT_EQ(box.hi, BoundsOf(t).hi);
  // Open: the side from c back to a counts.
  const Triangle right{{0, 0, 0}, {3, 0, 0}, {3, 4, 0}};
  EXPECT_EQ(bg::perimeter(right), 12);
}

TEST(BoostGeometryTest, MeshesAreRangesOfTriangles) {
  const Mesh cube = meshes::Cube();
  const auto triangles = TrianglesOf(cube);
  ASSERT_EQ(triangles.size(), cube.triangle_count());
  for (size_t id = 0; id < cube.triangle_count(); ++id) {
    EXPECT_EQ(triangles[id], cube.triangle(id));
  }
  static_assert(std::random_access_iterator<MeshTriangles::iterator>);
  const std::vector<Triangle> copies(triangles.begin(), triangles.end());
  ASSERT_EQ(copies.size(), cube.triangle_count());
  EXPECT_EQ(copies.back(), *(triangles.end() - 1));
  const auto found = std::ranges::find(triangles, copies[5]);
  EXPECT_EQ(found - triangles.begin(), 5);
}

TEST(BoostGeometryTest, CoordinatesAreRoundedOutwardIfTheyHaveToBe) {
  // 2^53 + 1 and 1 + 2^-60 are between doubles.
  const BoxOf<int64_t> large{{(int64_t{1} << 53) + 1, -(int64_t{1} << 53) - 1,
                              std::numeric_limits<int64_t>::min()},
                             {(int64_t{1} << 53) + 1, -(int64_t{1} << 53) - 1,
                              std::numeric_limits<int64_t>::max()}};
  const Aabb rounded = ToAabb(large);
  EXPECT_EQ(rounded.lo, (Vec3{0x1p53, -0x1p53 - 2, -0x1p63}));
  EXPECT_EQ(rounded.hi, (Vec3{0x1p53 + 2, -0x1p53, 0x1p63}));
  if (std::numeric_limits<long double>::digits > 60) {
    const BoxOf<long double> fine{{1 + 0x1p-60L, -1 - 0x1p-60L, 3},
                                  {1 + 0x1p-60L, -1 - 0x1p-60L, 3}};
    EXPECT_EQ(ToAabb(fine).lo, (Vec3{1, -1 - 0x1p-52, 3}));
    EXPECT_EQ(ToAabb(fine).hi, (Vec3{1 + 0x1p-52, -1, 3}));
  }
  const Aabb exact{{0.1, -0.1, 1e300}, {0.2, 5e-324, kInf}};
  EXPECT_EQ(ToAabb(ToBox(exact)).lo, exact.lo);
  EXPECT_EQ(ToAabb(ToBox(exact)).hi, exact.hi);
  const Aabbf narrow = ToAabb<float>(exact);
  EXPECT_LT(narrow.lo.y, -0.1);
  EXPECT_EQ(narrow.lo.z, std::numeric_limits<float>::max());
  EXPECT_EQ(narrow.hi.y, std::numeric_limits<float>::denorm_min());
  EXPECT_TRUE(std::isnan(ToAabb(Box{{kNan, 0, 0}, {1, 1, 1}}).lo.x));
}

TEST(BoostGeometryTest, QueriesTakeAnyPointAndBox) {
  const Mesh mesh = meshes::Torus(20, 10);
  const Tree tree = trees::Make(mesh);
  const BoxOf<float> box{{0.5f, -0.25f, -1}, {1.5f, 0.25f, 1}};
  const Aabb ours{{0.5, -0.25, -1}, {1.5, 0.25, 1}};
  const std::vector<uint32_t> expected = AllOverlaps(tree, ours);
  ASSERT_THAT(expected, testing::Not(testing::IsEmpty()));
  EXPECT_EQ(AllOverlaps(tree, box), expected);
  EXPECT_EQ(CountOverlaps(tree, box), expected.size());
  EXPECT_TRUE(AnyOverlap(tree, box));
  EXPECT_FALSE(AnyOverlap(tree, BoxOf<int>{{5, 5, 5}, {6, 6, 6}}));
  std::vector<uint32_t> ids;
  VisitOverlaps(tree, box, [&](uint32_t id) {
    ids.push_back(id);
    return Visit::kContinue;
  });
  EXPECT_THAT(ids, testing::UnorderedElementsAreArray(expected));
  ids.clear();
  AppendOverlaps(tree, box, &ids);
  EXPECT_EQ(ids, expected);

  const Vec3 p{3, 1, 2};
  const auto hit = ClosestPoint(tree, PointOf<int>(3, 1, 2));
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->distance, ClosestPoint(tree, p)->distance);
  EXPECT_EQ(hit->triangle, ClosestPoint(tree, p)->triangle);
  EXPECT_EQ(KNearest(tree, PointOf<float>(3, 1, 2), 3)[2].triangle,
            KNearest(tree, p, 3)[2].triangle);
}

}  // namespace
}  // namespace orbox
