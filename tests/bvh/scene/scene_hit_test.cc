// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_hit.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

void ExpectSame(const BodyHit& x, const BodyHit& y) {
  EXPECT_EQ(x.body, y.body);
  EXPECT_EQ(x.hit.triangle, y.hit.triangle);
  EXPECT_EQ(x.hit.t, y.hit.t);
  EXPECT_EQ(x.hit.point, y.hit.point);
  EXPECT_EQ(x.hit.barycentric, y.hit.barycentric);
}

// In the exact order, by brute force.
std::vector<BodyHit> Expected(const scenes::Cast& cast, const Ray& ray) {
  struct Found {
    BodyHit hit;
    Triangle triangle;
  };
  std::vector<Found> found;
  scenes::ForEachTriangle(cast, [&](BodyId body, uint32_t id,
                                    const Triangle& t) {
    const auto hit = Intersect(ray, t);
    if (!hit || ray.skip == SkipIn(body, id)) return;
    found.push_back({{body, {id, hit->t, hit->barycentric, hit->point}}, t});
  });
  // Bodies and triangles ascend.
  std::stable_sort(found.begin(), found.end(),
                   [&](const Found& x, const Found& y) {
                     return CompareHits(ray, x.triangle, y.triangle) < 0;
                   });
  std::vector<BodyHit> hits;
  for (const Found& f : found) hits.push_back(f.hit);
  return hits;
}

void CheckRay(const scenes::Cast& cast, const Scene& scene, Ray ray,
              double max_t) {
  ray.max_t = std::min(ray.max_t, max_t);
  const auto expected = Expected(cast, ray);
  EXPECT_EQ(AnyHit(scene, ray), !expected.empty());
  const auto all = AllHits(scene, ray);
  ASSERT_EQ(all.size(), expected.size());
  for (size_t i = 0; i < all.size(); ++i) ExpectSame(all[i], expected[i]);
  const auto first = ClosestHit(scene, ray);
  ASSERT_EQ(first.has_value(), !expected.empty());
  if (first) ExpectSame(*first, expected[0]);
}

TEST(SceneHitTest, RaysHitWhatBruteForceHits) {
  meshes::Random random(3);
  const scenes::Cast cast = scenes::MixedCrowd(20, 3);
  const Scene scene = scenes::Make(cast);
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE(i);
    Ray ray{random.Point(-2, 5), random.Direction()};
    if (i % 5 == 0) ray.direction = {0, 0, i % 2 ? 1.0 : -1.0};
    CheckRay(cast, scene, ray, i % 3 == 0 ? random.Uniform(0, 3) : kInf);
  }
}

TEST(SceneHitTest, LimitsOfRays) {
  meshes::Random random(8);
  const scenes::Cast cast = scenes::MixedCrowd(20, 3);
  const Scene scene = scenes::Make(cast);
  size_t count = 0;
  for (int i = 0; i < 100; ++i) {
    const Ray ray{random.Point(-2, 5), random.Direction()};
    for (const BodyHit& h : Expected(cast, ray)) {
      const uint64_t skip = SkipIn(h.body, h.hit.triangle);
      CheckRay(cast, scene, {ray.origin, ray.direction, h.hit.t}, kInf);
      CheckRay(cast, scene, {ray.origin, ray.direction, 0, kInf, skip}, kInf);
      CheckRay(cast, scene,
               {ray.origin, ray.direction, h.hit.t / 2, kInf, skip}, 3);
      CheckRay(cast, scene, {ray.origin, ray.direction, 0, h.hit.t}, kInf);
      ++count;
    }
  }
  EXPECT_GT(count, 20);
}

TEST(SceneHitTest, RaysAtMovedVerticesAndEdgesDoNotSlipThrough) {
  meshes::Random random(4);
  const scenes::Cast cast = scenes::MixedCrowd(12, 3);
  const Scene scene = scenes::Make(cast);
  for (int i = 0; i < 60; ++i) {
    const PosedTree posed = scenes::Posed(cast[i % cast.size()]);
    const Triangle t =
        posed.triangle(random.Below(posed.tree().mesh().triangle_count()));
    const Vec3 eye = random.Point(-3, 6);
    CheckRay(cast, scene, {eye, t.a - eye}, kInf);
    // In the plane of a face of a cube, and level with a vertex.
    CheckRay(cast, scene, {{-9, t.b.y, t.b.z}, {1, 0, 0}}, kInf);
  }
}

TEST(SceneHitTest, TheSameBodyTwiceIsTheLowerOne) {
  const Tree cube = trees::Make(meshes::Cube());
  const Pose turned = Pose::Rotation({0, 0, 1}, 0.3, {1, 2, 3});
  Scene scene;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(scene.Add(cube, turned).ok());
  scene.Update();
  const Ray ray{{9, 9, 9}, {-7.9, -6.7, -5.5}};
  EXPECT_EQ(ClosestHit(scene, ray)->body, 0);
  EXPECT_EQ(ClosestHit(scene, ray, {.except = 0})->body, 1);
}

TEST(SceneHitTest, ABatchHasTheAnswersOfItsRays) {
  const Scene scene = scenes::Make(scenes::MixedCrowd(20, 3));
  meshes::Random random(7);
  std::vector<Ray> rays = {{{0, 0, 0}, {1, 0, 0}}};
  for (int i = 0; i < 300; ++i) {
    const Vec3 origin = random.Point(-2, 5);
    rays.push_back({origin, random.Direction(), 0, 3});
  }
  const BodyFilter alone{.except = 2};
  const RunOptions run{.threads = 3};
  const auto any = AnyHit(scene, rays, alone, run).value();
  const auto first = ClosestHit(scene, rays, alone, run).value();
  const auto all = AllHits(scene, rays, alone, run).value();
  ASSERT_EQ(all.size(), rays.size());
  for (size_t i = 0; i < rays.size(); ++i) {
    EXPECT_EQ(any[i] != 0, AnyHit(scene, rays[i], alone));
    const auto hits = AllHits(scene, rays[i], alone);
    ASSERT_EQ(all[i].size(), hits.size());
    for (size_t k = 0; k < hits.size(); ++k) ExpectSame(all[i][k], hits[k]);
    ASSERT_EQ(first[i].has_value(), !hits.empty());
    if (first[i]) ExpectSame(*first[i], hits[0]);
  }
  rays[7].max_t = -1;
  EXPECT_EQ(AnyHit(scene, rays).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(SceneHitTest, StatisticsCountBodiesThatMovedAndThatStand) {
  for (const Pose& pose : {Pose{}, Pose::Rotation({0, 0, 1}, 0.3)}) {
    Scene scene;
    ASSERT_TRUE(scene.Add(trees::Make(meshes::Cube()), pose).ok());
    scene.Update();
    TraversalStatistics statistics;
    EXPECT_TRUE(AnyHit(scene, Ray{{-9, 0.4, 0.3}, {1, 0, 0}}, {},
                       {.statistics = &statistics})
                    .value());
    EXPECT_GT(statistics.triangle_tests, 0);
  }
}

TEST(SceneHitTest, AnEmptySceneHasNoHit) {
  const Scene empty;
  EXPECT_FALSE(AnyHit(empty, Ray{{0, 0, 0}, {1, 0, 0}}));
}

TEST(SceneHitTest, SmallAndLargeScenesAnswerAsTheOriginal) {
  const scenes::Cast cast = scenes::Crowd(12, 2, 5);
  const Scene scene = scenes::Make(cast);
  meshes::Random random(6);
  for (const double factor : {0x1p-140, 0x1p-60, 0x1p60, 0x1p190}) {
    SCOPED_TRACE(factor);
    const Scene other = scenes::Make(scenes::Scaled(cast, factor));
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = random.Point(-1, 3);
      const Ray ray{p, random.Direction()};
      const auto h = ClosestHit(scene, ray);
      const auto g = ClosestHit(other, Ray{p * factor, ray.direction * factor});
      ASSERT_EQ(g.has_value(), h.has_value());
      if (!h) continue;
      EXPECT_EQ(g->body, h->body);
      EXPECT_EQ(g->hit.t, h->hit.t);
    }
  }
}

}  // namespace
}  // namespace orbox
