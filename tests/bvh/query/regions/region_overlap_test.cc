// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/regions/region_overlap.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <span>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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
    EXPECT_EQ(AllOverlaps(v.tree, shape), expected);
    EXPECT_EQ(CountOverlaps(v.tree, shape), expected.size());
    EXPECT_EQ(AnyOverlap(v.tree, shape), !expected.empty());
  }
}

TEST(RegionOverlapTest, AgreesWithBruteForceOnEveryMesh) {
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

// Copies share an answer, and triangles that are nearly so do not.
TEST(RegionOverlapTest, CopiesAreAnsweredAsEachOfThem) {
  meshes::Random random(9);
  const Mesh some = meshes::Soup(9, 0.8, 4);
  std::vector<Triangle> triangles;
  for (uint32_t i = 0; i < some.triangle_count(); ++i) {
    const Triangle t = some.triangle(i);
    Triangle near = t;
    near.b.z = std::nextafter(near.b.z, 9.0);
    for (int k = 0; k < 6; ++k) triangles.push_back(t);
    triangles.insert(triangles.end(), {near, {t.b, t.c, t.a}, near, t});
  }
  const Mesh mesh = meshes::FromTriangles(triangles);
  const auto variants = trees::Variants(mesh);
  for (uint32_t i = 0; i < some.triangle_count(); ++i) {
    const Triangle t = some.triangle(i);
    // Just touched by some of them.
    CheckRange(mesh, variants, Aabb{t.b, t.b + Vec3{0.1, 0.1, 0.1}});
    CheckRange(mesh, variants, Sphere{t.b + Vec3{0, 0, 0.25}, 0.25});
    CheckRange(mesh, variants, RandomObb(mesh, random));
    const HalfSpace above[] = {{{0, 0, -1}, -t.b.z}};
    CheckRange(mesh, variants, HalfSpaces(above));
  }
}

// Balls that pass exactly through a vertex, boxes that end exactly at one.
// Balls whose surface passes through the mesh and whose center is far away, and
// those that just touch a vertex.
TEST(RegionOverlapTest, BallsFromAfarTakeFewSteps) {
  meshes::Random random(9);
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const auto variants = trees::Variants(m.mesh);
    const Vec3 middle = m.mesh.bounds().Center();
    const double diagonal = DiagonalOf(m.mesh);
    for (const double away :
         {300.0, 1e3, 1e5, 1e8, 1e10, 1e13, 1e16, 1e19, 1e30}) {
      const Vec3 center = middle + random.Direction() * (away * diagonal);
      const uint32_t id =
          static_cast<uint32_t>(random.Below(m.mesh.triangle_count()));
      const double touching = Norm(center - m.mesh.triangle(id).a);
      for (const double radius :
           {touching, Norm(center - middle) + random.Uniform(-1, 1) * diagonal,
            0.5 * away * diagonal, 3 * away * diagonal}) {
        CheckRange(m.mesh, variants, Sphere{center, radius});
      }
    }
  }
  const Tree tree = trees::Make(meshes::Icosphere(5));
  for (const double away : {1e4, 1e6, 1e9, 1e12, 1e15}) {
    TraversalStatistics statistics;
    const Sphere ball{Vec3{0.3, 0.5, 0.8} * away,
                      away * Norm(Vec3{0.3, 0.5, 0.8})};
    const size_t count =
        CountOverlaps(tree, ball, {.statistics = &statistics}).value();
    EXPECT_GT(count, 5000u) << away;
    EXPECT_LT(count, 15'000u) << away;
    // Only triangles near the ball's surface are tested, of 20,480.
    EXPECT_LT(statistics.triangle_tests, 3000u) << away;
    EXPECT_LT(statistics.settled_by_double + statistics.settled_by_expansion +
                  statistics.settled_by_exact,
              300u)
        << away;
  }
}

TEST(RegionOverlapTest, TouchingIsOverlapping) {
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
    EXPECT_TRUE(AnyOverlap(v.tree, Sphere{{0, 2, 2}, 1}));
    EXPECT_FALSE(AnyOverlap(v.tree, Sphere{{0, 2, 2}, 1 - 0x1p-53}));
  }
}

TEST(RegionOverlapTest, EveryScaleAndPlaceGivesTheSameIds) {
  const Mesh torus = meshes::Torus(24, 10);
  const Sphere ball{{1, 0.1, 0}, 0.3};
  const auto expected = brute_force::InRange(torus, ball);
  ASSERT_FALSE(expected.empty());
  for (const int exponent : {-140, -40, 40, 190}) {
    const double s = std::ldexp(1.0, exponent);
    SCOPED_TRACE(exponent);
    const Mesh scaled = meshes::Scaled(torus, s);
    for (const trees::Named& v : trees::Variants(scaled)) {
      SCOPED_TRACE(v.name);
      EXPECT_EQ(AllOverlaps(v.tree, Sphere{ball.center * s, ball.radius * s}),
                expected);
    }
  }
  for (const double offset : {0x1p20, 0x1p40}) {
    const Vec3 t{offset, -offset, offset};
    const Mesh moved = meshes::Moved(torus, Pose::Translation(t));
    CheckRange(moved, trees::Variants(moved), Sphere{ball.center + t, 0.3});
  }
}

TEST(RegionOverlapTest, ABoxWithLoAboveHiIsEmpty) {
  const Tree tree = trees::Make(meshes::Cube());
  EXPECT_THAT(AllOverlaps(tree, Aabb{{1, 0, 0}, {0, 1, 1}}), IsEmpty());
}

TEST(RegionOverlapTest, InfiniteShapesHoldEverything) {
  const Tree tree = trees::Make(meshes::Tetrahedron());
  EXPECT_THAT(AllOverlaps(tree, Sphere{{5, 5, 5}, kInf}),
              ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(
      AllOverlaps(tree, Aabb{{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}}),
      ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(AllOverlaps(tree, Sphere{{1e300, 0, 0}, 1e300}),
              ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(AllOverlaps(tree, Sphere{{1e12, 0, 0}, 1e11}), IsEmpty());
}

TEST(RegionOverlapTest, SlabsAtOddAnglesAreTakenAsGiven) {
  const Mesh mesh = meshes::Torus(16, 8);
  const Obb skewed{
      {0.2, 0, 0}, {{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 2}}}, {0.5, 0.7, 0.2}};
  CheckRange(mesh, trees::Variants(mesh), skewed);
}

TEST(RegionOverlapTest, EveryInstructionSetAgreesToTheLastCount) {
  const Mesh mesh = meshes::Grid(40, 0.2);
  const Sphere ball{{0.5, 0.5, 0.1}, 0.2};
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    TraversalStatistics first;
    SetInstructionSet(SupportedInstructionSets().front());
    const auto expected =
        AllOverlaps(tree, ball, {.statistics = &first}).value();
    trees::OnEachInstructionSet([&] {
      TraversalStatistics statistics;
      EXPECT_EQ(AllOverlaps(tree, ball, {.statistics = &statistics}).value(),
                expected);
      EXPECT_EQ(statistics, first);
    });
  }
}

TEST(RegionOverlapTest, AppendedIdsComeInTheOrderRequested) {
  const Tree tree = trees::Make(meshes::Grid(30, 0.1));
  const Sphere ball{{0.5, 0.5, 0}, 0.3};
  const std::vector<uint32_t> expected = AllOverlaps(tree, ball);
  ASSERT_GT(expected.size(), 100u);
  std::vector<uint32_t> ids = {77};
  AppendOverlaps(tree, ball, &ids);
  EXPECT_EQ(ids[0], 77u);
  EXPECT_EQ(std::vector(ids.begin() + 1, ids.end()), expected);
  ids.clear();
  AppendOverlaps(tree, ball, &ids, IdOrder::kOfTree);
  EXPECT_NE(ids, expected);
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(ids, expected);
}

TEST(RegionOverlapTest, TheVisitorStops) {
  const Tree tree = trees::Make(meshes::Grid(10));
  int seen = 0;
  VisitOverlaps(tree, Sphere{{0.5, 0.5, 0}, 1}, [&](uint32_t) {
    return ++seen == 3 ? Visit::kStop : Visit::kContinue;
  });
  EXPECT_EQ(seen, 3);
}

TEST(RegionOverlapTest, BatchesHaveTheAnswersOfSingleRegions) {
  const Mesh mesh = meshes::Torus(24, 10);
  const Tree tree = trees::Make(mesh);
  meshes::Random random(4);
  const std::vector<HalfSpace> wedge = {{{1, 2, 3}, 0.5}, {{-1, 0.5, 0}, 0.2}};
  std::vector<Region> regions;
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = PointAbout(mesh, random);
    const Vec3 q = PointAbout(mesh, random);
    regions.emplace_back(Sphere{p, random.Uniform(0, 0.5)});
    regions.emplace_back(Aabb{Min(p, q), Max(p, q)});
    regions.emplace_back(RandomObb(mesh, random));
    regions.emplace_back(wedge);
  }
  for (const int threads : {1, 2}) {
    const RunOptions options = {.threads = threads};
    const auto any = AnyOverlap(tree, regions, options).value();
    const auto counts = CountOverlaps(tree, regions, options).value();
    const auto all = AllOverlaps(tree, regions, options).value();
    ASSERT_EQ(all.size(), regions.size());
    for (size_t i = 0; i < regions.size(); ++i) {
      const std::vector<uint32_t> expected = std::visit(
          [&](const auto& shape) { return brute_force::InRange(mesh, shape); },
          regions[i].shape());
      EXPECT_THAT(all[i], testing::ElementsAreArray(expected));
      EXPECT_EQ(counts[i], expected.size());
      EXPECT_EQ(any[i], expected.empty() ? 0 : 1);
    }
  }
}

TEST(RegionOverlapTest, RegionsComeFromListsOfEachShape) {
  const Tree tree = trees::Make(meshes::Cube());
  const std::array<Sphere, 2> balls = {{{{0, 0, 0}, 9}, {{9, 9, 9}, 1}}};
  EXPECT_EQ(CountOverlaps(tree, balls).value(), (std::vector<size_t>{12, 0}));
  const std::vector<Aabb> boxes = {{{0, 0, 0}, {1, 1, 1}}};
  EXPECT_EQ(CountOverlaps(tree, boxes).value(), std::vector<size_t>{12});
  const std::vector<Obb> turned = {Obb{.half_extents = {9, 9, 9}}};
  EXPECT_EQ(CountOverlaps(tree, turned).value(), std::vector<size_t>{12});
  const std::array<HalfSpace, 1> below = {{{{0, 0, 1}, -1}}};
  const std::vector<HalfSpaces> sets = {below, {}};
  EXPECT_EQ(CountOverlaps(tree, sets).value(), (std::vector<size_t>{0, 12}));
  EXPECT_TRUE(AllOverlaps(tree, std::span<const Region>())->size() == 0);
}

// The value that each of these functions returns is destroyed before the query,
// unless the region keeps it.
std::vector<HalfSpace> Below(double z) { return {{{0, 0, 1}, z}}; }
std::array<HalfSpace, 1> ArrayBelow(double z) { return {{{{0, 0, 1}, z}}}; }
const std::vector<HalfSpace> ConstBelow(double z) { return Below(z); }
std::vector<Aabb> Boxes(size_t count) {
  return std::vector<Aabb>(count, {{0, 0, 0}, {1, 1, 1}});
}

// Overwrites memory that was given back.
void Reuse() {
  for (size_t size = 1; size < 4096; size *= 2) {
    const std::vector<double> other(size, 1e300);
    ASSERT_EQ(other.back(), 1e300);
  }
}

TEST(RegionOverlapTest, NamedRegionsOwnATemporaryTheyAreMadeFrom) {
  const Tree tree = trees::Make(meshes::Cube());
  const Region all = Below(9);
  const Region none = ConstBelow(-9);
  const Region array = ArrayBelow(9);
  const Region copy = Region(Below(9));
  const Regions boxes = Boxes(3);
  const Regions listed = std::vector<Region>{Below(9), Below(-9)};
  const Regions copied = Regions(Boxes(2));
  Reuse();
  EXPECT_EQ(CountOverlaps(tree, all), 12);
  EXPECT_EQ(CountOverlaps(tree, none), 0);
  EXPECT_EQ(CountOverlaps(tree, array), 12);
  EXPECT_EQ(CountOverlaps(tree, copy), 12);
  EXPECT_EQ(CountOverlaps(tree, boxes).value(), std::vector<size_t>(3, 12));
  EXPECT_EQ(CountOverlaps(tree, listed).value(), (std::vector<size_t>{12, 0}));
  EXPECT_EQ(CountOverlaps(tree, copied).value(), std::vector<size_t>(2, 12));
}

TEST(RegionOverlapTest, ARegionOutlivesTheListThatItIsTakenFrom) {
  const Tree tree = trees::Make(meshes::Cube());
  Region all = Aabb{};
  {
    const Regions listed = std::vector<Region>{Below(9), Below(-9)};
    all = listed[0];
  }
  Reuse();
  EXPECT_EQ(CountOverlaps(tree, all), 12);
}

TEST(RegionOverlapTest, OtherArraysAreViewed) {
  const std::vector<HalfSpace> planes = Below(9);
  const Region region = planes;
  EXPECT_EQ(std::get<HalfSpaces>(region.shape()).data(), planes.data());
}

TEST(RegionsDeathTest, ARegionThatIsNotThereEndsLoudly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Regions boxes = Boxes(3);
  const auto ignore = [](const auto&) {};
  EXPECT_DEATH(ignore(boxes[3]), "there are 3 regions, and 3 is not below");
}

TEST(RegionOverlapTest, BadOptions) {
  const Tree tree = trees::Make(meshes::Cube());
  const Sphere ball{{0, 0, 0}, 9};
  const std::vector<Sphere> balls = {ball};
  EXPECT_EQ(CountOverlaps(tree, ball, {.threads = -3}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CountOverlaps(tree, balls, {.threads = -3}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// Each form with run options returns an error where the plain form ends the
// program, and the results of the plain form otherwise.
TEST(RegionOverlapTest, RunOptions) {
  const Tree tree = trees::Make(meshes::Cube());
  const auto statuses = [&](const Region& region, const RunOptions& options,
                            std::vector<uint32_t>* ids) {
    const auto on = [](uint32_t) { return Visit::kContinue; };
    return std::vector<absl::Status>{
        AnyOverlap(tree, region, options).status(),
        CountOverlaps(tree, region, options).status(),
        AllOverlaps(tree, region, options).status(),
        VisitOverlaps(tree, region, on, options),
        AppendOverlaps(tree, region, ids, IdOrder::kAscending, options)};
  };
  std::vector<uint32_t> ids = {7};
  for (const absl::Status& status : statuses(Sphere{{0, 0, 0}, -1}, {}, &ids)) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
  const std::atomic<bool> yes = true;
  for (const absl::Status& status :
       statuses(Sphere{{0, 0, 0}, 9}, {.cancelled = &yes}, &ids)) {
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  }
  EXPECT_EQ(ids, std::vector<uint32_t>{7});
  const Sphere ball{{0, 0, 0}, 0.5};
  double last = 0;
  RunOptions watched;
  watched.progress = [&](double share) { last = share; };
  EXPECT_EQ(AllOverlaps(tree, ball, watched).value(), AllOverlaps(tree, ball));
  EXPECT_EQ(last, 1);
  EXPECT_EQ(CountOverlaps(tree, ball, RunOptions()).value(),
            CountOverlaps(tree, ball));
  EXPECT_TRUE(AnyOverlap(tree, ball, RunOptions()).value());
}

TEST(RegionOverlapTest, CancelledQueriesReturnAnError) {
  const Tree tree = trees::Make(meshes::Grid(100));
  const Sphere ball{{0.5, 0.5, 0}, 0.4};
  const size_t all = CountOverlaps(tree, ball);
  std::atomic<bool> cancelled = false;
  size_t seen = 0;
  const auto cancel = [&](uint32_t) {
    cancelled = true;
    ++seen;
    return Visit::kContinue;
  };
  EXPECT_EQ(VisitOverlaps(tree, ball, cancel, {.cancelled = &cancelled}).code(),
            absl::StatusCode::kCancelled);
  EXPECT_GT(seen, 0u);
  EXPECT_LT(seen, all);
  EXPECT_EQ(AllOverlaps(tree, ball, {.cancelled = &cancelled}).status().code(),
            absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace orbox
