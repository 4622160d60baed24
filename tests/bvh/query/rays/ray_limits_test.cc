// SPDX-License-Identifier: Apache-2.0

// The limits of a ray: its least and its largest t, and the triangle that it
// skips.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "boost/multiprecision/cpp_int.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/points/surface_normal.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/meshes.h"
#include "tests/support/poses.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using Rational = boost::multiprecision::cpp_rational;
using RationalPoint = BasicVec3<Rational>;

RationalPoint Exactly(const Vec3& p) {
  return {Rational(p.x), Rational(p.y), Rational(p.z)};
}

// Returns the exact t at which the ray crosses the plane of the triangle, or
// nothing if it is parallel to the plane.
std::optional<Rational> ExactT(const Ray& ray, const Triangle& t) {
  const RationalPoint a = Exactly(t.a);
  const RationalPoint n = Cross(Exactly(t.b) - a, Exactly(t.c) - a);
  const Rational rise = Dot(n, Exactly(ray.direction));
  if (rise == 0) return std::nullopt;
  return Rational(Dot(n, a - Exactly(ray.origin)) / rise);
}

// Returns the hits of all triangles within the limits, in order, from tests of
// the unlimited ray with single triangles.
std::vector<RayHit> RunEach(TreeAtPose tree, const Ray& ray) {
  const Ray unlimited{ray.origin, ray.direction};
  std::vector<RayHit> hits;
  for (uint32_t id = 0; id < tree.tree().mesh().triangle_count(); ++id) {
    const Triangle t = tree.triangle(id);
    const auto hit = Intersect(unlimited, t);
    if (!hit || id == ray.skip) continue;
    if (hit->t < ray.min_t || hit->t > ray.max_t) continue;
    if (hit->t == ray.max_t) {
      const std::optional<Rational> exact = ExactT(ray, t);
      if (exact && *exact > Rational(ray.max_t)) continue;
    }
    if (hit->t == ray.min_t && ray.min_t > 0) {
      const std::optional<Rational> exact = ExactT(ray, t);
      if (exact && *exact < Rational(ray.min_t)) continue;
      // Rays in the plane of a triangle enter it at powers of two here.
    }
    hits.push_back({id, hit->t, hit->barycentric, hit->point});
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [&](const RayHit& x, const RayHit& y) {
                     return CompareHits(unlimited, tree.triangle(x.triangle),
                                        tree.triangle(y.triangle)) < 0;
                   });
  return hits;
}

void ExpectSameHit(const RayHit& x, const RayHit& y) {
  EXPECT_EQ(x.triangle, y.triangle);
  EXPECT_EQ(x.t, y.t);
  EXPECT_EQ(x.barycentric, y.barycentric);
  EXPECT_EQ(x.point, y.point);
}

void CheckLimits(TreeAtPose tree, const Ray& ray) {
  SCOPED_TRACE(::testing::Message() << TextOf(ray));
  const std::vector<RayHit> expected = RunEach(tree, ray);
  EXPECT_EQ(AnyHit(tree, ray), !expected.empty());
  EXPECT_EQ(CountHits(tree, ray), expected.size());
  const std::vector<RayHit> all = AllHits(tree, ray);
  ASSERT_EQ(all.size(), expected.size());
  for (size_t i = 0; i < all.size(); ++i) ExpectSameHit(all[i], expected[i]);
  const std::vector<Ray> two(2, ray);
  const auto batch = ClosestHit(tree, two).value();
  for (const auto& first : {ClosestHit(tree, ray), batch[0], batch[1]}) {
    ASSERT_EQ(first.has_value(), !expected.empty());
    if (first) ExpectSameHit(*first, expected[0]);
  }
}

// Limits at the hits of the ray, next to them and between them. Returns the
// number of hits.
size_t CheckLimitsAtHits(TreeAtPose tree, const Ray& ray) {
  const std::vector<RayHit> hits = RunEach(tree, ray);
  std::vector<Ray> limited = {ray};
  for (const RayHit& hit : hits) {
    for (const double t : {hit.t, std::nextafter(hit.t, 0.0),
                           std::nextafter(hit.t, kInf), hit.t / 2}) {
      limited.push_back({ray.origin, ray.direction, t});
      limited.push_back({ray.origin, ray.direction, 0, t});
    }
    limited.push_back({ray.origin, ray.direction, 0, kInf, hit.triangle});
    limited.push_back({ray.origin, ray.direction, hit.t, hit.t, hit.triangle});
    if (limited.size() > 70) break;
  }
  limited.push_back({ray.origin, ray.direction, 0x1p900});
  limited.push_back({ray.origin, ray.direction, 0x1p-1074});
  for (const Ray& r : limited) CheckLimits(tree, r);
  return hits.size();
}

TEST(RayLimitsTest, AgreeWithBruteForceOnEveryMesh) {
  meshes::Random random(1);
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const Tree tree = trees::Make(m.mesh);
    const double size = Norm(m.mesh.bounds().hi - m.mesh.bounds().lo);
    size_t hits = 0;
    for (int i = 0; i < 4; ++i) {
      const Vec3 o = m.mesh.bounds().Center() + random.Point(-1, 1) * size;
      const Triangle t = m.mesh.triangle(random.Below(m.mesh.triangle_count()));
      const Vec3 inside = t.a * 0.25 + t.b * 0.5 + t.c * 0.25;
      hits += CheckLimitsAtHits(tree, {o, (inside - o) * 0.125});
      CheckLimitsAtHits(tree, {o, t.b - o});
      CheckLimitsAtHits(tree, {inside, random.Direction()});
      CheckLimitsAtHits(tree, {t.b, t.b - o});
    }
    EXPECT_GT(hits, 0u);
  }
}

// Through edges and vertices, along edges, and in the planes of faces.
TEST(RayLimitsTest, LatticeRaysInEveryKindOfTree) {
  meshes::Random random(2);
  const Mesh cube = meshes::Cube({-1, -1, -1}, 2);
  for (const Mesh& mesh : {cube, meshes::Grid(8)}) {
    for (const trees::Kind& kind : trees::Kinds()) {
      const Tree tree = trees::Make(mesh, kind.volumes);
      for (int i = 0; i < 60; ++i) {
        const Vec3 o = random.LatticePoint(8) * 0.25;
        Vec3 d = random.LatticePoint(2);
        // In planes and along edges, t is a fraction of powers of two.
        if (i % 2 == 0) d = Vec3{0, 0, 0}, d[random.Below(3)] = 0.5;
        if (d == Vec3{}) continue;
        CheckLimitsAtHits(tree, {o, d});
      }
    }
  }
}

TEST(RayLimitsTest, PosedTrees) {
  meshes::Random random(3);
  const Tree tree = trees::Make(meshes::Icosphere(2));
  for (const Pose& pose : poses::OfEveryKind()) {
    const PosedTree posed = PosedTree::Create(tree, pose).value();
    size_t hits = 0;
    for (int i = 0; i < 4; ++i) {
      const Triangle t = posed.triangle(
          static_cast<uint32_t>(random.Below(tree.mesh().triangle_count())));
      const Vec3 inside = t.a * 0.25 + t.b * 0.5 + t.c * 0.25;
      const Vec3 o = pose.Apply(random.Point(-2, 2));
      if (o == inside) continue;
      hits += CheckLimitsAtHits(posed, {o, inside - o});
      CheckLimitsAtHits(posed, {o, t.a - o});
    }
    EXPECT_GT(hits, 0u);
  }
}

// From far away, floats and then doubles cannot tell points of the tree apart.
TEST(RayLimitsTest, FarAway) {
  const Tree tree = trees::Make(meshes::Icosphere(2));
  for (const double far : {0x1p10, 0x1p30, 0x1p50, 0x1p100}) {
    const Ray ray{{0.125, 0.25, far}, {0, 0, -1}};
    CheckLimitsAtHits(tree, ray);
    CheckLimits(tree, {ray.origin, ray.direction, far});
  }
}

// Outward rays from the faces of a convex mesh hit nothing else.
TEST(RayLimitsTest, RaysLeaveTheirOwnFace) {
  const Mesh mesh = meshes::Icosphere(3);
  const Tree tree = trees::Make(mesh);
  std::vector<Ray> rays;
  for (uint32_t id = 0; id < 500; ++id) {
    const Triangle t = mesh.triangle(id);
    rays.push_back({(t.a + t.b + t.c) * (1.0 / 3), TriangleNormal(tree, id)});
  }
  const auto count = [&] {
    const std::vector<uint8_t> any = AnyHit(tree, rays).value();
    return static_cast<size_t>(std::count(any.begin(), any.end(), 1));
  };
  EXPECT_GT(count(), 100u);
  for (Ray& ray : rays) ray.min_t = 1e-9;
  EXPECT_EQ(count(), 0u);
  for (uint32_t id = 0; id < 500; ++id) {
    rays[id].min_t = 0;
    rays[id].skip = id;
  }
  EXPECT_EQ(count(), 0u);
  for (Ray& ray : rays) ray.direction = -ray.direction;
  EXPECT_EQ(count(), 500u);
}

// The copies of a triangle that is skipped are hit.
TEST(RayLimitsTest, OneOfManyCopies) {
  const Tree tree = trees::Make(meshes::Identical(50));
  const Triangle t = tree.mesh().triangle(0);
  const Vec3 inside = t.a * 0.25 + t.b * 0.5 + t.c * 0.25;
  const Vec3 normal = Cross(t.b - t.a, t.c - t.a);
  const Ray ray{inside + normal, -normal, 0, kInf, 0};
  EXPECT_EQ(ClosestHit(tree, ray)->triangle, 1u);
  EXPECT_EQ(CountHits(tree, ray), 49u);
  EXPECT_EQ(CountHits(tree, {ray.origin, ray.direction, 0, kInf, 50}), 50u);
  EXPECT_EQ(
      CountHits(tree, {ray.origin, ray.direction, 0, kInf, uint64_t{1} << 32}),
      50u);
}

TEST(RayLimitsTest, WrongLimitsAreRefused) {
  const Tree tree = trees::Make(meshes::Cube());
  for (const double bad : {-1.0, kInf, kNan}) {
    const Ray rays[] = {{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}, bad}};
    EXPECT_THAT(std::string(AnyHit(tree, rays).status().message()),
                ::testing::HasSubstr("query 1: min_t of the ray"));
  }
  for (const double bad : {-1.0, kNan}) {
    const Ray ray{{0, 0, 0}, {1, 0, 0}, 0, bad};
    const Ray rays[] = {{{0, 0, 0}, {1, 0, 0}}, ray};
    for (const absl::Status& status :
         {AnyHit(tree, rays).status(), CountHits(tree, rays).status(),
          ClosestHit(tree, rays).status(), AllHits(tree, rays).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()),
                  ::testing::HasSubstr("query 1: max_t of the ray"));
    }
    EXPECT_EQ(ClosestHit(tree, ray, RunOptions()).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace orbox
