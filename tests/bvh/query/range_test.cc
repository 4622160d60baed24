#include "orbox/bvh/query/range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double DiagonalOf(const Mesh& mesh) {
  return Norm(mesh.bounds().hi - mesh.bounds().lo);
}

// A point in or around the mesh's box.
Vec3 PointAbout(const Mesh& mesh, meshes::Random& random) {
  const Aabb& b = mesh.bounds();
  const double margin = 0.2 * DiagonalOf(mesh);
  return {random.Uniform(b.lo.x - margin, b.hi.x + margin),
          random.Uniform(b.lo.y - margin, b.hi.y + margin),
          random.Uniform(b.lo.z - margin, b.hi.z + margin)};
}

Obb RandomObb(const Mesh& mesh, meshes::Random& random) {
  const Pose turn =
      Pose::Rotation(random.Direction(), random.Uniform(0, 6), {});
  const double size = 0.3 * DiagonalOf(mesh);
  return {PointAbout(mesh, random),
          {turn.rows[0], turn.rows[1], turn.rows[2]},
          random.Point(0, size)};
}

// Checks one shape on one mesh, for every kind of tree.
template <typename Shape>
void CheckRange(const Mesh& mesh, const std::vector<trees::Named>& variants,
                const Shape& shape) {
  const std::vector<uint32_t> expected = brute_force::InRange(mesh, shape);
  for (const trees::Named& v : variants) {
    SCOPED_TRACE(v.name);
    EXPECT_EQ(CollectInRange(v.tree, shape), expected);
    EXPECT_EQ(CountInRange(v.tree, shape), expected.size());
    EXPECT_EQ(AnyInRange(v.tree, shape), !expected.empty());
  }
}

TEST(RangeTest, AgreesWithBruteForceOnEveryMesh) {
  meshes::Random random(1);
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const auto variants = trees::Variants(m.mesh);
    const double size = DiagonalOf(m.mesh);
    for (int i = 0; i < 12; ++i) {
      const Vec3 p = PointAbout(m.mesh, random);
      const Vec3 q = PointAbout(m.mesh, random);
      CheckRange(m.mesh, variants, Sphere{p, random.Uniform(0, 0.3) * size});
      CheckRange(m.mesh, variants, Aabb{Min(p, q), Max(p, q)});
      CheckRange(m.mesh, variants, RandomObb(m.mesh, random));
    }
  }
}

// Balls that pass exactly through a vertex, boxes that end exactly at one.
TEST(RangeTest, TouchingIsOverlapping) {
  const Mesh cube = meshes::Cube({1, 1, 1}, 2);
  const auto variants = trees::Variants(cube);
  for (const double gap : {0.0, 0x1p-52, -0x1p-52}) {
    CheckRange(cube, variants, Sphere{{0, 2, 2}, 1 - gap});
    CheckRange(cube, variants, Sphere{{1 - 3, 1 - 4, 1}, 5 * (1 - gap)});
    CheckRange(cube, variants, Aabb{{0, 0, 0}, {1 - gap, 1, 1}});
    CheckRange(cube, variants, Aabb{{3 + gap, 0, 0}, {4, 4, 4}});
    const Obb turned{
        {0, 2, 2}, {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}, {9, 1 - gap, 9}};
    CheckRange(cube, variants, turned);
  }
  for (const trees::Named& v : variants) {
    EXPECT_TRUE(AnyInRange(v.tree, Sphere{{0, 2, 2}, 1}));
    EXPECT_FALSE(AnyInRange(v.tree, Sphere{{0, 2, 2}, 1 - 0x1p-53}));
  }
}

TEST(RangeTest, EveryScaleAndPlaceGivesTheSameIds) {
  const Mesh torus = meshes::Torus(24, 10);
  const Sphere ball{{1, 0.1, 0}, 0.3};
  const auto expected = brute_force::InRange(torus, ball);
  ASSERT_FALSE(expected.empty());
  for (const int exponent : {-1000, -300, -40, 40, 300, 1000}) {
    const double s = std::ldexp(1.0, exponent);
    SCOPED_TRACE(exponent);
    const Mesh scaled = meshes::Scaled(torus, s);
    for (const trees::Named& v : trees::Variants(scaled)) {
      SCOPED_TRACE(v.name);
      EXPECT_EQ(
          CollectInRange(v.tree, Sphere{ball.center * s, ball.radius * s}),
          expected);
    }
  }
  for (const double offset : {0x1p20, 0x1p40}) {
    const Vec3 t{offset, -offset, offset};
    const Mesh moved = meshes::Moved(torus, Pose::Translation(t));
    CheckRange(moved, trees::Variants(moved), Sphere{ball.center + t, 0.3});
  }
}

TEST(RangeTest, InvalidShapesAreEmpty) {
  const Tree tree = trees::Make(meshes::Cube());
  EXPECT_THAT(CollectInRange(tree, Sphere{{0, 0, 0}, -1}), IsEmpty());
  EXPECT_THAT(CollectInRange(tree, Sphere{{0, 0, 0}, kNan}), IsEmpty());
  EXPECT_THAT(CollectInRange(tree, Sphere{{kNan, 0, 0}, 9}), IsEmpty());
  EXPECT_THAT(CollectInRange(tree, Sphere{{kInf, 0, 0}, 9}), IsEmpty());
  EXPECT_THAT(CollectInRange(tree, Aabb{{1, 0, 0}, {0, 1, 1}}), IsEmpty());
  EXPECT_THAT(CollectInRange(tree, Aabb{{kNan, 0, 0}, {1, 1, 1}}), IsEmpty());
  const Obb negative{.center = {0, 0, 0}, .half_extents = {1, -1, 1}};
  EXPECT_THAT(CollectInRange(tree, negative), IsEmpty());
}

TEST(RangeTest, InfiniteShapesHoldEverything) {
  const Tree tree = trees::Make(meshes::Tetrahedron());
  EXPECT_THAT(CollectInRange(tree, Sphere{{5, 5, 5}, kInf}),
              ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(
      CollectInRange(tree, Aabb{{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}}),
      ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(CollectInRange(tree, Sphere{{1e300, 0, 0}, 1e300}),
              ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(CollectInRange(tree, Sphere{{1e12, 0, 0}, 1e11}), IsEmpty());
}

TEST(RangeTest, SlabsAtOddAnglesAreTakenAsGiven) {
  const Mesh mesh = meshes::Torus(16, 8);
  const Obb skewed{
      {0.2, 0, 0}, {{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 2}}}, {0.5, 0.7, 0.2}};
  CheckRange(mesh, trees::Variants(mesh), skewed);
}

TEST(RangeTest, EveryInstructionSetAgreesToTheLastCount) {
  const Mesh mesh = meshes::Grid(40, 0.2);
  const Sphere ball{{0.5, 0.5, 0.1}, 0.2};
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    TraversalStatistics first;
    SetInstructionSet(SupportedInstructionSets().front());
    const auto expected = CollectInRange(tree, ball, &first);
    trees::OnEachInstructionSet([&] {
      TraversalStatistics statistics;
      EXPECT_EQ(CollectInRange(tree, ball, &statistics), expected);
      EXPECT_EQ(statistics, first);
    });
  }
}

TEST(RangeTest, AppendedIdsComeInTheOrderAskedFor) {
  const Tree tree = trees::Make(meshes::Grid(30, 0.1));
  const Sphere ball{{0.5, 0.5, 0}, 0.3};
  const std::vector<uint32_t> expected = CollectInRange(tree, ball);
  ASSERT_GT(expected.size(), 100u);
  std::vector<uint32_t> ids = {77};
  AppendInRange(tree, ball, &ids);
  EXPECT_EQ(ids[0], 77u);
  EXPECT_EQ(std::vector(ids.begin() + 1, ids.end()), expected);
  ids.clear();
  AppendInRange(tree, ball, &ids, IdOrder::kOfTree);
  EXPECT_NE(ids, expected);
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(ids, expected);
}

TEST(RangeTest, TheVisitorStops) {
  const Tree tree = trees::Make(meshes::Grid(10));
  int seen = 0;
  VisitRange(tree, Sphere{{0.5, 0.5, 0}, 1}, [&](uint32_t) {
    return ++seen == 3 ? Visit::kStop : Visit::kContinue;
  });
  EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace orbox
