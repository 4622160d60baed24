// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_region_overlap.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/triangles/half_spaces.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

template <typename Shape>
void CheckRegion(const scenes::Cast& cast, const Scene& scene,
                 const Shape& shape) {
  std::vector<BodyTriangle> triangles;
  std::vector<BodyId> bodies;
  scenes::ForEachTriangle(cast,
                          [&](BodyId body, uint32_t id, const Triangle& t) {
                            if (!Overlaps(shape, t)) return;
                            triangles.push_back({body, id});
                            if (bodies.empty() || bodies.back() != body)
                              bodies.push_back(body);
                          });
  EXPECT_EQ(AllOverlappingTriangles(scene, shape), triangles);
  EXPECT_EQ(AllOverlaps(scene, shape), bodies);
  EXPECT_EQ(AnyOverlap(scene, shape), !bodies.empty());
  // Excepting the first body gives the results without it.
  if (bodies.empty()) return;
  const BodyFilter filter{bodies[0]};
  EXPECT_EQ(AllOverlaps(scene, shape, filter),
            std::vector(bodies.begin() + 1, bodies.end()));
  std::erase_if(triangles,
                [&](const BodyTriangle& t) { return t.body == bodies[0]; });
  EXPECT_EQ(AllOverlappingTriangles(scene, shape, filter), triangles);
}

Obb RandomObb(meshes::Random& random) {
  const Vec3 center = random.Point(-0.5, 3.5);
  const Vec3 axis = random.Direction();
  const Pose turn = Pose::Rotation(axis, random.Uniform(-3, 3));
  Obb box;
  box.center = center;
  for (int i = 0; i < 3; ++i) box.axes[i] = turn.rows[i];
  box.half_extents = random.Point(0, 1);
  if (random.Below(4) == 0) box.half_extents.y = 0;  // flat
  if (random.Below(4) == 0) box.half_extents.z = 5;  // long
  return box;
}

std::vector<HalfSpace> RandomHalfSpaces(meshes::Random& random) {
  const Vec3 inside = random.Point(0, 3);
  std::vector<HalfSpace> set;
  for (size_t n = random.Below(6) + 1; n > 0; --n) {
    const Vec3 normal = random.Direction() * random.Uniform(0.1, 9);
    set.push_back({normal, Dot(normal, inside) + random.Uniform(-0.2, 3)});
  }
  return set;
}

TEST(SceneRegionOverlapTest, RegionsHoldWhatBruteForceFinds) {
  meshes::Random random(2);
  const scenes::Cast cast = scenes::MixedCrowd(20, 3);
  const Scene scene = scenes::Make(cast);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    CheckRegion(cast, scene,
                Sphere{random.Point(-1, 4), random.Uniform(0, 1.5)});
    const Vec3 lo = random.Point(-1, 3);
    Aabb box{lo, lo + random.Point(0, 2)};
    if (i % 4 == 0) box.hi.y = box.lo.y;      // flat
    if (i % 7 == 0) box.hi.x = box.lo.x + 9;  // long
    CheckRegion(cast, scene, box);
    CheckRegion(cast, scene, RandomObb(random));
    CheckRegion(cast, scene, HalfSpaces(RandomHalfSpaces(random)));
  }
  CheckRegion(cast, scene, Sphere{{0, 0, 0}, 100});
  CheckRegion(cast, scene, Aabb{{-100, -100, -100}, {100, 100, 100}});
  CheckRegion(cast, scene, HalfSpaces());
}

TEST(SceneRegionOverlapTest, TouchingIsOverlappingToTheLastBit) {
  const scenes::Cast cast = scenes::MixedCrowd(20, 3);
  const Scene scene = scenes::Make(cast);
  meshes::Random random(3);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const PosedTree posed = scenes::Posed(cast[i % cast.size()]);
    const Vec3 p =
        posed.triangle(random.Below(posed.tree().mesh().triangle_count())).b;
    // A box and planes that end at a moved vertex, or just before it.
    for (const double x : {p.x, std::nextafter(p.x, -9.0)}) {
      CheckRegion(cast, scene, Aabb{{-9, p.y, p.z}, {x, p.y, p.z}});
      const HalfSpace planes[] = {{{1, 0, 0}, x}, {{0, -1, 0}, -p.y}};
      CheckRegion(cast, scene, HalfSpaces(planes));
      Obb box;
      box.half_extents = {std::abs(x), 9, 9};
      CheckRegion(cast, scene, box);
    }
  }
}

// Axes at odd angles: the slabs are what counts.
TEST(SceneRegionOverlapTest, SkewedBoxesAreTheirSlabs) {
  meshes::Random random(4);
  const scenes::Cast cast = scenes::MixedCrowd(12, 3);
  const Scene scene = scenes::Make(cast);
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    Obb box = RandomObb(random);
    for (Vec3& axis : box.axes) {
      axis = axis + random.Direction() * (i % 2 == 0 ? 0.5 : 1e-9);
    }
    CheckRegion(cast, scene, box);
  }
}

TEST(SceneRegionOverlapTest, RegionsMayBeInfiniteAndMayBeEmpty) {
  const scenes::Cast cast = scenes::MixedCrowd(12, 3);
  const Scene scene = scenes::Make(cast);
  const auto all = AllOverlappingTriangles(scene, Sphere{{0, 0, 0}, 100});
  EXPECT_EQ(AllOverlappingTriangles(scene, Sphere{{0, 0, 0}, kInf}), all);
  const Vec3 end{kInf, kInf, kInf};
  EXPECT_EQ(AllOverlappingTriangles(scene, Aabb{-end, end}), all);
  EXPECT_EQ(
      AllOverlappingTriangles(scene, Aabb{{1, -kInf, -kInf}, end}),
      AllOverlappingTriangles(scene, Aabb{{1, -100, -100}, {100, 100, 100}}));
  EXPECT_TRUE(AllOverlappingTriangles(scene, Aabb{end, end}).empty());
  EXPECT_TRUE(
      AllOverlappingTriangles(scene, Aabb{{1, 0, 0}, {0, 1, 1}}).empty());
  const HalfSpace none[] = {{{0, 0, 0}, -1}};
  EXPECT_FALSE(AnyOverlap(scene, HalfSpaces(none)));
  const HalfSpace every[] = {{{1, 2, 3}, kInf}};
  EXPECT_EQ(AllOverlappingTriangles(scene, HalfSpaces(every)), all);
  const Scene nobody;
  EXPECT_TRUE(AllOverlaps(nobody, Sphere{{0, 0, 0}, 1}).empty());
}

TEST(SceneRegionOverlapTest, ABatchHasTheAnswersOfItsRegions) {
  const Scene scene = scenes::Make(scenes::MixedCrowd(20, 3));
  meshes::Random random(7);
  std::vector<Region> regions = {Sphere{{0, 0, 0}, 0}};
  std::vector<std::vector<HalfSpace>> sets;
  for (int i = 0; i < 100; ++i) sets.push_back(RandomHalfSpaces(random));
  for (int i = 0; i < 100; ++i) {
    regions.emplace_back(RandomObb(random));
    regions.emplace_back(Sphere{random.Point(-1, 4), random.Uniform(0, 1.5)});
    regions.emplace_back(sets[i]);
  }
  const BodyFilter filter{3};
  const RunOptions run{.threads = 3};
  const auto any = AnyOverlap(scene, regions, filter, run).value();
  const auto bodies = AllOverlaps(scene, regions, filter, run).value();
  const auto triangles =
      AllOverlappingTriangles(scene, regions, filter, run).value();
  ASSERT_EQ(triangles.size(), regions.size());
  for (size_t i = 0; i < regions.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(any[i] != 0, AnyOverlap(scene, regions[i], filter));
    EXPECT_THAT(bodies[i], testing::ElementsAreArray(
                               AllOverlaps(scene, regions[i], filter)));
    EXPECT_THAT(triangles[i], testing::ElementsAreArray(AllOverlappingTriangles(
                                  scene, regions[i], filter)));
  }
  const std::vector<Sphere> balls(10, Sphere{{1, 1, 1}, 1});
  EXPECT_EQ(AllOverlaps(scene, balls).value().size(), 10);
  EXPECT_EQ(AllOverlaps(scene, balls, {}, {.threads = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(SceneRegionOverlapTest, StatisticsCountBodiesThatMovedAndThatStand) {
  const HalfSpace planes[] = {{{1, 0, 0}, 0.5}};
  Obb turned;
  turned.half_extents = {1, 1, 0};
  const Region regions[] = {Sphere{{0, 0, 0}, 0.5}, turned,
                            Aabb{{0, 0, 0}, {0.5, 0.5, 0.5}},
                            HalfSpaces(planes)};
  for (const Pose& pose : {Pose{}, Pose::Rotation({0, 0, 1}, 0.3)}) {
    Scene scene;
    ASSERT_TRUE(scene.Add(trees::Make(meshes::Cube()), pose).ok());
    scene.Update();
    for (const Region& region : regions) {
      TraversalStatistics statistics;
      EXPECT_FALSE(AllOverlappingTriangles(scene, region, {},
                                           {.statistics = &statistics})
                       .value()
                       .empty());
      EXPECT_GT(statistics.triangle_tests, 0);
    }
  }
}

TEST(SceneRegionOverlapTest, QueriesAreCancelled) {
  const Scene scene = scenes::Make(scenes::MixedCrowd(20, 3));
  const Sphere ball{{1.5, 1.5, 1.5}, 1.5};
  const std::atomic<bool> cancelled = true;
  const RunOptions options{.cancelled = &cancelled};
  for (const absl::Status& status :
       {AnyOverlap(scene, ball, {}, options).status(),
        AllOverlaps(scene, ball, {}, options).status(),
        AllOverlappingTriangles(scene, ball, {}, options).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  }
}

TEST(SceneRegionOverlapTest, SmallAndLargeScenesAnswerAsTheOriginal) {
  const scenes::Cast cast = scenes::Crowd(12, 2, 5);
  const Scene scene = scenes::Make(cast);
  meshes::Random random(6);
  for (const double factor : {0x1p-140, 0x1p-60, 0x1p60, 0x1p190}) {
    SCOPED_TRACE(factor);
    const Scene other = scenes::Make(scenes::Scaled(cast, factor));
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = random.Point(-1, 3);
      EXPECT_EQ(
          AllOverlappingTriangles(other, Sphere{p * factor, 0.5 * factor}),
          AllOverlappingTriangles(scene, Sphere{p, 0.5}));
      const Aabb box{p, p + random.Point(0, 1)};
      EXPECT_EQ(AllOverlappingTriangles(other,
                                        Aabb{box.lo * factor, box.hi * factor}),
                AllOverlappingTriangles(scene, box));
      Obb turned = RandomObb(random);
      const auto expected = AllOverlappingTriangles(scene, turned);
      turned.center = turned.center * factor;
      turned.half_extents = turned.half_extents * factor;
      EXPECT_EQ(AllOverlappingTriangles(other, turned), expected);
    }
  }
}

}  // namespace
}  // namespace orbox
