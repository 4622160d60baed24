// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/base/query_cancelled.h"

#include <atomic>
#include <cmath>
#include <numbers>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/overlap/triangles/predicates.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// The definition, by another formula than the library's: the spherical excess
// over the angles between the planes through p and the edges (Girard).
long double OracleSolidAngle(const Vec3& p, const Triangle& t) {
  using Long = BasicVec3<long double>;
  Long d[3];
  for (size_t i = 0; i < 3; ++i) {
    d[i] = {static_cast<long double>(t[i].x) - p.x,
            static_cast<long double>(t[i].y) - p.y,
            static_cast<long double>(t[i].z) - p.z};
  }
  long double excess = -std::numbers::pi_v<long double>;
  for (size_t i = 0; i < 3; ++i) {
    const Long u = Cross(d[i], d[(i + 1) % 3]);
    const Long v = Cross(d[i], d[(i + 2) % 3]);
    const Long w = Cross(u, v);
    excess += std::atan2(std::sqrt(Dot(w, w)), Dot(u, v));
  }
  // Rounding would let triangles without area be seen from either side.
  if (AreCollinear(t.a, t.b, t.c)) return 0;
  const long double volume = Dot(d[0], Cross(d[1], d[2]));
  return volume > 0 ? excess : (volume < 0 ? -excess : 0);
}

double OracleWinding(const Mesh& mesh, const Vec3& p) {
  long double sum = 0;
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    sum += OracleSolidAngle(p, mesh.triangle(i));
  }
  return static_cast<double>(sum / (4 * std::numbers::pi_v<long double>));
}

// Half a ball, without the disc that would close it.
Mesh OpenBowl() {
  const Mesh ball = meshes::Icosphere(3);
  std::vector<TriangleIndices> kept;
  for (size_t i = 0; i < ball.triangle_count(); ++i) {
    const Triangle t = ball.triangle(i);
    if (t.a.z + t.b.z + t.c.z < 0) kept.push_back(ball.triangles()[i]);
  }
  return meshes::Make({ball.vertices().begin(), ball.vertices().end()},
                      std::move(kept));
}

// Far from the surface, as far as a test by rounding wants it.
bool IsClear(const Tree& tree, const Vec3& p) {
  return ClosestPoint(tree, p)->distance > 1e-3;
}

TEST(WindingNumberTest, KeepsTheErrorRequestedOnEveryMesh) {
  meshes::Random random(1);
  for (const meshes::Named& m : meshes::Assortment()) {
    if (m.name == "needles" || m.name == "far_away") continue;
    SCOPED_TRACE(m.name);
    const double size = Norm(m.mesh.bounds().hi - m.mesh.bounds().lo);
    for (const trees::Named& v : trees::Variants(m.mesh)) {
      SCOPED_TRACE(v.name);
      const WindingNumberField field = WindingNumberField::Of(v.tree);
      for (int i = 0; i < 20; ++i) {
        const Vec3 p = m.mesh.bounds().Center() + random.Point(-1, 1) * size;
        if (!IsClear(v.tree, p)) continue;
        const double expected = OracleWinding(m.mesh, p);
        for (const double error : {1.0, 0.1, 1e-3, 1e-6, 0.0}) {
          EXPECT_NEAR(field.At(p, error), expected, error + 1e-9);
        }
        if (std::abs(expected - 0.5) > 1e-9) {
          EXPECT_EQ(field.IsInside(p), expected > 0.5);
        }
      }
    }
  }
}

TEST(WindingNumberTest, LessIsLookedAtWhereMoreErrorIsAllowed) {
  const Tree tree = trees::Make(meshes::Icosphere(4));
  const WindingNumberField field = WindingNumberField::Of(tree);
  uint64_t last = 0;
  for (const double error : {0.3, 1e-2, 1e-4}) {
    TraversalStatistics statistics;
    field.At({0.3, 0.2, 0.6}, error, {.statistics = &statistics}).value();
    EXPECT_GE(statistics.triangle_tests, last);
    last = statistics.triangle_tests;
    if (error > 0.1) {
      EXPECT_LT(last, tree.mesh().triangle_count() / 10);
    }
  }
  EXPECT_LT(last, tree.mesh().triangle_count());
  TraversalStatistics all;
  field.At({0.3, 0.2, 0.6}, 0, {.statistics = &all}).value();
  EXPECT_EQ(all.triangle_tests, tree.mesh().triangle_count());
  EXPECT_EQ(all.leaves_visited, tree.leaf_count());
}

TEST(WindingNumberTest, ClosedMeshesAgreeWithTheExactInside) {
  for (const Mesh& mesh :
       {meshes::Cube({-1, -1, -1}, 2), meshes::Torus(30, 12),
        meshes::Icosphere(3),
        meshes::Joined(meshes::Icosphere(2), meshes::Torus(20, 8, 3, 0.5))}) {
    const Tree tree = trees::Make(mesh);
    const SignedDistanceField exact = SignedDistanceField::Create(tree).value();
    const WindingNumberField field = WindingNumberField::Of(tree);
    meshes::Random random(2);
    const Aabb& b = mesh.bounds();
    for (int i = 0; i < 300; ++i) {
      const Vec3 p =
          b.Center() + random.Point(-0.6, 0.6) * MaxCoordinate(b.hi - b.lo);
      EXPECT_EQ(field.IsInside(p), exact.IsInside(p));
      EXPECT_NEAR(field.At(p, 1e-8), exact.IsInside(p) ? 1 : 0, 1e-7);
    }
  }
}

// The middles of triangles are as near to their planes as rounding puts them.
TEST(WindingNumberTest, PointsNextToAFaceAreOnTheirSideOfIt) {
  meshes::Random random(4);
  size_t inside = 0;
  size_t outside = 0;
  for (const Mesh& mesh : {meshes::Torus(30, 12), meshes::Icosphere(3)}) {
    const Mesh turned = meshes::Moved(mesh, meshes::RandomRigidPose(random, 9));
    const Tree tree = trees::Make(turned);
    const WindingNumberField field = WindingNumberField::Of(tree);
    for (size_t i = 0; i < turned.triangle_count(); ++i) {
      const Triangle t = turned.triangle(i);
      const Vec3 p = (t.a + t.b + t.c) * (1.0 / 3);
      if (ClosestPoint(tree, p)->distance == 0) continue;
      const bool is_inside = IsInside(tree, p);
      ++(is_inside ? inside : outside);
      EXPECT_EQ(field.IsInside(p), is_inside);
      EXPECT_NEAR(field.At(p, 0), is_inside ? 1 : 0, 1e-9);
    }
  }
  EXPECT_GT(inside, 100U);
  EXPECT_GT(outside, 100U);
}

// Compact trees keep no corners, only the mesh does.
TEST(WindingNumberTest, CompactTreesAndEverySizeOfLeafGiveTheNumber) {
  const Mesh bowl = OpenBowl();
  const Vec3 points[] = {{0.1, 0.2, 0.1}, {0, 0, -0.9}, {0.3, -0.2, 0.4}};
  for (const trees::Named& v : trees::Variants(bowl)) {
    const auto field = WindingNumberField::Of(v.tree);
    for (const Vec3& p : points) {
      EXPECT_NEAR(field.At(p, 0), OracleWinding(bowl, p), 1e-9) << v.name;
    }
  }
}

TEST(WindingNumberTest, HolesCountByTheirSolidAngle) {
  const Tree tree = trees::Make(OpenBowl());
  const WindingNumberField field = WindingNumberField::Of(tree);
  EXPECT_NEAR(field.At({0, 0, 0}, 1e-9), 0.5, 0.05);
  EXPECT_TRUE(field.IsInside({0, 0, -0.5}));
  EXPECT_FALSE(field.IsInside({0, 0, 0.5}));
  EXPECT_FALSE(field.IsInside({0, 0, -1.5}));
  // Two sheets that overlap wind twice.
  const Tree twice = trees::Make(
      meshes::Joined(meshes::Cube(), meshes::Cube({0.5, 0.5, 0.5})));
  EXPECT_NEAR(WindingNumberField::Of(twice).At({0.75, 0.75, 0.8}), 2, 1e-3);
}

TEST(WindingNumberTest, EveryScaleAndPlace) {
  const Mesh bowl = OpenBowl();
  const WindingNumberField plain = WindingNumberField::Of(trees::Make(bowl));
  meshes::Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Vec3 p = random.Point(-1.5, 1.5);
    for (const int exponent : {-140, 190}) {
      const double s = std::ldexp(1.0, exponent);
      const WindingNumberField field =
          WindingNumberField::Of(trees::Make(meshes::Scaled(bowl, s)));
      EXPECT_EQ(field.At(p * s), plain.At(p));
    }
  }
  const Vec3 away{0x1p30, -0x1p30, 0x1p30};
  const Mesh moved = meshes::Moved(bowl, Pose::Translation(away));
  const Tree tree = trees::Make(moved);
  const WindingNumberField field = WindingNumberField::Of(tree);
  for (int i = 0; i < 50; ++i) {
    const Vec3 p = away + random.Point(-1.5, 1.5);
    if (!IsClear(tree, p)) continue;
    EXPECT_NEAR(field.At(p, 1e-5), OracleWinding(moved, p), 2e-5);
  }
}

TEST(WindingNumberTest, BadInputAndFarAway) {
  const WindingNumberField field =
      WindingNumberField::Of(trees::Make(meshes::Cube()));
  for (const double far : {1e3, 1e10, 1e100, 1e300}) {
    EXPECT_NEAR(field.At({far, far, -far}, 1e-12), 0, 1e-9);
    EXPECT_FALSE(field.IsInside({far, 0, 0}));
  }
  EXPECT_EQ(WindingNumberField::Of(trees::Make(meshes::OneTriangle()))
                .At({0.2, 0.2, 0}),
            0);
}

// No loop of it depends on the instruction set; the tree does not, either.
TEST(WindingNumberTest, EveryInstructionSetGivesTheSameBits) {
  const Mesh mesh = meshes::Grid(20, 0.3);
  for (const trees::Kind& kind : trees::Kinds()) {
    const Vec3 p{0.4, 0.5, 0.6};
    SetInstructionSet(SupportedInstructionSets().front());
    const double expected =
        WindingNumberField::Of(trees::Make(mesh, kind.volumes)).At(p);
    trees::OnEachInstructionSet([&] {
      const Tree tree = trees::Make(mesh, kind.volumes);
      EXPECT_EQ(WindingNumberField::Of(tree).At(p), expected);
    });
  }
}

TEST(WindingNumberTest, BatchesHaveTheAnswersOfSinglePoints) {
  const WindingNumberField field =
      WindingNumberField::Of(trees::Make(OpenBowl()));
  meshes::Random random(8);
  std::vector<Vec3> points = {{0, 0, 0}};
  for (int i = 0; i < 600; ++i) points.push_back(random.Point(-1.5, 1.5));
  const auto inside = field.IsInside(points, {.threads = 2}).value();
  const auto numbers = field.At(points, 1e-6, {.threads = 2}).value();
  size_t count = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(inside[i] != 0, field.IsInside(points[i]));
    const double number = field.At(points[i], 1e-6);
    EXPECT_TRUE(numbers[i] == number || std::isnan(number));
    count += inside[i];
  }
  EXPECT_GT(count, 0u);
  EXPECT_EQ(field.At(points, {.threads = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(WindingNumberTest, CanBeCancelled) {
  const WindingNumberField field =
      WindingNumberField::Of(trees::Make(meshes::Torus(160, 80)));
  const std::atomic<bool> cancelled = true;
  TraversalStatistics few;
  TraversalStatistics all;
  const Vec3 p{0.9, 0.1, 0};
  const RunOptions options{.statistics = &few, .cancelled = &cancelled};
  EXPECT_EQ(field.At(p, 0, options).status().code(),
            absl::StatusCode::kCancelled);
  field.At(p, 0, {.statistics = &all}).value();
  EXPECT_LT(few.triangle_tests, all.triangle_tests);
  EXPECT_EQ(field.IsInside(std::vector<Vec3>(3), {.cancelled = &cancelled})
                .status()
                .code(),
            absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace orbox
