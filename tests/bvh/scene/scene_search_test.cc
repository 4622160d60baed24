#include "orbox/bvh/scene/scene_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Calls check(body, id, triangle) for each moved triangle, ascending.
template <typename Check>
void ForEachTriangle(const scenes::Cast& cast, Check check) {
  for (BodyId body = 0; body < cast.size(); ++body) {
    const PosedTree posed = scenes::Posed(cast[body]);
    for (uint32_t i = 0; i < posed.tree().mesh().triangle_count(); ++i) {
      check(body, i, posed.triangle(i));
    }
  }
}

// A crowd of which some bodies have no pose.
scenes::Cast MixedCrowd(size_t count, double side) {
  scenes::Cast cast = scenes::Crowd(count, side, 1);
  cast[1].pose = {};
  cast[6].pose = {};
  return cast;
}

TEST(SceneSearchTest, TheClosestPointIsThatOfBruteForce) {
  meshes::Random random(1);
  const scenes::Cast cast = MixedCrowd(20, 3);
  const Scene scene = scenes::Make(cast);
  for (int i = 0; i < 60; ++i) {
    const Vec3 p = random.Point(-2, 5);
    std::optional<BodyPoint> best;
    ForEachTriangle(cast, [&](BodyId body, uint32_t id, const Triangle& t) {
      const PointTriangleDistance d = Distance(p, t);
      if (!best || d.distance < best->surface.distance) {
        best = {body, {id, d.distance, d.closest}};
      }
    });
    const double barely = std::nextafter(best->surface.distance, kInfinity);
    for (const double most : {kInfinity, barely}) {
      const auto found = ClosestPoint(scene, p, most);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->body, best->body);
      EXPECT_EQ(found->surface.triangle, best->surface.triangle);
      EXPECT_EQ(found->surface.distance, best->surface.distance);
      EXPECT_EQ(found->surface.point, best->surface.point);
    }
    EXPECT_FALSE(
        ClosestPoint(scene, p, std::nextafter(best->surface.distance, -1.0)));
  }
}

template <typename Shape>
void CheckRange(const scenes::Cast& cast, const Scene& scene,
                const Shape& shape) {
  std::vector<BodyTriangle> triangles;
  std::vector<BodyId> bodies;
  ForEachTriangle(cast, [&](BodyId body, uint32_t id, const Triangle& t) {
    if (!Overlaps(shape, t)) return;
    triangles.push_back({body, id});
    if (bodies.empty() || bodies.back() != body) bodies.push_back(body);
  });
  EXPECT_EQ(CollectInRange(scene, shape), triangles);
  EXPECT_EQ(BodiesInRange(scene, shape), bodies);
}

TEST(SceneSearchTest, RangesHoldWhatBruteForceFinds) {
  meshes::Random random(2);
  const scenes::Cast cast = MixedCrowd(20, 3);
  const Scene scene = scenes::Make(cast);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    CheckRange(cast, scene,
               Sphere{random.Point(-1, 4), random.Uniform(0, 1.5)});
    const Vec3 lo = random.Point(-1, 3);
    Aabb box{lo, lo + random.Point(0, 2)};
    if (i % 4 == 0) box.hi.y = box.lo.y;      // flat
    if (i % 7 == 0) box.hi.x = box.lo.x + 9;  // long
    CheckRange(cast, scene, box);
  }
  CheckRange(cast, scene, Sphere{{0, 0, 0}, 100});
  CheckRange(cast, scene, Aabb{{-100, -100, -100}, {100, 100, 100}});
}

TEST(SceneSearchTest, RangesMayBeInfiniteAndMayBeEmpty) {
  const scenes::Cast cast = MixedCrowd(12, 3);
  const Scene scene = scenes::Make(cast);
  const auto all = CollectInRange(scene, Sphere{{0, 0, 0}, 100});
  EXPECT_EQ(CollectInRange(scene, Sphere{{0, 0, 0}, kInfinity}), all);
  const Vec3 end{kInfinity, kInfinity, kInfinity};
  EXPECT_EQ(CollectInRange(scene, Aabb{-end, end}), all);
  EXPECT_EQ(CollectInRange(scene, Aabb{{1, -kInfinity, -kInfinity}, end}),
            CollectInRange(scene, Aabb{{1, -100, -100}, {100, 100, 100}}));
  EXPECT_TRUE(CollectInRange(scene, Aabb{end, end}).empty());
  EXPECT_TRUE(CollectInRange(scene, Sphere{{0, 0, 0}, -1}).empty());
  EXPECT_TRUE(CollectInRange(scene, Sphere{{kNan, 0, 0}, 1}).empty());
  EXPECT_TRUE(CollectInRange(scene, Aabb{{1, 0, 0}, {0, 1, 1}}).empty());
  EXPECT_TRUE(CollectInRange(scene, Aabb{{kNan, 0, 0}, {9, 9, 9}}).empty());
}

// At the point furthest along the exact order, by brute force.
std::optional<BodyHit> FirstHit(const scenes::Cast& cast, const Ray& ray,
                                double max_t) {
  std::optional<BodyHit> best;
  Triangle first;
  ForEachTriangle(cast, [&](BodyId body, uint32_t id, const Triangle& t) {
    const auto hit = Intersect(ray, t, max_t);
    if (!hit || (best && CompareHits(ray, t, first) >= 0)) return;
    best = {body, {id, hit->t, hit->barycentric, hit->point}};
    first = t;
  });
  return best;
}

void CheckRay(const scenes::Cast& cast, const Scene& scene, const Ray& ray,
              double max_t) {
  const auto expected = FirstHit(cast, ray, max_t);
  const auto found = ClosestHit(scene, ray, max_t);
  EXPECT_EQ(AnyHit(scene, ray, max_t), expected.has_value());
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (!found) return;
  EXPECT_EQ(found->body, expected->body);
  EXPECT_EQ(found->hit.triangle, expected->hit.triangle);
  EXPECT_EQ(found->hit.t, expected->hit.t);
  EXPECT_EQ(found->hit.point, expected->hit.point);
  EXPECT_EQ(found->hit.barycentric, expected->hit.barycentric);
}

TEST(SceneSearchTest, RaysHitFirstWhatBruteForceHits) {
  meshes::Random random(3);
  const scenes::Cast cast = MixedCrowd(20, 3);
  const Scene scene = scenes::Make(cast);
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE(i);
    Ray ray{random.Point(-2, 5), random.Direction()};
    if (i % 5 == 0) ray.direction = {0, 0, i % 2 ? 1.0 : -1.0};
    CheckRay(cast, scene, ray, i % 3 == 0 ? random.Uniform(0, 3) : kInfinity);
  }
}

TEST(SceneSearchTest, RaysAtMovedVerticesAndEdgesDoNotSlipThrough) {
  meshes::Random random(4);
  const scenes::Cast cast = MixedCrowd(12, 3);
  const Scene scene = scenes::Make(cast);
  for (int i = 0; i < 60; ++i) {
    const PosedTree posed = scenes::Posed(cast[i % cast.size()]);
    const Triangle t =
        posed.triangle(random.Below(posed.tree().mesh().triangle_count()));
    const Vec3 eye = random.Point(-3, 6);
    CheckRay(cast, scene, {eye, t.a - eye}, kInfinity);
    // In the plane of a face of a cube, and level with a vertex.
    CheckRay(cast, scene, {{-9, t.b.y, t.b.z}, {1, 0, 0}}, kInfinity);
  }
}

TEST(SceneSearchTest, WhatOnlyRoundsToTheDistanceIsTooFar) {
  const Vec3 p{meshes::kBarelyBelow0, 0, 0};
  for (const bool is_moved : {false, true}) {
    const Pose pose =
        is_moved ? Pose::Translation({0, 0.25, 0}) : Pose::Identity();
    Scene scene;
    ASSERT_TRUE(scene.Add(trees::Make(meshes::WallsAt({1})), pose).ok());
    scene.Update();
    EXPECT_FALSE(ClosestPoint(scene, p, 1));
    ASSERT_TRUE(scene.Add(trees::Make(meshes::WallsAt({-1})), pose).ok());
    scene.Update();
    EXPECT_EQ(ClosestPoint(scene, p)->body, 0);
    const auto within = ClosestPoint(scene, p, 1);
    ASSERT_TRUE(within);
    EXPECT_EQ(within->body, 1);
  }
}

TEST(SceneSearchTest, TheSameBodyTwiceIsTheLowerOne) {
  const Tree cube = trees::Make(meshes::Cube());
  const Pose turned = Pose::Rotation({0, 0, 1}, 0.3, {1, 2, 3});
  Scene scene;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(scene.Add(cube, turned).ok());
  scene.Update();
  EXPECT_EQ(ClosestPoint(scene, {9, 9, 9})->body, 0);
  EXPECT_EQ(ClosestHit(scene, {{9, 9, 9}, {-7.9, -6.7, -5.5}})->body, 0);
}

TEST(SceneSearchTest, AnEmptySceneAndBadQuestionsHaveNoAnswer) {
  Scene empty;
  empty.Update();
  EXPECT_FALSE(ClosestPoint(empty, {0, 0, 0}));
  EXPECT_FALSE(AnyHit(empty, {{0, 0, 0}, {1, 0, 0}}));
  EXPECT_TRUE(CollectInRange(empty, Sphere{{0, 0, 0}, 1}).empty());
  const Scene scene = scenes::Make(MixedCrowd(8, 2));
  EXPECT_FALSE(ClosestPoint(scene, {kNan, 0, 0}));
  EXPECT_FALSE(ClosestPoint(scene, {0, 0, 0}, -1));
  EXPECT_FALSE(ClosestPoint(scene, {0, 0, 0}, kNan));
  const Ray through{{-9, 1, 1}, {1, 0, 0}};
  EXPECT_FALSE(ClosestHit(scene, {through.origin, {0, 0, 0}}));
  EXPECT_FALSE(ClosestHit(scene, {{kNan, 0, 0}, through.direction}));
  EXPECT_FALSE(ClosestHit(scene, through, -1));
  EXPECT_FALSE(AnyHit(scene, through, kNan));
}

TEST(SceneSearchTest, SmallAndLargeScenesAnswerAsTheOriginal) {
  const scenes::Cast cast = scenes::Crowd(12, 2, 5);
  const Scene scene = scenes::Make(cast);
  meshes::Random random(6);
  for (const double factor : {0x1p-60, 0x1p60, 0x1p480}) {
    SCOPED_TRACE(factor);
    scenes::Cast scaled = cast;
    for (scenes::Actor& actor : scaled) {
      actor.tree = trees::Make(meshes::Scaled(actor.tree.mesh(), factor));
      actor.pose.translation = actor.pose.translation * factor;
    }
    const Scene other = scenes::Make(scaled);
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = random.Point(-1, 3);
      const auto x = ClosestPoint(scene, p);
      const auto y = ClosestPoint(other, p * factor);
      EXPECT_EQ(y->body, x->body);
      EXPECT_EQ(y->surface.triangle, x->surface.triangle);
      EXPECT_EQ(y->surface.distance, x->surface.distance * factor);
      const Ray ray{p, random.Direction()};
      const auto h = ClosestHit(scene, ray);
      const auto g = ClosestHit(other, {p * factor, ray.direction * factor});
      ASSERT_EQ(g.has_value(), h.has_value());
      if (!h) continue;
      EXPECT_EQ(g->body, h->body);
      EXPECT_EQ(g->hit.t, h->hit.t);
      EXPECT_EQ(CollectInRange(other, Sphere{p * factor, 0.5 * factor}),
                CollectInRange(scene, Sphere{p, 0.5}));
    }
  }
}

}  // namespace
}  // namespace orbox
