// SPDX-License-Identifier: Apache-2.0

// Many queries under way at a time find what each finds alone, to the last bit.
#include "orbox/bvh/query/points/internal/nearest_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/overlap/base/instruction_set.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// Far, near, on vertices, and between.
std::vector<Vec3> Points(const Mesh& mesh, meshes::Random& random) {
  const Aabb& b = mesh.bounds();
  const double size = Norm(b.hi - b.lo);
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) {
    const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
    points.push_back(b.Center() + random.Point(-1, 1) * size);
    points.push_back(t.a * 0.3 + t.b * 0.5 + t.c * 0.2 +
                     random.Direction() * (1e-4 * size));
    points.push_back(t.b);
    points.push_back((t.a + t.b) * 0.5);
  }
  return points;
}

// A batch of the points of `order`.
void ExpectAsAlone(const Tree& tree, const std::vector<Vec3>& points,
                   const std::vector<uint32_t>& order, double max_distance) {
  std::vector<Vec3> queried;
  for (const uint32_t i : order) queried.push_back(points[i]);
  const auto results = ClosestPoint(tree, queried, max_distance);
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), queried.size());
  for (size_t i = 0; i < queried.size(); ++i) {
    const auto expected = ClosestPoint(tree, queried[i], max_distance);
    const auto& result = (*results)[i];
    ASSERT_EQ(result.has_value(), expected.has_value()) << i;
    if (!expected.has_value()) continue;
    EXPECT_EQ(result->triangle, expected->triangle) << i;
    EXPECT_EQ(result->distance, expected->distance) << i;
    EXPECT_EQ(result->point, expected->point) << i;
  }
}

class NearestSearchTest : public ::testing::Test {
 protected:
  ~NearestSearchTest() override { SetInstructionSet(std::nullopt); }
};

TEST_F(NearestSearchTest, EachFindsWhatItFindsAlone) {
  meshes::Random random(3);
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const std::vector<Vec3> points = Points(m.mesh, random);
    std::vector<uint32_t> all(points.size());
    std::iota(all.begin(), all.end(), 0u);
    const Aabb& b = m.mesh.bounds();
    const double near = 0.05 * Norm(b.hi - b.lo);
    for (const trees::Named& v : trees::Variants(m.mesh)) {
      SCOPED_TRACE(v.name);
      ExpectAsAlone(v.tree, points, all, kInf);
      ExpectAsAlone(v.tree, points, all, near);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(NearestSearchTest, FewQueriesAndBadRadii) {
  meshes::Random random(4);
  const Mesh mesh = meshes::Grid(8, 0.1);
  const Tree tree = trees::Variants(mesh).front().tree;
  std::vector<Vec3> points = Points(mesh, random);
  // Beyond what floats resolve.
  points.push_back({1e30, 0, 0});
  points.push_back({-1e300, 1e300, 0});
  const auto last = static_cast<uint32_t>(points.size() - 1);
  ExpectAsAlone(tree, points, {last, last - 1, 0}, kInf);
  ExpectAsAlone(tree, points, {}, kInf);
  ExpectAsAlone(tree, points, {7}, kInf);
  ExpectAsAlone(tree, points, {7, 3, 40}, 0);
}

// More candidates a query than any list holds.
TEST_F(NearestSearchTest, ManyTrianglesAtOneDistance) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<std::array<uint32_t, 3>> same(1000, {0, 1, 2});
  const auto mesh = Mesh::Create(corners, same);
  ASSERT_TRUE(mesh.ok());
  const Tree tree = trees::Variants(*mesh).front().tree;
  const std::vector<Vec3> points(20, Vec3{0.2, 0.2, 3});
  std::vector<uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0u);
  ExpectAsAlone(tree, points, all, kInf);
}

// Triangles around one corner, some of them several times, and others.
TEST_F(NearestSearchTest, FansAndCopiesAreAsNearAsTheirTriangles) {
  meshes::Random random(8);
  std::vector<Triangle> triangles;
  const Vec3 apex{0.125, 0.25, 0.5};
  for (int i = 0; i < 150; ++i) {
    const Triangle t = {apex, random.Point(-1, 0.5), random.Point(-1, 0.5)};
    triangles.push_back(t);
    triangles.push_back({t.b, t.c, t.a});
    if (i % 3 == 0) triangles.insert(triangles.end(), 4, t);
    if (i % 5 == 0) triangles.push_back({t.a + Vec3{0, 0, 1e-12}, t.b, t.c});
  }
  const Mesh mesh = meshes::FromTriangles(triangles);
  std::vector<Vec3> points = {apex, apex + Vec3{1e-13, 0, 0}};
  for (int i = 0; i < 20; ++i) {
    points.push_back(apex + random.Point(0, 1));
    points.push_back(apex + random.Point(-1e-3, 1e-3));
  }
  std::vector<uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0u);
  for (const trees::Named& v : trees::Variants(mesh)) {
    SCOPED_TRACE(v.name);
    ExpectAsAlone(v.tree, points, all, kInf);
    const auto batch = KNearest(v.tree, points, 10);
    ASSERT_TRUE(batch.ok()) << batch.status();
    for (size_t n = 0; n < points.size(); ++n) {
      const auto expected = brute_force::Nearest(mesh, points[n]);
      const auto found = ClosestPoint(v.tree, points[n]);
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->triangle, expected[0].triangle);
      EXPECT_EQ(found->distance, expected[0].distance);
      const auto expect_nearest = [&](std::span<const SurfacePoint> nearest,
                                      size_t k) {
        ASSERT_EQ(nearest.size(), k);
        for (size_t i = 0; i < k; ++i) {
          EXPECT_EQ(nearest[i].triangle, expected[i].triangle) << i;
          EXPECT_EQ(nearest[i].distance, expected[i].distance) << i;
        }
      };
      expect_nearest((*batch)[n], 10);
      for (const size_t k : {10, 40, 80}) {
        expect_nearest(KNearest(v.tree, points[n], k), k);
      }
    }
  }
}

// Below the apex of a cone all triangles are equally near except for the last
// bits. The apex is `height` above the rim.
Mesh ConeOf(uint32_t count, double height) {
  std::vector<Vec3> vertices = {{0, 0, height}, {0, 0, -1}};
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    vertices.push_back({std::cos(angle), std::sin(angle), 0});
    const uint32_t next = (i + 1) % count + 2;
    triangles.push_back({0, i + 2, next});
    triangles.push_back({1, next, i + 2});
  }
  return meshes::Make(std::move(vertices), std::move(triangles));
}

TEST_F(NearestSearchTest, BelowTheApexOfAConeTheLowestIsFound) {
  const Mesh mesh = ConeOf(500, 0.5);
  std::vector<Vec3> points;
  meshes::Random random(9);
  for (int i = 0; i < 12; ++i) {
    points.push_back({0, 0, random.Uniform(-0.9, 0.49)});
    points.push_back(points.back() + random.Point(-1e-9, 1e-9));
  }
  std::vector<uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0u);
  for (const trees::Named& v : trees::Variants(mesh)) {
    SCOPED_TRACE(v.name);
    ExpectAsAlone(v.tree, points, all, kInf);
    const SignedDistanceField field =
        SignedDistanceField::Create(v.tree).value();
    for (const Vec3& p : points) {
      const auto expected = brute_force::Nearest(mesh, p);
      const auto found = ClosestPoint(v.tree, p);
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->triangle, expected[0].triangle);
      EXPECT_EQ(found->distance, expected[0].distance);
      EXPECT_EQ(found->point, expected[0].point);
      EXPECT_EQ(field.Distance(p), -expected[0].distance);
      for (const size_t k : {10, 40, 80}) {
        const auto nearest = KNearest(v.tree, p, k);
        ASSERT_EQ(nearest.size(), k);
        for (size_t i = 0; i < k; ++i) {
          EXPECT_EQ(nearest[i].triangle, expected[i].triangle) << i;
          EXPECT_EQ(nearest[i].distance, expected[i].distance) << i;
        }
      }
      // The triangles whose distance rounds to the largest distance may be
      // beyond it.
      const double within = expected[0].distance;
      const auto first = std::find_if(
          expected.begin(), expected.end(), [&](const SurfacePoint& near) {
            return WithinDistance(p, mesh.triangle(near.triangle), within);
          });
      const auto nearest = ClosestPoint(v.tree, p, within);
      ASSERT_EQ(nearest.has_value(), first->distance == within);
      if (nearest) {
        EXPECT_EQ(nearest->triangle, first->triangle);
      }
    }
  }
}

// The point of the nearest triangle rounds to a corner that is the closest
// point of all others, which are farther away by a part in a billion.
TEST_F(NearestSearchTest, APointThatRoundsToACornerIsNotTheCorner) {
  const Vec3 corner{1, 1, 1};
  const Vec3 p{1 + 0x1p-43, 1, 1};
  std::vector<Triangle> triangles;
  for (int i = 0; i < 30; ++i) {
    triangles.push_back({corner, {0.5, 1 + i / 8.0, 2}, {0.5, 1 + i / 8.0, 0}});
  }
  triangles.push_back({corner, {1.0001, 2, 1.5}, {1.0001, 2, 0.5}});
  for (int i = 0; i < 30; ++i) {
    triangles.push_back(
        {corner, {0.25, 1 - i / 8.0, 2}, {0.25, 1 - i / 8.0, 0}});
  }
  const Mesh mesh = meshes::FromTriangles(triangles);
  const Vec3 points[] = {p, p, {2, 1, 1}};
  for (const trees::Named& v : trees::Variants(mesh)) {
    SCOPED_TRACE(v.name);
    const auto expected = brute_force::Nearest(mesh, p);
    ASSERT_EQ(expected[0].triangle, 30u);
    ASSERT_LT(expected[0].distance, expected[1].distance);
    const auto batch = ClosestPoint(v.tree, points);
    ASSERT_TRUE(batch.ok());
    for (const auto& found : {ClosestPoint(v.tree, p), batch->front()}) {
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->triangle, 30u);
      EXPECT_EQ(found->distance, expected[0].distance);
    }
    const auto nearest = KNearest(v.tree, p, 40);
    ASSERT_EQ(nearest.size(), 40u);
    for (size_t i = 0; i < nearest.size(); ++i) {
      EXPECT_EQ(nearest[i].triangle, expected[i].triangle) << i;
      EXPECT_EQ(nearest[i].distance, expected[i].distance) << i;
    }
  }
}

TEST_F(NearestSearchTest, EveryInstructionSetAgrees) {
  meshes::Random random(5);
  const Mesh mesh = meshes::Grid(12, 0.2);
  const std::vector<Vec3> points = Points(mesh, random);
  std::vector<uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0u);
  const Tree tree = trees::Variants(mesh).front().tree;
  for (InstructionSet set : SupportedInstructionSets()) {
    ASSERT_TRUE(SetInstructionSet(set));
    SCOPED_TRACE(std::string(Name(set)));
    ExpectAsAlone(tree, points, all, kInf);
  }
}

// The steps of a batch are those of its queries one by one.
TEST_F(NearestSearchTest, StatisticsOfABatchAreThoseOfItsQueries) {
  meshes::Random random(6);
  const Mesh mesh = meshes::Grid(12, 0.2);
  const Tree tree = trees::Variants(mesh).front().tree;
  const std::vector<Vec3> points = Points(mesh, random);
  TraversalStatistics batch;
  ASSERT_TRUE(ClosestPoint(tree, points, {.statistics = &batch}).ok());
  TraversalStatistics sum;
  for (const Vec3& p : points)
    ClosestPoint(tree, p, {.statistics = &sum}).value();
  EXPECT_EQ(batch, sum);
  EXPECT_GT(sum.triangle_tests, 0u);
}

// The least distance that a rough search reports.
class RoughSink final : public NearestSink {
 public:
  double Offer(uint32_t, const SurfacePoint& near) override {
    if (near.distance < best.distance ||
        (near.distance == best.distance && near.triangle < best.triangle)) {
      best = near;
    }
    return best.distance;
  }

  SurfacePoint best{.triangle = 0, .distance = kInf, .point = {}};
};

TEST_F(NearestSearchTest, RoughDistancesAreALittleLargerInAllTreesAlike) {
  meshes::Random random(11);
  std::vector<meshes::Named> all = meshes::Assortment();
  all.push_back({"large", meshes::Scaled(meshes::Torus(9, 7), 0x1p190)});
  for (const meshes::Named& m : all) {
    SCOPED_TRACE(m.name);
    const Aabb& b = m.mesh.bounds();
    const double reach = MaxCoordinate(Max(Abs(b.lo), Abs(b.hi)));
    const std::vector<trees::Named> variants = trees::Variants(m.mesh);
    for (const Vec3& p : Points(m.mesh, random)) {
      const double exact = ClosestPoint(variants[0].tree, p)->distance;
      std::optional<SurfacePoint> first;
      trees::OnEachInstructionSet([&] {
        for (const trees::Named& variant : variants) {
          RoughSink sink;
          const std::array<uint32_t, 2> order{0, 0};
          for (const size_t count : {1, 2}) {
            SearchNearest(variant.tree,
                          {.points = {&p, 1},
                           .order = {order.data(), count},
                           .is_rough = true},
                          sink, nullptr);
          }
          if (!first) first = sink.best;
          EXPECT_EQ(sink.best.triangle, first->triangle) << variant.name;
          EXPECT_EQ(sink.best.distance, first->distance) << variant.name;
        }
      });
      EXPECT_GE(first->distance, exact * (1 - 0x1p-53));
      const double far = std::max(reach, MaxCoordinate(Abs(p)));
      EXPECT_LE(first->distance, exact * (1 + 0x1p-48) + 0x1p-46 * far);
    }
  }
}

}  // namespace
}  // namespace orbox
