// SPDX-License-Identifier: Apache-2.0

// Rays, regions, swept balls, nearest triangles, signed distances and winding
// numbers of posed trees: exact for vertices moved and rounded once. The oracle
// is a tree over the moved mesh, built anew.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/pairs/mesh_distance_bounds.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/poses.h"
#include "tests/support/sweeps.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

// A mesh at a pose, and the tree over its moved vertices.
struct Case {
  std::string name;
  Pose pose;
  Tree moved;
  std::vector<PosedTree> posed;  // one for each form of the tree
};

std::vector<meshes::Named> Meshes() {
  return {{"torus", meshes::Torus(9, 5)},
          {"twice", meshes::Joined(meshes::Cube(), meshes::Cube())},
          {"grid", meshes::Grid(6)},
          {"degenerate", meshes::DegenerateMix(60)},
          {"detail", meshes::Joined(meshes::Torus(8, 4),
                                    meshes::Icosphere(1, {1, 0, 0}, 0x1p-20))}};
}

// Calls check(case, random) for each mesh at each pose.
template <typename Check>
void ForEachCase(Check check) {
  meshes::Random random(11);
  for (const meshes::Named& m : Meshes()) {
    const std::vector<trees::Named> variants = trees::Variants(m.mesh);
    int number = 0;
    for (const Pose& pose : poses::OfEveryKind()) {
      Case c{m.name + " at pose " + std::to_string(number++),
             pose,
             trees::Make(meshes::Moved(m.mesh, pose)),
             {}};
      SCOPED_TRACE(c.name);
      for (const trees::Named& v : variants) {
        c.posed.push_back(PosedTree::Create(v.tree, pose).value());
      }
      check(c, random);
    }
  }
}

double SizeOf(const Tree& tree) {
  return Norm(tree.mesh().bounds().hi - tree.mesh().bounds().lo);
}

Triangle AnyTriangle(const Tree& tree, meshes::Random& random) {
  return tree.mesh().triangle(random.Below(tree.mesh().triangle_count()));
}

Vec3 PointAbout(const Tree& tree, meshes::Random& random) {
  return tree.mesh().bounds().Center() + random.Point(-1, 1) * SizeOf(tree);
}

void ExpectSame(const RayHit& x, const RayHit& y) {
  EXPECT_EQ(x.triangle, y.triangle);
  EXPECT_EQ(x.t, y.t);
  EXPECT_EQ(x.barycentric, y.barycentric);
  EXPECT_EQ(x.point, y.point);
}

size_t CheckRay(const Case& c, Ray ray, double max_t) {
  ray.max_t = max_t;
  const std::vector<RayHit> expected = AllHits(c.moved, ray);
  for (const PosedTree& posed : c.posed) {
    EXPECT_EQ(AnyHit(posed, ray), !expected.empty());
    EXPECT_EQ(CountHits(posed, ray), expected.size());
    const std::optional<RayHit> first = ClosestHit(posed, ray);
    EXPECT_EQ(first.has_value(), !expected.empty());
    if (first && !expected.empty()) ExpectSame(*first, expected[0]);
    const std::vector<RayHit> all = AllHits(posed, ray);
    EXPECT_EQ(all.size(), expected.size());
    if (all.size() != expected.size()) continue;
    for (size_t i = 0; i < all.size(); ++i) ExpectSame(all[i], expected[i]);
  }
  return expected.size();
}

// To places within triangles, corners and edges; along edges and in planes, and
// from the surface.
std::vector<Ray> RaysAt(const Tree& tree, meshes::Random& random) {
  const Vec3 o = PointAbout(tree, random);
  const Triangle t = AnyTriangle(tree, random);
  std::vector<Ray> rays = {
      {o, random.Direction() * SizeOf(tree)},
      {o, ((t.a * 0.25 + t.b * 0.5 + t.c * 0.25) - o) * 0.125},
      {o, t.b - o},
      {o, (t.a * 0.625 + t.c * 0.375) - o},
      {t.b, random.Direction()},
      {t.a - (t.b - t.a), t.b - t.a},
      {t.a - (t.b - t.c), (t.b - t.c) * 0x1p-20}};
  // Degenerate triangles give directions that are zero.
  std::erase_if(rays, [](const Ray& r) { return r.direction == Vec3{}; });
  return rays;
}

TEST(PosedQueriesTest, RaysHitTheMovedMesh) {
  size_t hits = 0;
  ForEachCase([&](const Case& c, meshes::Random& random) {
    for (int i = 0; i < 3; ++i) {
      for (const Ray& ray : RaysAt(c.moved, random)) {
        hits += CheckRay(c, ray, kFar);
        const auto first = ClosestHit(c.moved, ray);
        if (!first) continue;
        CheckRay(c, ray, first->t);
        CheckRay(c, ray, std::nextafter(first->t, 0));
      }
    }
    // From so far away that doubles hardly resolve the mesh.
    const Vec3 target = AnyTriangle(c.moved, random).a;
    for (const double away : {0x1p20, 0x1p50}) {
      const Vec3 d = random.Direction();
      CheckRay(c, {target - d * (away * SizeOf(c.moved)), d}, kFar);
    }
  });
  EXPECT_GT(hits, 500u);
}

TEST(PosedQueriesTest, BatchesOfRaysAreTheirQueries) {
  ForEachCase([&](const Case& c, meshes::Random& random) {
    std::vector<Ray> rays;
    while (rays.size() < 40) {
      for (const Ray& ray : RaysAt(c.moved, random)) rays.push_back(ray);
    }
    const auto any = AnyHit(c.moved, rays).value();
    const auto count = CountHits(c.moved, rays).value();
    const auto all = AllHits(c.moved, rays).value();
    for (const PosedTree& posed : {c.posed.front(), c.posed.back()}) {
      EXPECT_EQ(AnyHit(posed, rays, {.threads = 2}).value(), any);
      EXPECT_EQ(CountHits(posed, rays, {.threads = 2}).value(), count);
      EXPECT_EQ(AllHits(posed, rays, {.threads = 2}).value().offsets,
                all.offsets);
      const auto first = ClosestHit(posed, rays, {.threads = 2}).value();
      for (size_t i = 0; i < rays.size(); ++i) {
        ASSERT_EQ(first[i].has_value(), any[i] != 0);
        if (first[i]) ExpectSame(*first[i], all[i][0]);
      }
    }
  });
}

template <typename Shape>
size_t CheckRegion(const Case& c, const Shape& shape) {
  const std::vector<uint32_t> expected = AllOverlaps(c.moved, shape);
  for (const PosedTree& posed : c.posed) {
    EXPECT_EQ(AllOverlaps(posed, shape), expected);
    EXPECT_EQ(CountOverlaps(posed, shape), expected.size());
    EXPECT_EQ(AnyOverlap(posed, shape), !expected.empty());
  }
  return expected.size();
}

TEST(PosedQueriesTest, RegionsOverlapTheMovedMesh) {
  size_t found = 0;
  ForEachCase([&](const Case& c, meshes::Random& random) {
    const double size = SizeOf(c.moved);
    for (int i = 0; i < 4; ++i) {
      const Vec3 p = PointAbout(c.moved, random);
      const Triangle t = AnyTriangle(c.moved, random);
      const Pose turn = Pose::Rotation(random.Direction(), i);
      found += CheckRegion(c, Sphere{p, random.Uniform(0, 1) * size});
      found += CheckRegion(c, Sphere{t.a, 0});
      found += CheckRegion(c, Sphere{p, Norm(t.b - p)});
      found += CheckRegion(c, Aabb{Min(p, t.a), Max(p, t.a)});
      found += CheckRegion(c, Aabb{Min(t.a, t.b), Max(t.a, t.b)});
      found +=
          CheckRegion(c, Aabb{{-kFar, p.y, -kFar}, {kFar, kFar, p.z + size}});
      found += CheckRegion(c, Obb{t.c,
                                  {turn.rows[0], turn.rows[1], turn.rows[2]},
                                  random.Point(0, 0.5) * size});
      // Slabs at odd angles.
      found += CheckRegion(c, Obb{p,
                                  {{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 2}}},
                                  random.Point(0, 0.5) * size});
      const Vec3 n = random.Direction();
      const std::array<HalfSpace, 2> set = {
          {{n, Dot(n, t.a)}, {-n, size * 0.25 - Dot(n, t.a)}}};
      found += CheckRegion(c, set);
    }
    // Balls from far away.
    for (const double away : {0x1p12, 0x1p40}) {
      const Vec3 d = random.Direction();
      const Vec3 center = c.moved.mesh().bounds().Center() - d * (size * away);
      const Vec3 to = AnyTriangle(c.moved, random).b;
      found += CheckRegion(c, Sphere{center, Norm(to - center)});
    }
    found += CheckRegion(c, Sphere{{0, 0, 0}, kFar});
  });
  EXPECT_GT(found, 2000u);
}

TEST(PosedQueriesTest, BatchesOfRegionsAreTheirQueries) {
  ForEachCase([&](const Case& c, meshes::Random& random) {
    std::vector<Sphere> balls;
    for (int i = 0; i < 30; ++i) {
      balls.push_back({PointAbout(c.moved, random),
                       random.Uniform(0, 0.5) * SizeOf(c.moved)});
    }
    const auto expected = AllOverlaps(c.moved, balls).value();
    const auto found = AllOverlaps(c.posed[0], balls, {.threads = 2}).value();
    EXPECT_EQ(found.offsets, expected.offsets);
    EXPECT_EQ(found.values, expected.values);
    EXPECT_EQ(AnyOverlap(c.posed[0], balls).value(),
              AnyOverlap(c.moved, balls).value());
    EXPECT_EQ(CountOverlaps(c.posed[0], balls).value(),
              CountOverlaps(c.moved, balls).value());
  });
}

void CheckSweep(const Case& c, const SweptSphere& ball) {
  const std::vector<SweepHit> expected = AllHits(c.moved, ball);
  const auto first = ClosestHit(c.moved, ball);
  double least_earliest = 1;
  for (const SweepHit& hit : expected) {
    least_earliest = std::min(least_earliest, hit.earliest);
  }
  for (const PosedTree& posed : c.posed) {
    EXPECT_EQ(AnyHit(posed, ball), !expected.empty());
    EXPECT_EQ(CountHits(posed, ball), expected.size());
    const std::vector<SweepHit> all = AllHits(posed, ball);
    EXPECT_EQ(all.size(), expected.size());
    if (all.size() != expected.size()) continue;
    for (size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i].triangle, expected[i].triangle);
      EXPECT_EQ(all[i].earliest, expected[i].earliest);
      EXPECT_EQ(all[i].latest, expected[i].latest);
      EXPECT_EQ(all[i].point, expected[i].point);
    }
    const auto hit = ClosestHit(posed, ball);
    ASSERT_EQ(hit.has_value(), first.has_value());
    if (!hit) continue;
    // One of those that are touched first.
    const double together = oracle::Together(c.moved.mesh(), ball);
    EXPECT_LE(hit->latest, first->latest + together);
    EXPECT_LE(hit->earliest, first->latest);
    EXPECT_GE(hit->earliest, std::min(least_earliest, hit->latest - together));
  }
}

TEST(PosedQueriesTest, BallsTouchTheMovedMesh) {
  ForEachCase([&](const Case& c, meshes::Random& random) {
    const double size = SizeOf(c.moved);
    for (int i = 0; i < 4; ++i) {
      const Vec3 p = PointAbout(c.moved, random);
      const Triangle t = AnyTriangle(c.moved, random);
      CheckSweep(c, {p, t.a, random.Uniform(0, 0.1) * size});
      CheckSweep(c, {p, PointAbout(c.moved, random), 0.01 * size});
      CheckSweep(c, {p, p + (t.b - p) * 2, 0});
      CheckSweep(c, {p, t.c, 3 * size});
    }
  });
}

void CheckNearest(const Case& c, const Vec3& p, size_t k, double most) {
  const std::vector<SurfacePoint> expected = KNearest(c.moved, p, k, most);
  for (const PosedTree& posed : c.posed) {
    const std::vector<SurfacePoint> found = KNearest(posed, p, k, most);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].triangle, expected[i].triangle);
      EXPECT_EQ(found[i].distance, expected[i].distance);
      EXPECT_EQ(found[i].point, expected[i].point);
    }
  }
}

TEST(PosedQueriesTest, NearestTrianglesAreThoseOfTheMovedMesh) {
  ForEachCase([&](const Case& c, meshes::Random& random) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 p = PointAbout(c.moved, random);
      const Triangle t = AnyTriangle(c.moved, random);
      for (const size_t k : {size_t{0}, size_t{1}, size_t{5}, size_t{1000}}) {
        CheckNearest(c, p, k, kFar);
        CheckNearest(c, t.a, k, kFar);
        CheckNearest(c, p, k, Norm(t.b - p));
      }
    }
    CheckNearest(c, c.moved.mesh().bounds().Center(), 7, kFar);
    std::vector<Vec3> points;
    for (int i = 0; i < 20; ++i) points.push_back(PointAbout(c.moved, random));
    const auto expected = KNearest(c.moved, points, 3).value();
    const auto found = KNearest(c.posed[0], points, 3, {.threads = 2}).value();
    ASSERT_EQ(found.values.size(), expected.values.size());
    for (size_t i = 0; i < found.values.size(); ++i) {
      EXPECT_EQ(found.values[i].triangle, expected.values[i].triangle);
    }
  });
}

TEST(PosedQueriesTest, SignedDistancesAreThoseOfTheMovedMesh) {
  meshes::Random random(3);
  const Mesh torus = meshes::Torus(9, 5);
  for (const Pose& pose : poses::OfEveryKind()) {
    const PosedTree posed = PosedTree::Create(trees::Make(torus), pose).value();
    const Tree moved = trees::Make(meshes::Moved(torus, pose));
    const auto field = SignedDistanceField::Create(posed).value();
    const auto expected = SignedDistanceField::Create(moved).value();
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = pose.Apply(random.Point(-1.5, 1.5));
      EXPECT_EQ(field.Distance(p), expected.Distance(p));
      EXPECT_EQ(field.IsInside(p), expected.IsInside(p));
    }
  }
}

TEST(PosedQueriesTest, WindingNumbersAreThoseOfTheMovedMesh) {
  meshes::Random random(4);
  const Mesh open = meshes::Joined(meshes::Torus(9, 5), meshes::Grid(6));
  for (const Pose& pose : poses::OfEveryKind()) {
    const PosedTree posed = PosedTree::Create(trees::Make(open), pose).value();
    const Tree moved = trees::Make(meshes::Moved(open, pose));
    const auto field = WindingNumberField::Of(posed);
    const auto expected = WindingNumberField::Of(moved);
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = pose.Apply(random.Point(-1.5, 1.5));
      EXPECT_NEAR(field.At(p, 1e-6), expected.At(p, 1e-6), 3e-6);
      EXPECT_EQ(field.IsInside(p), expected.IsInside(p));
    }
  }
}

TEST(PosedQueriesTest, BoundsOfDistancesAreThoseOfTheMovedMesh) {
  size_t apart = 0;
  ForEachCase([&](const Case& c, meshes::Random& random) {
    for (int i = 0; i < 4; ++i) {
      const Vec3 p = PointAbout(c.moved, random);
      const DistanceInterval expected =
          BoundsOfDistance(c.moved, p, *ClosestPoint(c.moved, p));
      for (const PosedTree& posed : c.posed) {
        const DistanceInterval found =
            BoundsOfDistance(posed, p, *ClosestPoint(posed, p));
        EXPECT_EQ(found.lower, expected.lower);
        EXPECT_EQ(found.upper, expected.upper);
        apart += found.lower < found.upper;
      }
    }
  });
  EXPECT_GT(apart, 100u);
}

// A pose, and the pose that takes it back, are no pose: an integer shift loses
// nothing.
TEST(PosedQueriesTest, ShiftedQueriesOfShiftedMeshesAreTheQueries) {
  meshes::Random random(5);
  const Tree tree = trees::Make(meshes::Grid(8));
  const Vec3 shift = {3, -5, 8};
  const PosedTree posed =
      PosedTree::Create(tree, Pose::Translation(shift)).value();
  for (int i = 0; i < 200; ++i) {
    const auto eighths = [&] {
      return Vec3{static_cast<double>(random.Below(17)),
                  static_cast<double>(random.Below(17)),
                  static_cast<double>(random.Below(17)) - 8} *
             0.125;
    };
    const Vec3 o = eighths();
    const Vec3 d = eighths() - o;
    if (d == Vec3{}) continue;
    const auto plain = ClosestHit(tree, Ray{o, d});
    const auto moved = ClosestHit(posed, Ray{o + shift, d});
    ASSERT_EQ(plain.has_value(), moved.has_value());
    if (plain) {
      EXPECT_EQ(plain->triangle, moved->triangle);
      EXPECT_EQ(plain->t, moved->t);
    }
    EXPECT_EQ(AllOverlaps(tree, Sphere{o, Norm(d)}),
              AllOverlaps(posed, Sphere{o + shift, Norm(d)}));
  }
}

TEST(PosedQueriesTest, EveryInstructionSetAgreesToTheLastCount) {
  meshes::Random random(6);
  const Pose pose = Pose::Rotation({0, 0.6, 0.8}, 1, {1, 2, 3});
  for (const trees::Kind& kind : trees::Kinds()) {
    const PosedTree posed =
        PosedTree::Create(trees::Make(meshes::Torus(60, 30), kind.volumes),
                          pose)
            .value();
    for (int i = 0; i < 10; ++i) {
      const Vec3 p = pose.Apply(random.Point(-1.5, 1.5));
      const Ray ray{p, random.Direction()};
      const Sphere ball{p, 0.5};
      const Aabb box{p - Vec3{0.3, 0.4, 0.5}, p + Vec3{0.3, 0.4, 0.5}};
      const SweptSphere sweep{p, p + ray.direction, 0.05};
      TraversalStatistics first;
      const auto call = [&](TraversalStatistics* statistics) {
        const RunOptions run{.statistics = statistics};
        std::vector<uint32_t> ids = AllOverlaps(posed, ball, run).value();
        AppendOverlaps(posed, box, &ids, IdOrder::kAscending, run)
            .IgnoreError();
        if (const auto hit = ClosestHit(posed, ray, run).value()) {
          ids.push_back(hit->triangle);
        }
        if (const auto hit = ClosestHit(posed, sweep, run).value()) {
          ids.push_back(hit->triangle);
        }
        const auto nearest = KNearest(posed, p, 5, run).value();
        for (const SurfacePoint& near : nearest) {
          ids.push_back(near.triangle);
        }
        return ids;
      };
      SetInstructionSet(SupportedInstructionSets().front());
      const std::vector<uint32_t> expected = call(&first);
      trees::OnEachInstructionSet([&] {
        TraversalStatistics statistics;
        EXPECT_EQ(call(&statistics), expected);
        EXPECT_EQ(statistics, first);
      });
    }
  }
}

// A posed tree of a large mesh prunes as its tree does.
TEST(PosedQueriesTest, RunFewTriangles) {
  const Tree tree = trees::Make(meshes::Torus(200, 100));
  const Pose pose = Pose::Rotation({0, 0.6, 0.8}, 1, {1, 2, 3});
  const PosedTree posed = PosedTree::Create(tree, pose).value();
  TraversalStatistics statistics;
  const Vec3 p = pose.Apply(Vec3{1.5, 0, 0.1});
  const RunOptions run{.statistics = &statistics};
  ClosestHit(posed, Ray{p, {0.1, 0.2, -1}}, run).value();
  AllOverlaps(posed, Sphere{p, 0.05}, run).value();
  AllOverlaps(posed, Aabb{p, p + Vec3{0.05, 0.05, 0.05}}, run).value();
  ClosestHit(posed, SweptSphere{p, p + Vec3{0.1, 0.1, 0.1}, 0.01}, run).value();
  EXPECT_LT(statistics.triangle_tests, tree.mesh().triangle_count() / 20);
}

}  // namespace
}  // namespace orbox
