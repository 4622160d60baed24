// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/signed_distance.h"

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "tests/support/exact_place.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using oracle::Place;
using testing::HasSubstr;

// Against the oracle, in every field of the mesh.
void CheckPoint(const Mesh& mesh, std::span<const SignedDistanceField> fields,
                const Vec3& p) {
  SCOPED_TRACE(testing::PrintToString(std::vector<double>{p.x, p.y, p.z}));
  const Place place = oracle::PlaceOf(mesh, p);
  const bool is_odd = oracle::WindingOf(mesh, p).value_or(0) % 2 != 0;
  for (const SignedDistanceField& field : fields) {
    const SignedDistanceField parity = field.With(InsideRule::kParity);
    EXPECT_EQ(parity.Distance(p) < 0, is_odd);
    EXPECT_EQ(parity.IsInside(p), is_odd);
    const double distance = field.Distance(p);
    const auto closest = ClosestPoint(field.tree(), p);
    EXPECT_EQ(std::abs(distance), closest->distance);
    EXPECT_EQ(distance < 0, place == Place::kInside);
    EXPECT_EQ(distance == 0, place == Place::kOn);
    EXPECT_EQ(field.IsInside(p), place == Place::kInside);
    const auto found = field.ClosestPoint(p);
    EXPECT_EQ(found->triangle, closest->triangle);
    EXPECT_EQ(found->point, closest->point);
    EXPECT_EQ(found->distance, distance);
  }
}
void CheckPoint(const Mesh& mesh, const SignedDistanceField& field,
                const Vec3& p) {
  CheckPoint(mesh, {&field, 1}, p);
}

SignedDistanceField FieldOf(const Tree& tree) {
  return SignedDistanceField::Create(tree).value();
}

// A square star with four spikes, mirrored below: convex and concave edges,
// and vertices at which both meet.
Mesh Star() {
  std::vector<Vec3> v = {{0, 0, 1}, {0, 0, -1}};
  for (int i = 0; i < 8; ++i) {
    const double r = i % 2 == 0 ? 3 : 0.75;
    const double x[] = {1, 1, 0, -1, -1, -1, 0, 1};
    const double y[] = {0, 1, 1, 1, 0, -1, -1, -1};
    v.push_back({r * x[i], r * y[i], 0});
  }
  std::vector<TriangleIndices> t;
  for (uint32_t i = 0; i < 8; ++i) {
    const uint32_t a = 2 + i;
    const uint32_t b = 2 + (i + 1) % 8;
    t.push_back({0, a, b});
    t.push_back({1, b, a});
  }
  return meshes::Make(std::move(v), std::move(t));
}

std::vector<meshes::Named> ClosedMeshes() {
  GenerateOptions knot;
  knot.shape = "torus_knot";
  knot.triangles = 300;
  std::vector<meshes::Named> all = {
      {"cube", meshes::Cube({-1, -1, -1}, 2)},
      {"tetrahedron", meshes::Tetrahedron()},
      {"icosphere", meshes::Icosphere(1)},
      {"torus", meshes::Torus(12, 6)},
      {"star", Star()},
      {"knot", GenerateMesh(knot).value()},
      {"inside out", meshes::TurnedOver(meshes::Torus(10, 6))},
      {"two cubes, one inside out",
       meshes::Joined(meshes::Cube(),
                      meshes::TurnedOver(meshes::Cube({2, 0, 0})))},
      {"shell",
       meshes::Joined(meshes::Cube({-2, -2, -2}, 4),
                      meshes::TurnedOver(meshes::Cube({-1, -1, -1}, 2)))},
      {"shell that faces one way",
       meshes::Joined(meshes::Cube({-2, -2, -2}, 4),
                      meshes::Cube({-1, -1, -1}, 2))},
      // Two tetrahedra that share a vertex, and two cubes that share an edge.
      {"at a vertex",
       meshes::Joined(meshes::Tetrahedron({0, 0, 0}, 1),
                      meshes::TurnedOver(meshes::Tetrahedron({0, 0, 0}, -1)))},
      {"at an edge",
       meshes::Joined(meshes::Cube({0, 0, 0}), meshes::Cube({1, 1, 0}))},
      // Shells that overlap: walls within the inside.
      {"overlapping",
       meshes::Joined(meshes::Torus(10, 6), meshes::Cube({0.5, 0, 0}))},
      {"overlapping, inside out",
       meshes::TurnedOver(
           meshes::Joined(meshes::Cube(), meshes::Cube({0.5, 0.25, 0.1})))},
      {"twice", meshes::Joined(meshes::Cube(), meshes::Cube())},
  };
  return all;
}

TEST(SignedDistanceTest, AgreesWithRationalsOnEveryClosedMesh) {
  meshes::Random random(1);
  for (const meshes::Named& m : ClosedMeshes()) {
    SCOPED_TRACE(m.name);
    const Aabb& b = m.mesh.bounds();
    const double size = Norm(b.hi - b.lo);
    std::vector<SignedDistanceField> fields;
    for (const trees::Named& v : trees::Variants(m.mesh)) {
      fields.push_back(FieldOf(v.tree));
    }
    for (int i = 0; i < (kSanitized ? 2 : 5); ++i) {
      const Triangle t = m.mesh.triangle(random.Below(m.mesh.triangle_count()));
      for (const Vec3& p :
           {b.Center() + random.Point(-0.4, 0.4) * size,
            t.a * 0.3 + t.b * 0.5 + t.c * 0.2 +
                random.Direction() * (1e-9 * size),
            t.a + random.Direction() * (1e-3 * size),
            (t.a + t.b) * 0.5 + random.Direction() * (1e-3 * size)}) {
        CheckPoint(m.mesh, fields, p);
      }
    }
  }
}

// A closed mesh whose vertices are moved at random: it crosses itself, the
// triangles around one vertex included.
Mesh Crumpled(const Mesh& mesh, double by, uint64_t seed) {
  meshes::Random random(seed);
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3& v : vertices) v += random.Point(-by, by);
  return meshes::Make(std::move(vertices),
                      {mesh.triangles().begin(), mesh.triangles().end()});
}

std::vector<meshes::Named> CrossingMeshes() {
  return {{"cubes that overlap",
           meshes::Joined(meshes::Cube(), meshes::Cube({0.5, 0.25, 0.125}))},
          {"cubes that share a face",
           meshes::Joined(meshes::Cube(), meshes::Cube({1, 0, 0}))},
          {"a cube twice", meshes::Joined(meshes::Cube(), meshes::Cube())},
          {"tori that overlap",
           meshes::Joined(meshes::Torus(12, 6),
                          meshes::TurnedOver(meshes::Torus(10, 7)))},
          {"crumpled", Crumpled(meshes::Icosphere(1), 0.3, 1)},
          {"crumpled much", Crumpled(meshes::Icosphere(1), 1.5, 2)},
          {"crumpled torus", Crumpled(meshes::Torus(12, 6), 0.2, 3)}};
}

TEST(SignedDistanceTest, SignsAreThoseOfTheRuleWhereTheSurfaceCrossesItself) {
  meshes::Random random(7);
  for (const meshes::Named& m : CrossingMeshes()) {
    SCOPED_TRACE(m.name);
    const SignedDistanceField field = FieldOf(trees::Make(m.mesh));
    const double size = Norm(m.mesh.bounds().hi - m.mesh.bounds().lo);
    for (int i = 0; i < (kSanitized ? 5 : 20); ++i) {
      const Triangle t = m.mesh.triangle(random.Below(m.mesh.triangle_count()));
      const double off = size * std::pow(10.0, random.Uniform(-6, -0.5));
      CheckPoint(m.mesh, field, t.a + random.Direction() * off);
      CheckPoint(m.mesh, field, (t.a + t.b) * 0.5 + random.Direction() * off);
    }
  }
}

// On the planes between the regions of faces, edges and vertices, and on the
// axes of symmetry, where everything ties.
TEST(SignedDistanceTest, LatticePointsAboutLatticeMeshes) {
  constexpr double kStep = kSanitized ? 1.5 : 0.5;
  for (const meshes::Named& m : ClosedMeshes()) {
    if (m.name == "knot" || m.name == "torus" || m.name == "inside out" ||
        m.name == "icosphere") {
      continue;
    }
    SCOPED_TRACE(m.name);
    const SignedDistanceField field = FieldOf(trees::Make(m.mesh));
    for (double x = -1.5; x <= 2; x += 0.5) {
      for (double y = -1.5; y <= 1.5; y += kStep) {
        for (double z = -1.5; z <= 1.5; z += kStep) {
          CheckPoint(m.mesh, field, {x, y, z});
        }
      }
    }
  }
}

// A hair above and below faces, edges and vertices.
TEST(SignedDistanceTest, OneUlpFromTheSurface) {
  const Mesh mesh = meshes::Icosphere(1);
  const SignedDistanceField field = FieldOf(trees::Make(mesh));
  for (size_t i = 0; i < mesh.triangle_count(); i += 23) {
    const Triangle t = mesh.triangle(i);
    for (const Vec3& q :
         {t.a, (t.a + t.b) * 0.5, (t.a + t.b + t.c) * (1.0 / 3)}) {
      for (size_t k = 0; k < 3; ++k) {
        Vec3 p = q;
        p[k] = std::nextafter(p[k], kInf);
        CheckPoint(mesh, field, p);
        p[k] = std::nextafter(q[k], -kInf);
        CheckPoint(mesh, field, p);
      }
    }
  }
}

// A plate thinner than the last bit of the distance: its two sides are as far.
TEST(SignedDistanceTest, ThinWallsFarAway) {
  const Mesh plate = meshes::Joined(
      meshes::Cube({-8, -8, -8}, 1),
      meshes::Make({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0x1p-58}},
                   {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}));
  const SignedDistanceField field = FieldOf(trees::Make(plate));
  for (const Vec3& p : {Vec3{1, 1, 5}, Vec3{1, 1, -5}, Vec3{1, 1, 0x1p-60},
                        Vec3{1, 0.5, -0x1p-60}, Vec3{-7.5, -7.5, -7.5},
                        Vec3{1, 1, 1e9}, Vec3{-1e9, 0, 0}}) {
    CheckPoint(plate, field, p);
  }
}

TEST(SignedDistanceTest, EveryScaleAndPlace) {
  const Mesh star = Star();
  meshes::Random random(2);
  std::vector<Vec3> places;
  for (int i = 0; i < 100; ++i) places.push_back(random.Point(-3, 3));
  const SignedDistanceField plain = FieldOf(trees::Make(star));
  for (const int exponent : {-140, -40, 40, 190}) {
    SCOPED_TRACE(exponent);
    const double s = std::ldexp(1.0, exponent);
    const SignedDistanceField field =
        FieldOf(trees::Make(meshes::Scaled(star, s)));
    for (const Vec3& p : places) {
      EXPECT_EQ(field.Distance(p * s), plain.Distance(p) * s);
    }
  }
  const Vec3 away{0x1p40, -0x1p40, 0x1p40};
  const Mesh moved = meshes::Moved(star, Pose::Translation(away));
  const SignedDistanceField field = FieldOf(trees::Make(moved));
  for (const Vec3& p : places) CheckPoint(moved, field, p + away);
}

// At the least distances from a vertex, rounded distances do not decide which
// triangle is closest.
TEST(SignedDistanceTest, NextToVerticesOfTheSmallestMesh) {
  // A box with two corners pulled out.
  const double s = 0x1p-197;
  std::vector<Vec3> corners = {{-1, -1, -1}, {1, -1, -1}, {3, 7, 3.94},
                               {1, 1, -1},   {0, -4, 7},  {1, -1, 1},
                               {-1, 1, 1},   {1, 1, 1}};
  for (Vec3& p : corners) p *= s;
  const Mesh mesh = meshes::Make(corners, {{0, 2, 3},
                                           {0, 3, 1},
                                           {4, 5, 7},
                                           {4, 7, 6},
                                           {0, 1, 5},
                                           {0, 5, 4},
                                           {2, 6, 7},
                                           {2, 7, 3},
                                           {0, 4, 6},
                                           {0, 6, 2},
                                           {1, 3, 7},
                                           {1, 7, 5}});
  const SignedDistanceField field = FieldOf(trees::Make(mesh));
  for (const Vec3& corner : corners) {
    for (const double step :
         {std::numeric_limits<double>::denorm_min(),
          3 * std::numeric_limits<double>::denorm_min(), 0x1p-760}) {
      for (size_t axis = 0; axis < 3; ++axis) {
        for (const double sign : {-1.0, 1.0}) {
          Vec3 p = corner;
          p[axis] += sign * step;  // moves coordinates that are 0
          CheckPoint(mesh, field, p);
        }
      }
    }
  }
}

// Vertices that belong to each triangle alone are those of their neighbours.
TEST(SignedDistanceTest, VerticesAreToldByTheirPlaces) {
  const Mesh star = Star();
  std::vector<Triangle> triangles;
  for (size_t i = 0; i < star.triangle_count(); ++i) {
    triangles.push_back(star.triangle(i));
  }
  const Mesh soup = meshes::FromTriangles(triangles);
  const SignedDistanceField field = FieldOf(trees::Make(soup));
  meshes::Random random(3);
  for (int i = 0; i < 60; ++i) CheckPoint(soup, field, random.Point(-2, 2));
}

// A triangle without area closes the gap at a vertex on an edge.
TEST(SignedDistanceTest, TrianglesWithoutArea) {
  const Mesh mesh = meshes::Make(
      {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0}},
      {{0, 2, 1}, {0, 4, 3}, {4, 1, 3}, {0, 1, 4}, {0, 3, 2}, {1, 2, 3}});
  const SignedDistanceField field = FieldOf(trees::Make(mesh));
  for (double x = -0.5; x <= 2; x += 0.25) {
    for (double y = -0.5; y <= 1; y += 0.25) {
      for (double z = -0.5; z <= 1; z += 0.25) {
        CheckPoint(mesh, field, {x, y, z});
      }
    }
  }
}

TEST(SignedDistanceTest, OpenMeshesSayHowOpen) {
  const auto open = SignedDistanceField::Create(trees::Make(meshes::Grid(3)));
  EXPECT_EQ(open.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(open.status().message()),
              testing::AllOf(HasSubstr("12 edges"), HasSubstr("triangle 0")));
  const Mesh cube = meshes::Cube();
  std::vector<TriangleIndices> triangles(cube.triangles().begin(),
                                         cube.triangles().end());
  triangles.erase(triangles.begin() + 5);
  const auto hole = SignedDistanceField::Create(trees::Make(meshes::Make(
      {cube.vertices().begin(), cube.vertices().end()}, triangles)));
  EXPECT_EQ(hole.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(hole.status().message()), HasSubstr(" 3 edges"));
}

// Random triangles of two overlapping cubes turned over.
TEST(SignedDistanceTest, ParityDecidesWhereFacesDisagree) {
  meshes::Random random(2);
  const Mesh two = meshes::Joined(meshes::Cube({0, 0, 0}, 2),
                                  meshes::Cube({1, 0.5, 0.25}, 2));
  for (int round = 0; round < 5; ++round) {
    std::vector<TriangleIndices> triangles(two.triangles().begin(),
                                           two.triangles().end());
    for (TriangleIndices& t : triangles) {
      if (random.Below(3) == 0) std::swap(t[0], t[1]);
    }
    const Mesh mixed =
        meshes::Make({two.vertices().begin(), two.vertices().end()}, triangles);
    ASSERT_FALSE(DoFacesAgree(mixed));
    const Tree tree = trees::Make(mixed);
    const SignedDistanceField field = FieldOf(tree);
    std::vector<Vec3> points;
    for (int i = 0; i < 50; ++i) points.push_back(random.Point(-0.5, 3.5));
    const auto batch = field.Distance(points);
    const auto to_boundary = field.DistanceToBoundary(points);
    for (size_t i = 0; i < points.size(); ++i) {
      const bool is_odd =
          oracle::WindingOf(mixed, points[i]).value_or(0) % 2 != 0;
      const double distance = field.Distance(points[i]);
      EXPECT_EQ(distance < 0, is_odd);
      EXPECT_EQ(std::abs(distance), ClosestPoint(tree, points[i])->distance);
      EXPECT_EQ((*batch)[i], distance);
      EXPECT_EQ(field.IsInside(points[i]), is_odd);
      EXPECT_LE((*to_boundary)[i].lower, distance);
      EXPECT_GE((*to_boundary)[i].upper, distance);
    }
  }
}

TEST(SignedDistanceTest, TheRadius) {
  const SignedDistanceField field = FieldOf(trees::Make(meshes::Cube()));
  EXPECT_FALSE(field.ClosestPoint({0.5, 0.5, 0.5}, 0.25));
  EXPECT_EQ(field.ClosestPoint({0.5, 0.5, 0.5}, 0.5)->distance, -0.5);
  EXPECT_EQ(field.Distance({0.5, 0.5, 1e300}), 1e300);
}

TEST(SignedDistanceTest, EveryInstructionSetAgreesToTheLastCount) {
  const Mesh mesh = meshes::Torus(40, 20);
  meshes::Random random(4);
  for (const trees::Kind& kind : trees::Kinds()) {
    const SignedDistanceField field = FieldOf(trees::Make(mesh, kind.volumes));
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = random.Point(-1.2, 1.2);
      SetInstructionSet(SupportedInstructionSets().front());
      TraversalStatistics first;
      const double expected =
          field.Distance(p, kInf, {.statistics = &first}).value();
      TraversalStatistics first_inside;
      const bool inside =
          field.IsInside(p, {.statistics = &first_inside}).value();
      EXPECT_EQ(first_inside.triangle_tests,
                first_inside.settled_by_float + first_inside.settled_by_double +
                    first_inside.settled_by_expansion +
                    first_inside.settled_by_exact);
      trees::OnEachInstructionSet([&] {
        TraversalStatistics statistics;
        EXPECT_EQ(field.Distance(p, kInf, {.statistics = &statistics}).value(),
                  expected);
        EXPECT_EQ(statistics, first);
        TraversalStatistics inside_statistics;
        EXPECT_EQ(field.IsInside(p, {.statistics = &inside_statistics}).value(),
                  inside);
        EXPECT_EQ(inside_statistics, first_inside);
      });
    }
  }
}

TEST(SignedDistanceTest, BatchesHaveTheAnswersOfSinglePoints) {
  const SignedDistanceField field = FieldOf(trees::Make(meshes::Torus(24, 10)));
  meshes::Random random(7);
  std::vector<Vec3> points = {{1e300, 0, 0}};
  for (int i = 0; i < 600; ++i) points.push_back(random.Point(-1.5, 1.5));
  for (const int threads : {1, 2}) {
    const auto distances = field.Distance(points, {.threads = threads}).value();
    const auto inside = field.IsInside(points, {.threads = threads}).value();
    for (size_t i = 0; i < points.size(); ++i) {
      const double expected = field.Distance(points[i]);
      EXPECT_TRUE(distances[i] == expected || std::isnan(expected));
      EXPECT_EQ(std::isnan(distances[i]), std::isnan(expected));
      EXPECT_EQ(inside[i] != 0, field.IsInside(points[i]));
    }
  }
  EXPECT_EQ(field.Distance(points, -1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(std::isnan(field.Distance(Vec3{9, 0, 0}, 1)));
}

}  // namespace
}  // namespace orbox
