// SPDX-License-Identifier: Apache-2.0

// Chunks answer as one tree over the same triangles, to the last bit.
#include "orbox/bvh/large/queries.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

using chunks::SameBits;

// Ids are those of one tree, and `first` more.
void ExpectSame(const GlobalSurfacePoint& chunked, const SurfacePoint& one,
                uint64_t first) {
  EXPECT_EQ(chunked.triangle, one.triangle + first);
  EXPECT_EQ(chunked.distance, one.distance);
  EXPECT_TRUE(SameBits(chunked.point, one.point));
}

void ExpectSame(const GlobalRayHit& chunked, const RayHit& one,
                uint64_t first) {
  EXPECT_EQ(chunked.triangle, one.triangle + first);
  EXPECT_EQ(chunked.t, one.t);
  EXPECT_TRUE(SameBits(chunked.barycentric, one.barycentric));
  EXPECT_TRUE(SameBits(chunked.point, one.point));
}

template <typename Chunked, typename One>
void ExpectSameOptional(const Chunked& chunked, const One& one,
                        uint64_t first) {
  ASSERT_EQ(chunked.has_value(), one.has_value());
  if (one.has_value()) ExpectSame(*chunked, *one, first);
}

template <typename Chunked, typename One>
void ExpectSameList(const Chunked& chunked, const One& one, uint64_t first) {
  ASSERT_EQ(chunked.size(), one.size());
  for (size_t i = 0; i < one.size(); ++i) {
    ExpectSame(chunked[i], one[i], first);
  }
}

template <typename Chunked, typename One>
void ExpectSameDistances(const Chunked& chunked, const One& one) {
  ASSERT_EQ(chunked.size(), one.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(chunked[i].distance, one[i].distance);
  }
}

std::vector<uint64_t> Plus(std::span<const uint32_t> ids, uint64_t first) {
  std::vector<uint64_t> sums;
  for (const uint32_t id : ids) sums.push_back(id + first);
  return sums;
}

std::vector<uint64_t> ListOf(std::span<const uint64_t> ids) {
  return {ids.begin(), ids.end()};
}

std::vector<Ray> RaysAt(const Mesh& mesh, std::span<const Vec3> points) {
  meshes::Random random(7);
  std::vector<Ray> rays;
  for (const Vec3& p : points) {
    const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
    if (t.a != p) rays.push_back({p, t.a - p});
    rays.push_back({p, random.Direction()});
    rays.push_back({p, {1, 0, 0}});
  }
  return rays;
}

class ChunkedQueriesTest : public ::testing::Test {
 protected:
  // All queries, of each mesh in chunks of several sizes.
  static void Check(const Mesh& mesh, uint64_t first) {
    const chunks::Files files(mesh);
    for (const size_t size : chunks::SizesFor(mesh)) {
      SCOPED_TRACE(size);
      const ChunkedTree chunked = files.Chunked(size, first);
      CheckPoints(chunked, files.tree(), first);
      CheckRegions(chunked, files.tree(), first);
      CheckRays(chunked, files.tree(), first);
    }
  }

  static void CheckPoints(const ChunkedTree& chunked, const Tree& tree,
                          uint64_t first) {
    std::vector<Vec3> points = chunks::PointsAround(tree.mesh(), 8);
    // From afar, and many at once, the nearest are searched for in other ways.
    const size_t near_points = points.size();
    points.push_back({1e7, -1e7, 1e6});
    points.push_back({1e14, 1, 2});
    for (const double most : {kNoLimit, 0.25, 0.0}) {
      const QueryOptions options{.max_distance = most};
      const auto near = ClosestPoint(chunked, points, options).value();
      const auto lists = KNearest(chunked, points, 5, options).value();
      const auto longer = KNearest(chunked, points, 20, options).value();
      for (size_t i = 0; i < points.size(); ++i) {
        const auto one = ClosestPoint(tree, points[i], most);
        if (i < near_points) {
          ExpectSameOptional(near[i], one, first);
        } else if (one) {  // any triangle of those that are as near
          EXPECT_EQ(near[i].value().distance, one->distance);
        } else {
          EXPECT_FALSE(near[i]);
        }
        const auto five = KNearest(tree, points[i], 5, most);
        const auto twenty = KNearest(tree, points[i], 20, most);
        if (i + 1 == points.size()) {  // any of those that are as near
          ExpectSameDistances(lists[i], five);
          ExpectSameDistances(longer[i], twenty);
          continue;
        }
        ExpectSameList(lists[i], five, first);
        ExpectSameList(longer[i], twenty, first);
      }
    }
    const auto inside = IsInside(chunked, points).value();
    for (size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(inside[i] != 0, IsInside(tree, points[i]));
    }
    ExpectSameOptional(ClosestPoint(chunked, points[1]).value(),
                       ClosestPoint(tree, points[1]), first);
    ExpectSameList(KNearest(chunked, points[1], 9).value(),
                   KNearest(tree, points[1], 9), first);
    EXPECT_EQ(IsInside(chunked, points[0]).value(), IsInside(tree, points[0]));
  }

  static void CheckRegions(const ChunkedTree& chunked, const Tree& tree,
                           uint64_t first) {
    std::vector<Sphere> balls;
    std::vector<Aabb> boxes;
    std::vector<Obb> turned;
    const double s = std::sqrt(0.5);
    for (const Vec3& p : chunks::PointsAround(tree.mesh(), 4)) {
      const Vec3 half = tree.mesh().bounds().HalfExtents() * 0.3;
      balls.push_back({p, MaxCoordinate(half)});
      balls.push_back({p, 0});
      boxes.push_back({p - half, p + half});
      turned.push_back({p, {{{s, s, 0}, {-s, s, 0}, {0, 0, 1}}}, half});
    }
    CheckRegions(chunked, tree, Regions(balls), first);
    CheckRegions(chunked, tree, Regions(boxes), first);
    CheckRegions(chunked, tree, Regions(turned), first);
    const std::vector<HalfSpace> wedge = {{{1, 0.5, 0}, 0.1},
                                          {{0, -1, 0.25}, 0.2}};
    const std::vector<Region> sets = {HalfSpaces(wedge), HalfSpaces()};
    CheckRegions(chunked, tree, Regions(sets), first);
  }

  static void CheckRegions(const ChunkedTree& chunked, const Tree& tree,
                           const Regions& regions, uint64_t first) {
    const auto any = AnyOverlap(chunked, regions).value();
    const auto counts = CountOverlaps(chunked, regions).value();
    const auto lists = AllOverlaps(chunked, regions).value();
    for (size_t i = 0; i < regions.size(); ++i) {
      const std::vector<uint32_t> ids = AllOverlaps(tree, regions[i]);
      EXPECT_EQ(ListOf(lists[i]), Plus(ids, first));
      EXPECT_EQ(counts[i], ids.size());
      EXPECT_EQ(any[i] != 0, !ids.empty());
    }
    EXPECT_EQ(AllOverlaps(chunked, regions[0]).value(), ListOf(lists[0]));
    EXPECT_EQ(CountOverlaps(chunked, regions[0]).value(), counts[0]);
    EXPECT_EQ(AnyOverlap(chunked, regions[0]).value(), any[0] != 0);
    std::vector<uint64_t> visited;
    ASSERT_TRUE(VisitOverlaps(chunked, regions[0], [&](uint64_t id) {
                  visited.push_back(id);
                  return Visit::kContinue;
                }).ok());
    std::sort(visited.begin(), visited.end());
    EXPECT_EQ(visited, ListOf(lists[0]));
    size_t all = 0;
    ASSERT_TRUE(VisitOverlaps(chunked, regions, [&](size_t i, uint64_t id) {
                  EXPECT_TRUE(
                      std::binary_search(lists[i].begin(), lists[i].end(), id));
                  ++all;
                  return Visit::kContinue;
                }).ok());
    EXPECT_EQ(all, lists.values.size());
  }

  static void CheckRays(const ChunkedTree& chunked, const Tree& tree,
                        uint64_t first) {
    std::vector<Ray> rays =
        RaysAt(tree.mesh(), chunks::PointsAround(tree.mesh(), 5));
    const size_t unlimited = rays.size();
    for (size_t i = 0; i < unlimited; ++i) {
      const std::vector<RayHit> hits = AllHits(tree, rays[i]);
      if (hits.empty()) continue;
      const Ray ray = rays[i];
      rays.push_back({ray.origin, ray.direction, hits.front().t});
      const auto without = [&](uint32_t skip) {
        rays.push_back({ray.origin, ray.direction, 0, kNoLimit, skip});
      };
      without(hits.front().triangle);
      without(hits.back().triangle);
      rays.push_back({ray.origin, ray.direction, 0, hits.front().t});
    }
    EXPECT_GT(rays.size(), unlimited);
    std::vector<Ray> global = rays;  // with global ids
    for (Ray& ray : global) {
      if (ray.skip != Ray::kSkipNothing) ray.skip += first;
    }
    for (const double most : {kNoLimit, 1.0}) {
      const QueryOptions options{.max_distance = most};
      const auto any = AnyHit(chunked, global, options).value();
      const auto counts = CountHits(chunked, global, options).value();
      const auto nearest = ClosestHit(chunked, global, options).value();
      const auto lists = AllHits(chunked, global, options).value();
      for (size_t i = 0; i < rays.size(); ++i) {
        Ray ray = rays[i];
        ray.max_t = std::min(ray.max_t, most);
        const std::vector<RayHit> hits = AllHits(tree, ray);
        ExpectSameList(lists[i], hits, first);
        ExpectSameOptional(nearest[i], ClosestHit(tree, ray), first);
        EXPECT_EQ(counts[i], hits.size());
        EXPECT_EQ(any[i] != 0, !hits.empty());
      }
    }
    ExpectSameList(AllHits(chunked, global[0]).value(), AllHits(tree, rays[0]),
                   first);
    ExpectSameOptional(ClosestHit(chunked, global[0]).value(),
                       ClosestHit(tree, rays[0]), first);
    EXPECT_EQ(CountHits(chunked, global[0]).value(), CountHits(tree, rays[0]));
    EXPECT_EQ(AnyHit(chunked, global[0]).value(), AnyHit(tree, rays[0]));
    size_t visited = 0;
    ASSERT_TRUE(VisitHits(chunked, global[0], [&](const GlobalRayHit&) {
                  ++visited;
                  return Visit::kContinue;
                }).ok());
    EXPECT_EQ(visited, CountHits(tree, rays[0]));
    std::vector<uint64_t> counts(rays.size());
    ASSERT_TRUE(VisitHits(chunked, global, [&](size_t i, const GlobalRayHit&) {
                  ++counts[i];
                  return Visit::kContinue;
                }).ok());
    EXPECT_EQ(counts, CountHits(chunked, global).value());
  }
};

TEST_F(ChunkedQueriesTest, ChunksAnswerAsOneTree) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    Check(m.mesh, 0);
  }
}

TEST_F(ChunkedQueriesTest, IdsMayTake64Bits) {
  Check(meshes::Icosphere(1), uint64_t{1} << 40);
  Check(meshes::Identical(50), (uint64_t{1} << 32) - 25);
}

TEST_F(ChunkedQueriesTest, TiesGoToTheLowestIdWhereverItIs) {
  // Two grids at the same distance from the points between them, so that each
  // closest triangle of one has its double in a chunk of the other.
  const Mesh low = meshes::Grid(6);
  const Mesh high = meshes::Moved(low, Pose::Translation({0, 0, 1}));
  for (const Mesh& mesh :
       {meshes::Joined(low, high), meshes::Joined(high, low)}) {
    const chunks::Files files(mesh);
    const ChunkedTree chunked = files.Chunked(20);
    for (int i = 0; i < 40; ++i) {
      const Vec3 p = {i / 40.0, 1 - i / 40.0, 0.5};
      ExpectSameOptional(ClosestPoint(chunked, p).value(),
                         ClosestPoint(files.tree(), p), 0);
    }
  }
}

TEST_F(ChunkedQueriesTest, QuestionsThatAreNotValidAreRefusedAsByOneTree) {
  const Tree one = Build(meshes::Cube()).value();
  const ChunkedTree chunked{one};
  const Vec3 points[] = {{0, 0, 0}, {0, std::nan(""), 0}};
  EXPECT_EQ(ClosestPoint(chunked, points).status(),
            ClosestPoint(one, points).status());
  for (const size_t k : {0, 2}) {
    EXPECT_EQ(KNearest(chunked, points, k).status(),
              KNearest(one, points, k).status());
  }
  EXPECT_EQ(IsInside(chunked, points).status(), IsInside(one, points).status());
  const Ray rays[] = {{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
  EXPECT_EQ(AnyHit(chunked, rays).status(), AnyHit(one, rays).status());
  EXPECT_EQ(ClosestHit(chunked, rays).status(), ClosestHit(one, rays).status());
  const std::vector<Sphere> balls = {{{0, 0, 0}, 1}, {{0, 0, 0}, -1}};
  EXPECT_EQ(AnyOverlap(chunked, balls).status(),
            AnyOverlap(one, balls).status());
  for (const absl::Status& status :
       {ClosestPoint(chunked, points).status(),
        KNearest(chunked, points, 0).status(), AnyHit(chunked, rays).status(),
        AnyOverlap(chunked, balls).status(),
        ClosestPoint(chunked, points[1]).status(),
        AnyHit(chunked, rays[1]).status(),
        AnyOverlap(chunked, balls[1]).status(),
        VisitHits(chunked, rays[1],
                  [](const GlobalRayHit&) { return Visit::kContinue; }),
        VisitOverlaps(chunked, balls[1],
                      [](uint64_t) { return Visit::kContinue; })}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST_F(ChunkedQueriesTest, WhatOnlyRoundsToADistanceIsATieToo) {
  const Mesh walls = meshes::WallsAt({1, -1, 1, -1, 3, -3});
  const chunks::Files files(walls);
  for (const size_t size : {1, 2, 5}) {
    const ChunkedTree chunked = files.Chunked(size);
    const Vec3 p = {meshes::kBarelyBelow0, 0, 0};
    for (const double most : {kNoLimit, 1.0}) {
      const QueryOptions options{.max_distance = most};
      ExpectSameOptional(ClosestPoint(chunked, p, options).value(),
                         ClosestPoint(files.tree(), p, most), 0);
      ExpectSameList(KNearest(chunked, p, 3, options).value(),
                     KNearest(files.tree(), p, 3, most), 0);
      const Ray ray = {p, {1, 0, 0}, 0, most};
      ExpectSameList(AllHits(chunked, ray).value(), AllHits(files.tree(), ray),
                     0);
    }
  }
}

TEST_F(ChunkedQueriesTest, FromFarAwayTheDistanceIsTheSame) {
  const chunks::Files files(meshes::Torus(20, 8));
  const ChunkedTree chunked = files.Chunked(30);
  meshes::Random random(3);
  for (const double far : {10.0, 100.0, 1e6, 1e12}) {
    const Vec3 p = random.Direction() * far;
    const auto near = ClosestPoint(chunked, p).value();
    ASSERT_TRUE(near.has_value());
    EXPECT_EQ(near->distance, ClosestPoint(files.tree(), p)->distance);
  }
}

TEST_F(ChunkedQueriesTest, ThreadsAndMemoryDoNotMatter) {
  const chunks::Files files(meshes::Torus(30, 10));
  const std::vector<Vec3> points =
      chunks::PointsAround(files.tree().mesh(), 200);
  const ChunkedTree ample = files.Chunked(50);
  const auto expected = ClosestPoint(ample, points).value();
  // Room for one chunk alone.
  const ChunkedTree tight = files.Chunked(50, 0, {.memory = 1});
  for (const int threads : {1, 3}) {
    const auto near = ClosestPoint(tight, points, {.threads = threads}).value();
    ASSERT_EQ(near.size(), expected.size());
    for (size_t i = 0; i < near.size(); ++i) {
      EXPECT_EQ(near[i]->triangle, expected[i]->triangle);
      EXPECT_EQ(near[i]->distance, expected[i]->distance);
    }
  }
  EXPECT_LT(tight.peak_mapped_bytes(), ample.peak_mapped_bytes() / 4);
}

// Shells that overlap, cut into chunks: winding numbers add up over chunks, and
// whether faces agree is a fact of all of them.
TEST_F(ChunkedQueriesTest, InsideIsThatOfTheMeshByEitherRule) {
  const Mesh both = meshes::Joined(meshes::Torus(20, 10),
                                   meshes::Icosphere(2, {1, 0, 0}, 0.5));
  std::vector<TriangleIndices> triangles(both.triangles().begin(),
                                         both.triangles().end());
  std::swap(triangles[7][0], triangles[7][1]);
  const Mesh turned =
      meshes::Make({both.vertices().begin(), both.vertices().end()}, triangles);
  size_t differ = 0;
  for (const Mesh& mesh : {both, turned}) {
    const chunks::Files files(mesh);
    const ChunkedTree chunked = files.Chunked(40);
    EXPECT_FALSE(chunked.known_faces().has_value());
    std::vector<Vec3> points = {{1, 0, 0.2}, {1, 0.1, 0}};
    meshes::Random random(2);
    while (points.size() < 300) points.push_back(random.Point(-1.3, 1.3));
    for (const InsideRule rule : {InsideRule::kWinding, InsideRule::kParity}) {
      const auto inside = IsInside(chunked, points, {.inside = rule}).value();
      for (size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(inside[i] != 0, IsInside(files.tree(), points[i], rule));
        differ += inside[i] != 0 && !IsInside(files.tree(), points[i],
                                              InsideRule::kParity)
                      ? 1
                      : 0;
      }
      EXPECT_EQ(IsInside(chunked, points[0], {.inside = rule}).value(),
                IsInside(files.tree(), points[0], rule));
    }
    EXPECT_EQ(DoFacesAgree(chunked).value(), DoFacesAgree(mesh));
    EXPECT_EQ(chunked.known_faces(), DoFacesAgree(mesh)
                                         ? ChunkedTree::Faces::kAgree
                                         : ChunkedTree::Faces::kDisagree);
  }
  EXPECT_GT(differ, 1u);
}

TEST_F(ChunkedQueriesTest, BadOptionsAreErrors) {
  const ChunkedTree tree{Build(meshes::Cube()).value()};
  const QueryOptions negative{.max_distance = -1};
  EXPECT_FALSE(ClosestPoint(tree, Vec3{}, negative).ok());
  EXPECT_FALSE(AnyOverlap(tree, Sphere{{}, 1}, negative).ok());
  EXPECT_FALSE(AnyHit(tree, Ray{{}, {1, 0, 0}}, negative).ok());
  EXPECT_FALSE(IsInside(tree, Vec3{}, negative).ok());
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(
      ClosestPoint(tree, Vec3{}, {.cancelled = &cancelled}).status().code(),
      absl::StatusCode::kCancelled);
}

TEST_F(ChunkedQueriesTest, NoQueriesHaveNoAnswers) {
  const ChunkedTree tree{Build(meshes::Cube()).value()};
  EXPECT_TRUE(ClosestPoint(tree, std::span<const Vec3>()).value().empty());
  EXPECT_EQ(KNearest(tree, Vec3{}, 0).value().size(), 0);
  EXPECT_EQ(AllHits(tree, std::span<const Ray>()).value().size(), 0);
}

TEST_F(ChunkedQueriesTest, StatisticsAndProgressAreThoseOfAllChunks) {
  const chunks::Files files(meshes::Torus(20, 8));
  const ChunkedTree chunked = files.Chunked(40);
  const std::vector<Vec3> points = chunks::PointsAround(files.tree().mesh(), 4);
  TraversalStatistics statistics;
  double last = 0;
  ASSERT_TRUE(ClosestPoint(chunked, points,
                           {.statistics = &statistics,
                            .progress =
                                [&](double share) {
                                  EXPECT_GE(share, last);
                                  last = share;
                                }})
                  .ok());
  EXPECT_EQ(last, 1);
  EXPECT_GT(statistics.triangle_tests, 0);
}

}  // namespace
}  // namespace orbox
