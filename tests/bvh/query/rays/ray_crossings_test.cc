// SPDX-License-Identifier: Apache-2.0

// Crossings of rays, compared with exact winding numbers between them.

#include "orbox/bvh/query/rays/ray_crossings.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tests/support/meshes.h"
#include "tests/support/poses.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using ::testing::ElementsAre;

std::vector<RayCrossing> Crossings(TreeAtPose tree, const Ray& ray) {
  return CrossingsOf(tree, ray, AllHits(tree, ray));
}

// Compares sums of crossings with winding numbers about points between them
// that are not on the surface. The mesh is closed, and the ray starts outside.
// `front` is -1 if the pose mirrors. Returns the number of points.
size_t CheckSums(TreeAtPose tree, const Ray& ray, int front = 1) {
  SCOPED_TRACE(::testing::Message() << TextOf(ray));
  const std::vector<RayHit> hits = AllHits(tree, ray);
  const std::vector<RayCrossing> crossings = CrossingsOf(tree, ray, hits);
  size_t checked = 0;
  size_t next = 0;
  int sum = 0;
  for (size_t i = 0; i < crossings.size(); ++i) {
    const RayCrossing& c = crossings[i];
    EXPECT_EQ(c.first, next);
    EXPECT_GT(c.count, 0u);
    next += c.count;
    EXPECT_EQ(c.t, hits[c.first].t);
    EXPECT_EQ(c.point, hits[c.first].point);
    EXPECT_EQ(c.kind, c.winding > 0   ? CrossingKind::kEntering
                      : c.winding < 0 ? CrossingKind::kLeaving
                                      : CrossingKind::kGrazing);
    sum += c.winding;
    const double end = i + 1 < crossings.size() ? crossings[i + 1].t : c.t + 1;
    if (!(end - c.t > 1e-6)) continue;
    const Vec3 between = ray.origin + ray.direction * ((c.t + end) / 2);
    // Along the surface.
    if (ClosestPoint(tree, between)->distance < 1e-12 * Norm(ray.origin)) {
      continue;
    }
    EXPECT_EQ(sum, front * WindingNumber(tree, between).value()) << i;
    ++checked;
  }
  EXPECT_EQ(next, hits.size());
  EXPECT_EQ(sum, 0);
  return checked;
}

TEST(RayCrossingsTest, AHitIsACrossing) {
  const Tree cube = trees::Make(meshes::Cube());
  const auto found = Crossings(cube, {{0.75, 0.25, 3}, {0, 0, -1}});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, CrossingKind::kEntering);
  EXPECT_EQ(found[0].winding, 1);
  EXPECT_EQ(found[0].t, 2);
  EXPECT_EQ(found[0].point, (Vec3{0.75, 0.25, 1}));
  EXPECT_EQ(found[1].kind, CrossingKind::kLeaving);
  EXPECT_EQ(found[1].t, 3);
  EXPECT_TRUE(Crossings(cube, {{3, 3, 3}, {0, 0, -1}}).empty());
}

TEST(RayCrossingsTest, EdgesAndVerticesAreOneCrossing) {
  const Tree cube = trees::Make(meshes::Cube());
  const auto kinds = [&](const Ray& ray) {
    std::vector<CrossingKind> list;
    for (const RayCrossing& c : Crossings(cube, ray)) list.push_back(c.kind);
    return list;
  };
  // Diagonals of faces, the space diagonal, and an edge of the silhouette.
  EXPECT_THAT(kinds({{0.5, 0.5, 3}, {0, 0, -1}}),
              ElementsAre(CrossingKind::kEntering, CrossingKind::kLeaving));
  EXPECT_THAT(kinds({{-1, -1, -1}, {1, 1, 1}}),
              ElementsAre(CrossingKind::kEntering, CrossingKind::kLeaving));
  EXPECT_THAT(kinds({{-1, 1, 0.5}, {1, 1, 0}}), ElementsAre());
  EXPECT_THAT(kinds({{-1, 0, 0.5}, {1, 1, 0}}),
              ElementsAre(CrossingKind::kGrazing));
  EXPECT_THAT(kinds({{-1, 0, 1}, {1, 1, 0}}),
              ElementsAre(CrossingKind::kGrazing));
}

TEST(RayCrossingsTest, SumsAreWindingNumbers) {
  meshes::Random random(1);
  const Mesh cube = meshes::Cube({-1, -1, -1}, 2);
  const std::vector<Mesh> closed = {
      cube,
      meshes::Tetrahedron(),
      meshes::Icosphere(2),
      meshes::Torus(20, 10),
      meshes::Joined(cube, cube),
      meshes::Joined(cube, meshes::Cube({0, 0, 0}, 2)),
      meshes::TurnedOver(cube),
      solids::UnionOf({{{0, 0, 0}, {2, 2, 1}}, {{0, 0, 1}, {1, 2, 2}}})};
  for (const Mesh& mesh : closed) {
    const Tree tree = trees::Make(mesh);
    size_t checked = 0;
    for (int i = 0; i < 100; ++i) {
      // From a lattice outside, at and along vertices, edges and faces.
      Vec3 o = random.LatticePoint(8) * 0.5;
      o[random.Below(3)] = -4;
      const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
      const Vec3 middle = t.a * 0.5 + t.b * 0.5;
      checked += CheckSums(tree, {o, t.a - o});
      checked += CheckSums(tree, {o, middle - o});
      checked += CheckSums(tree, {o, random.Point(-1, 1) - o});
      Vec3 d{0, 0, 0};
      const size_t axis = random.Below(3);
      d[axis] = 1;
      Vec3 along = random.LatticePoint(2) * 0.5;
      along[axis] = -4;
      checked += CheckSums(tree, {along, d});
      checked += CheckSums(tree, {t.a + (t.a - t.b) * 8, t.b - t.a});
    }
    EXPECT_GT(checked, 100u);
  }
}

TEST(RayCrossingsTest, PosesThatMirrorKeepTheFront) {
  meshes::Random random(2);
  const Tree tree = trees::Make(meshes::Cube({-1, -1, -1}, 2));
  for (const Pose& pose : poses::OfEveryKind()) {
    if (pose.translation.x > 1e6) continue;  // hits are too near to each other
    const auto& r = pose.rows;
    const int front = Dot(Cross(r[0], r[1]), r[2]) < 0 ? -1 : 1;
    const PosedTree posed = PosedTree::Create(tree, pose).value();
    for (int i = 0; i < 20; ++i) {
      const Vec3 o = pose.Apply(Vec3{-4, random.Uniform(-2, 2), 0.5});
      CheckSums(posed, {o, pose.Apply(random.Point(-1, 1)) - o}, front);
      const Triangle t =
          posed.triangle(static_cast<uint32_t>(random.Below(12)));
      CheckSums(posed, {o, t.a - o}, front);
    }
    const Vec3 o = pose.Apply(Vec3{-4, 0.25, 0.5});
    const auto found = Crossings(posed, {o, pose.Apply(Vec3{0, 0, 0}) - o});
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].kind, CrossingKind::kEntering);
    EXPECT_EQ(found[1].kind, CrossingKind::kLeaving);
  }
}

// Hits at different t that round to one t are two crossings.
TEST(RayCrossingsTest, PointsAreToldApartExactly) {
  const std::vector<Vec3> corners = {
      {1, -1, -1}, {1, 3, -1}, {1, -1, 3}, {1 + 0x1p-52, -1, 3}};
  const Ray ray{{0, 0, 0}, {1, 0, 0}};
  // At t = 1 and 1 + 2^-54.
  const Tree apart = trees::Make(meshes::Make(corners, {{0, 1, 3}, {0, 1, 2}}));
  const auto two = Crossings(apart, ray);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].t, 1);
  EXPECT_EQ(two[1].t, 1);
  EXPECT_EQ(AllHits(apart, ray)[0].triangle, 1u);
  const Tree alike = trees::Make(meshes::Make(corners, {{0, 1, 2}, {0, 1, 2}}));
  const auto one = Crossings(alike, ray);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].winding, -2);
  EXPECT_EQ(one[0].count, 2u);
}

}  // namespace
}  // namespace orbox
