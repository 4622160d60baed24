#include "orbox/bvh/query/swept_sphere.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/range.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

struct Expected {
  std::optional<SweepHit> first;
  double least_earliest = 1;  // of any triangle
};

// By asking every triangle; of single ones, swept_sphere_test.cc is the judge.
Expected AskEach(const Mesh& mesh, const SweptSphere& ball) {
  Expected expected;
  std::optional<SweepHit>& first = expected.first;
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    const auto c = FirstContact(ball, mesh.triangle(id));
    if (!c) continue;
    expected.least_earliest = std::min(expected.least_earliest, c->earliest);
    if (!first || c->latest < first->latest) {
      first = SweepHit{id, c->earliest, c->latest, c->point};
    }
  }
  return expected;
}

// On every kind of tree. Returns whether there is contact.
bool CheckSweep(const Mesh& mesh, const std::vector<trees::Named>& variants,
                const SweptSphere& ball) {
  const Expected all = AskEach(mesh, ball);
  const std::optional<SweepHit>& expected = all.first;
  for (const trees::Named& v : variants) {
    SCOPED_TRACE(v.name);
    EXPECT_EQ(AnyContact(v.tree, ball), expected.has_value());
    const std::optional<SweepHit> hit = FirstContact(v.tree, ball);
    EXPECT_EQ(hit.has_value(), expected.has_value());
    if (!hit || !expected) continue;
    EXPECT_EQ(hit->triangle, expected->triangle);
    EXPECT_EQ(hit->latest, expected->latest);
    EXPECT_EQ(hit->point, expected->point);
    EXPECT_LE(hit->earliest, expected->earliest);
    EXPECT_GE(hit->earliest, all.least_earliest);
  }
  return expected.has_value();
}

TEST(SweptSphereQueryTest, AgreesWithBruteForceOnEveryMesh) {
  meshes::Random random(1);
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const auto variants = trees::Variants(m.mesh);
    const Aabb& b = m.mesh.bounds();
    const double size = Norm(b.hi - b.lo);
    int contacts = 0;
    for (int i = 0; i < 8; ++i) {
      const Vec3 from = b.Center() + random.Point(-1, 1) * size;
      const Triangle t = m.mesh.triangle(random.Below(m.mesh.triangle_count()));
      const double radius =
          i == 0 ? 0 : size * std::pow(10.0, random.Uniform(-4, -0.5));
      contacts += CheckSweep(m.mesh, variants, {from, t.b, radius});
      CheckSweep(m.mesh, variants,
                 {from, b.Center() + random.Point(-1, 1) * size, radius});
      // Along an edge, and staying on a vertex.
      CheckSweep(m.mesh, variants, {t.a, t.c, radius});
      CheckSweep(m.mesh, variants, {t.a, t.a, radius});
    }
    EXPECT_GT(contacts, 4);
  }
}

TEST(SweptSphereQueryTest, EveryScaleAndPlace) {
  const Mesh torus = meshes::Torus(24, 10);
  const SweptSphere ball{{1.5, 0.3, 2}, {1, 0.1, -2}, 0.125};
  const auto expected = AskEach(torus, ball).first;
  ASSERT_TRUE(expected);
  for (const int exponent : {-1000, -300, 300, 1000}) {
    SCOPED_TRACE(exponent);
    const double s = std::ldexp(1.0, exponent);
    for (const trees::Named& v : trees::Variants(meshes::Scaled(torus, s))) {
      SCOPED_TRACE(v.name);
      const auto hit = FirstContact(
          v.tree, SweptSphere{ball.from * s, ball.to * s, ball.radius * s});
      ASSERT_TRUE(hit);
      EXPECT_EQ(hit->triangle, expected->triangle);
      EXPECT_EQ(hit->latest, expected->latest);
    }
  }
  for (const double offset : {0x1p20, 0x1p40}) {
    const Vec3 t{offset, offset, -offset};
    const Mesh moved = meshes::Moved(torus, Pose::Translation(t));
    CheckSweep(moved, trees::Variants(moved),
               {ball.from + t, ball.to + t, ball.radius});
  }
}

TEST(SweptSphereQueryTest, FromVeryFarAwayAndVeryLarge) {
  meshes::Random random(2);
  const Mesh mesh = meshes::Icosphere(2);
  const auto variants = trees::Variants(mesh);
  for (const double far : {1e3, 1e6, 1e12, 1e15, 1e300}) {
    SCOPED_TRACE(far);
    const Vec3 from = random.Direction() * far;
    EXPECT_TRUE(CheckSweep(mesh, variants, {from, -from, 0.25}));
    EXPECT_TRUE(CheckSweep(mesh, variants, {from, {0, 0, 0}, far * 0.5}));
    EXPECT_FALSE(CheckSweep(mesh, variants, {from, from * 0.875, far * 0.25}));
  }
}

// What the ball passes freely on its way, it does not touch; where the contact
// is, it does.
TEST(SweptSphereQueryTest, TheBallIsFreeUntilTheContact) {
  const Mesh mesh = meshes::Grid(40, 0.2);
  const Tree tree = trees::Make(mesh);
  meshes::Random random(3);
  int contacts = 0;
  for (int i = 0; i < 200; ++i) {
    const SweptSphere ball{random.Point(0, 1) + Vec3{0, 0, 1},
                           random.Point(0, 1) - Vec3{0, 0, 0.5}, 0.03};
    const auto hit = FirstContact(tree, ball);
    if (!hit) continue;
    ++contacts;
    const auto at = [&](double t) {
      return Sphere{ball.from + (ball.to - ball.from) * t, ball.radius};
    };
    for (const double share : {0.0, 0.5, 0.9, 1 - 0x1p-30}) {
      EXPECT_FALSE(AnyInRange(tree, at(hit->earliest * share)));
    }
    EXPECT_TRUE(AnyInRange(tree, at(hit->latest + 0x1p-40)));
    EXPECT_LE(hit->latest - hit->earliest, 0x1p-36);
  }
  EXPECT_GT(contacts, 100);
}

TEST(SweptSphereQueryTest, TiesGoToTheLowestId) {
  const Mesh copies = meshes::Identical(200);
  for (const trees::Named& v : trees::Variants(copies)) {
    EXPECT_EQ(
        FirstContact(v.tree, {{0.2, 0.2, 1}, {0.2, 0.2, -1}, 0.1})->triangle,
        0u);
  }
}

TEST(SweptSphereQueryTest, BadInputTouchesNothing) {
  const Tree tree = trees::Make(meshes::Cube());
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(AnyContact(tree, {{0, 0, 5}, {0, 0, 0}, 1}));
  EXPECT_FALSE(AnyContact(tree, {{0, 0, 5}, {0, 0, 0}, -1}));
  EXPECT_FALSE(FirstContact(tree, {{0, 0, 5}, {0, 0, 0}, kNan}));
  EXPECT_FALSE(FirstContact(tree, {{0, 0, 5}, {0, 0, 0}, kInf}));
  EXPECT_FALSE(FirstContact(tree, {{0, 0, kInf}, {0, 0, 0}, 1}));
  EXPECT_FALSE(AnyContact(tree, {{0, 0, 5}, {kNan, 0, 0}, 1}));
}

TEST(SweptSphereQueryTest, EveryInstructionSetAgreesToTheLastCount) {
  const Mesh mesh = meshes::Torus(60, 30);
  meshes::Random random(4);
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    for (int i = 0; i < 20; ++i) {
      const SweptSphere ball{random.Point(-2, 2), random.Point(-1, 1), 0.05};
      TraversalStatistics first;
      SetInstructionSet(SupportedInstructionSets().front());
      const auto expected = FirstContact(tree, ball, &first);
      const bool any = AnyContact(tree, ball, &first);
      const TraversalStatistics& s = first;
      EXPECT_EQ(s.settled_by_float + s.settled_by_double +
                    s.settled_by_expansion + s.settled_by_exact,
                s.triangle_tests);
      trees::OnEachInstructionSet([&] {
        TraversalStatistics statistics;
        const auto hit = FirstContact(tree, ball, &statistics);
        ASSERT_EQ(hit.has_value(), expected.has_value());
        if (hit) {
          EXPECT_EQ(hit->triangle, expected->triangle);
          EXPECT_EQ(hit->earliest, expected->earliest);
          EXPECT_EQ(hit->latest, expected->latest);
          EXPECT_EQ(hit->point, expected->point);
        }
        EXPECT_EQ(AnyContact(tree, ball, &statistics), any);
        EXPECT_EQ(statistics, first);
      });
    }
  }
}

}  // namespace
}  // namespace orbox
