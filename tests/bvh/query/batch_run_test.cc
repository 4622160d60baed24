// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/batch_run.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::HasSubstr;

// In and around the mesh's box, and one far away.
std::vector<Vec3> Places(const Mesh& mesh, size_t count) {
  meshes::Random random(count);
  const Aabb& b = mesh.bounds();
  const double size = Norm(b.hi - b.lo);
  std::vector<Vec3> places;
  for (size_t i = 0; i < count; ++i) {
    places.push_back(b.Center() + random.Point(-1, 1) * size);
  }
  places.insert(places.begin() + static_cast<ptrdiff_t>(places.size() / 2),
                b.Center() + Vec3{1e6, 2e6, 1e6} * size);
  return places;
}

std::vector<Sphere> Balls(const Mesh& mesh, size_t count) {
  std::vector<Sphere> balls;
  const double size = Norm(mesh.bounds().hi - mesh.bounds().lo);
  double radius = 0;
  for (const Vec3& p : Places(mesh, count)) {
    balls.push_back({p, radius * size});
    radius = radius > 0.4 ? 0 : radius + 0.03;
  }
  return balls;
}

void ExpectSame(const std::optional<SurfacePoint>& x,
                const std::optional<SurfacePoint>& y) {
  ASSERT_EQ(x.has_value(), y.has_value());
  if (!x) return;
  EXPECT_EQ(x->triangle, y->triangle);
  EXPECT_EQ(x->distance, y->distance);
  EXPECT_EQ(x->point, y->point);
}

TEST(BatchRunTest, ClosestPointsAreThoseOfSingleQueriesOnEveryMesh) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const std::vector<Vec3> places = Places(m.mesh, 300);
    const double size = Norm(m.mesh.bounds().hi - m.mesh.bounds().lo);
    for (const trees::Named& v : trees::Variants(m.mesh)) {
      SCOPED_TRACE(v.name);
      for (const double limit : {kInf, 0.3 * size, 0.0}) {
        const auto found = ClosestPoint(v.tree, places, limit).value();
        ASSERT_EQ(found.size(), places.size());
        for (size_t i = 0; i < places.size(); ++i) {
          ExpectSame(found[i], ClosestPoint(v.tree, places[i], limit));
        }
      }
    }
  }
}

// The bound that a query takes over from the one before must hold at any scale.
TEST(BatchRunTest, EveryScaleAndPlace) {
  const Mesh torus = meshes::Torus(24, 10);
  for (const int exponent : {-140, 198}) {
    SCOPED_TRACE(exponent);
    const Mesh scaled = meshes::Scaled(torus, std::ldexp(1.0, exponent));
    const Tree tree = trees::Make(scaled);
    const std::vector<Vec3> places = Places(scaled, 50);
    const auto found = ClosestPoint(tree, places).value();
    for (size_t i = 0; i < places.size(); ++i) {
      ExpectSame(found[i], ClosestPoint(tree, places[i]));
    }
  }
  const Vec3 away{0x1p40, -0x1p40, 0x1p40};
  const Mesh moved = meshes::Moved(torus, Pose::Translation(away));
  const Tree tree = trees::Make(moved);
  const std::vector<Vec3> places = Places(moved, 100);
  const auto found = ClosestPoint(tree, places).value();
  for (size_t i = 0; i < places.size(); ++i) {
    ExpectSame(found[i], ClosestPoint(tree, places[i]));
  }
}

TEST(BatchRunTest, ListsAreThoseOfSingleQueries) {
  const Mesh mesh = meshes::Grid(16, 0.2);
  const std::vector<Vec3> places = Places(mesh, 400);
  const std::vector<Sphere> balls = Balls(mesh, 400);
  std::vector<Aabb> boxes;
  std::vector<Obb> turned;
  for (const Sphere& ball : balls) {
    const Vec3 r{ball.radius, 0.3 * ball.radius, ball.radius};
    boxes.push_back({ball.center - r, ball.center + r});
    turned.push_back(
        {ball.center, {{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}}, r});
  }
  for (const trees::Named& v : trees::Variants(mesh)) {
    SCOPED_TRACE(v.name);
    const auto nearest = KNearest(v.tree, places, 5).value();
    const auto in_balls = AllOverlaps(v.tree, balls).value();
    const auto in_boxes = AllOverlaps(v.tree, boxes).value();
    const auto in_turned = AllOverlaps(v.tree, turned).value();
    ASSERT_EQ(nearest.size(), places.size());
    ASSERT_EQ(in_balls.size(), balls.size());
    for (size_t i = 0; i < places.size(); ++i) {
      const auto expected = KNearest(v.tree, places[i], 5);
      ASSERT_EQ(nearest[i].size(), expected.size());
      for (size_t j = 0; j < expected.size(); ++j) {
        ExpectSame(nearest[i][j], expected[j]);
      }
      const auto is_list = [](auto found, const std::vector<uint32_t>& all) {
        return std::equal(found.begin(), found.end(), all.begin(), all.end());
      };
      EXPECT_TRUE(is_list(in_balls[i], brute_force::InRange(mesh, balls[i])));
      EXPECT_TRUE(is_list(in_boxes[i], AllOverlaps(v.tree, boxes[i])));
      EXPECT_TRUE(is_list(in_turned[i], AllOverlaps(v.tree, turned[i])));
    }
  }
}

TEST(BatchRunTest, SidesRaysAndSetsAreThoseOfSingleQueries) {
  const Tree tree = trees::Make(meshes::Torus(24, 10));
  const std::vector<Vec3> places = Places(tree.mesh(), 400);
  const SignedDistanceField field = SignedDistanceField::Create(tree).value();
  const WindingNumberField windings = WindingNumberField::Of(tree);
  std::vector<Ray> rays;
  std::vector<HalfSpace> half_spaces;
  meshes::Random random(8);
  for (const Vec3& p : places) {
    rays.push_back({p, random.Direction()});
    half_spaces.push_back({random.Direction(), random.Uniform(-0.5, 1)});
  }
  std::vector<HalfSpaces> sets;
  for (size_t i = 0; i < places.size(); ++i) {
    sets.push_back(HalfSpaces(half_spaces).subspan(i / 2, i % 5));
  }
  for (const int threads : {1, 2}) {
    const RunOptions options = {.threads = threads};
    const auto distances = field.ClosestPoint(places, options).value();
    const auto near =
        field.ClosestPoint(places, 0.2, {.threads = threads}).value();
    const auto numbers = windings.At(places, {.threads = threads}).value();
    const auto first = ClosestHit(tree, rays, options).value();
    const auto all = AllHits(tree, rays, options).value();
    const auto in_sets = AllOverlaps(tree, sets, {.threads = threads}).value();
    int inside = 0;
    for (size_t i = 0; i < places.size(); ++i) {
      ExpectSame(distances[i], field.ClosestPoint(places[i]));
      ExpectSame(near[i], field.ClosestPoint(places[i], 0.2));
      inside += distances[i] && distances[i]->distance < 0 ? 1 : 0;
      const double number = windings.At(places[i]);
      EXPECT_TRUE(numbers[i] == number || std::isnan(number));
      EXPECT_EQ(std::isnan(numbers[i]), std::isnan(number));
      const auto hit = ClosestHit(tree, rays[i]);
      ASSERT_EQ(first[i].has_value(), hit.has_value());
      if (hit) {
        EXPECT_EQ(first[i]->triangle, hit->triangle);
        EXPECT_EQ(first[i]->t, hit->t);
      }
      const auto hits = AllHits(tree, rays[i]);
      ASSERT_EQ(all[i].size(), hits.size());
      for (size_t j = 0; j < hits.size(); ++j) {
        EXPECT_EQ(all[i][j].triangle, hits[j].triangle);
        EXPECT_EQ(all[i][j].t, hits[j].t);
      }
      const auto ids = AllOverlaps(tree, sets[i]);
      EXPECT_TRUE(std::equal(in_sets[i].begin(), in_sets[i].end(), ids.begin(),
                             ids.end()));
    }
    EXPECT_GT(inside, 0);
  }
}

// Not only the answers: what they cost is the same as well.
TEST(BatchRunTest, ThreadsAndInstructionSetsChangeNothing) {
  const Mesh mesh = meshes::Grid(20, 0.2);
  const Tree tree = trees::Make(mesh);
  const std::vector<Vec3> places = Places(mesh, 2000);
  const std::vector<Sphere> balls = Balls(mesh, 2000);
  TraversalStatistics expected_statistics;
  const auto expected =
      ClosestPoint(tree, places,
                   {.statistics = &expected_statistics, .threads = 1})
          .value();
  const auto expected_ids = AllOverlaps(tree, balls, {.threads = 1}).value();
  trees::OnEachInstructionSet([&] {
    for (const int threads : {0, 1, 3, 64}) {
      SCOPED_TRACE(threads);
      TraversalStatistics statistics;
      const auto found =
          ClosestPoint(tree, places,
                       {.statistics = &statistics, .threads = threads})
              .value();
      for (size_t i = 0; i < places.size(); ++i) {
        ExpectSame(found[i], expected[i]);
      }
      EXPECT_EQ(statistics, expected_statistics);
      const auto ids = AllOverlaps(tree, balls, {.threads = threads}).value();
      EXPECT_EQ(ids.offsets, expected_ids.offsets);
      EXPECT_EQ(ids.values, expected_ids.values);
    }
  });
}

// From there, everything is equally far except for the last bits, and exact
// arithmetic decides about every triangle.
TEST(BatchRunTest, FromWhereFloatsDoNotReach) {
  const Tree tree = trees::Make(meshes::Icosphere(1));
  const std::vector<Vec3> places = {
      {1e300, 1, 2}, {0, 0, 2}, {-1e300, 1e300, 0}, {1e300, 1, 2.1}, {3, 0, 0}};
  const auto found = ClosestPoint(tree, places).value();
  for (size_t i = 0; i < places.size(); ++i) {
    ExpectSame(found[i], ClosestPoint(tree, places[i]));
  }
}

TEST(BatchRunTest, TheOrderOfTheQueriesChangesNothing) {
  const Mesh mesh = meshes::Soup(300, 0.1);
  const Tree tree = trees::Make(mesh);
  std::vector<Vec3> places = Places(mesh, 500);
  const auto found = ClosestPoint(tree, places).value();
  std::reverse(places.begin(), places.end());
  auto reversed = ClosestPoint(tree, places).value();
  std::reverse(reversed.begin(), reversed.end());
  for (size_t i = 0; i < found.size(); ++i) ExpectSame(found[i], reversed[i]);
}

TEST(BatchRunTest, AsManyNearestAsAreWanted) {
  // Twice the same triangles, so that distances are equal; from near, and from
  // afar.
  const Mesh mesh = meshes::Joined(meshes::Grid(9, 0.2), meshes::Grid(9, 0.2));
  const Tree tree = trees::Make(mesh);
  std::vector<Vec3> places = Places(mesh, 300);
  places[70] = {1e30, 0, 1};
  for (const double limit : {kInf, 0.5}) {
    for (const size_t k : {1, 2, 7, 8, 9, 16, 17, 40}) {
      SCOPED_TRACE(k);
      const auto found = KNearest(tree, places, k, limit);
      ASSERT_TRUE(found.ok());
      for (size_t i = 0; i < places.size(); ++i) {
        const auto expected = KNearest(tree, places[i], k, limit);
        ASSERT_EQ((*found)[i].size(), expected.size());
        for (size_t j = 0; j < expected.size(); ++j) {
          ExpectSame((*found)[i][j], expected[j]);
        }
      }
    }
  }
}

TEST(BatchRunTest, EmptyAndSmallBatches) {
  const Tree tree = trees::Make(meshes::Cube());
  EXPECT_TRUE(ClosestPoint(tree, std::vector<Vec3>())->empty());
  EXPECT_EQ(AllOverlaps(tree, std::span<const Aabb>())->size(), 0u);
  const std::vector<Vec3> one = {{0.5, 0.5, 3}};
  EXPECT_EQ(ClosestPoint(tree, one)->at(0)->distance, 2);
  EXPECT_EQ((*KNearest(tree, one, 100))[0].size(), 12u);
  EXPECT_EQ((*KNearest(tree, one, 0))[0].size(), 0u);
}

TEST(BatchRunTest, BadOptionsSayWhatToDo) {
  const Tree tree = trees::Make(meshes::Cube());
  const auto result = ClosestPoint(tree, std::vector<Vec3>(3), {.threads = -2});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("-2"));
}

TEST(BatchRunTest, ProgressRisesToOne) {
  const Tree tree = trees::Make(meshes::Torus(24, 10));
  const std::vector<Vec3> places = Places(tree.mesh(), 3000);
  std::vector<double> shares;
  RunOptions options;
  options.threads = 2;
  options.progress = [&](double share) { shares.push_back(share); };
  ASSERT_TRUE(KNearest(tree, places, 3, options).ok());
  ASSERT_GT(shares.size(), 10u);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
}

TEST(BatchRunTest, CanBeCancelled) {
  const Tree tree = trees::Make(meshes::Torus(24, 10));
  const std::vector<Vec3> places = Places(tree.mesh(), 100'000);
  std::atomic<bool> cancelled = false;
  double share_seen = 0;
  RunOptions options;
  options.cancelled = &cancelled;
  options.progress = [&](double share) {
    share_seen = share;
    cancelled = true;
  };
  const auto result = ClosestPoint(tree, places, options);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kCancelled);
  EXPECT_LT(share_seen, 0.5);
  cancelled = true;
  options.progress = nullptr;
  EXPECT_EQ(AllOverlaps(tree, Balls(tree.mesh(), 9), {.cancelled = &cancelled})
                .status()
                .code(),
            absl::StatusCode::kCancelled);
}

// Keys of neighbouring cells differ in few bits, and everything has one.
TEST(BatchRunTest, MortonKeysInterleaveTheBits) {
  const TreeSpace space;
  EXPECT_EQ(MortonKey(space, {-kInf, -kInf, -kInf}), 0u);
  EXPECT_EQ(MortonKey(space, {kInf, kInf, kInf}), (1u << 30) - 1);
  EXPECT_EQ(MortonKey(space, {0, -kInf, -kInf}), 1u << 27);
  EXPECT_EQ(MortonKey(space, {-kInf, 0, -kInf}), 1u << 28);
  EXPECT_EQ(MortonKey(space, {-kInf, -kInf, 0}), 1u << 29);
  // 1 is at 3/4 of the way.
  EXPECT_EQ(MortonKey(space, {1, -kInf, -kInf}), 0b1001u << 24);
  EXPECT_LE(MortonKey(space, {kNan, kNan, kNan}), (1u << 30) - 1);
}

}  // namespace
}  // namespace orbox
