// SPDX-License-Identifier: Apache-2.0

// Each rank runs some of the queries, and its results are those of one tree in
// one process.

#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/mpi/distributed_tree.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

std::vector<Vec3> Points(size_t n, double size) {
  meshes::Random random(7);
  std::vector<Vec3> points;
  for (size_t i = 0; i < n; ++i) points.push_back(random.Point(-size, size));
  return points;
}

void ExpectSame(const SurfacePoint& one, const GlobalSurfacePoint& found) {
  EXPECT_EQ(found.triangle, one.triangle);
  EXPECT_EQ(found.distance, one.distance);
  EXPECT_EQ(found.point, one.point);
}

void ExpectSame(const RayHit& one, const GlobalRayHit& found) {
  EXPECT_EQ(found.triangle, one.triangle);
  EXPECT_EQ(found.t, one.t);
  EXPECT_EQ(found.barycentric, one.barycentric);
  EXPECT_EQ(found.point, one.point);
}

template <typename One, typename Found>
void ExpectSameList(const std::vector<One>& one, std::span<const Found> found) {
  ASSERT_EQ(found.size(), one.size());
  for (size_t i = 0; i < one.size(); ++i) ExpectSame(one[i], found[i]);
}

// All kinds of queries, by the ranks that `share` gives queries to.
template <typename Share>
void RunAll(const SharedTree& mesh, double size, Share share) {
  const DistributedTree tree = mesh.Open();
  const Tree& whole = mesh.whole();
  const std::vector<Vec3> points = share(Points(40, size));

  for (const double d : {kInfinity, 0.2 * size, 0.0}) {
    const auto near = ClosestPoint(tree, points, {.max_distance = d});
    const auto some = KNearest(tree, points, 5, {.max_distance = d});
    ASSERT_TRUE(near.ok() && some.ok()) << near.status() << some.status();
    ASSERT_EQ(near->size(), points.size());
    ASSERT_EQ(some->size(), points.size());
    for (size_t i = 0; i < points.size(); ++i) {
      const auto one = ClosestPoint(whole, points[i], d);
      ASSERT_EQ((*near)[i].has_value(), one.has_value());
      if (one) ExpectSame(*one, *(*near)[i]);
      ExpectSameList(KNearest(whole, points[i], 5, d), (*some)[i]);
    }
  }

  std::vector<Region> regions;
  std::vector<HalfSpace> half_spaces;
  for (const Vec3& p : points) {
    regions.push_back(Sphere{p, 0.3 * size});
    regions.push_back(Aabb{p, p + Vec3{0.2, 0.3, 0.4} * size});
    half_spaces = {{{1, 0, 0}, p.x}, {{0, -1, 0}, p.y}};
  }
  if (!half_spaces.empty()) regions.push_back(HalfSpaces(half_spaces));
  const auto any = AnyOverlap(tree, regions);
  const auto counts = CountOverlaps(tree, regions);
  const auto lists = AllOverlaps(tree, regions);
  ASSERT_TRUE(any.ok() && counts.ok() && lists.ok()) << lists.status();
  for (size_t i = 0; i < regions.size(); ++i) {
    const std::vector<uint32_t> one = AllOverlaps(whole, regions[i]);
    const std::span<const uint64_t> list = (*lists)[i];
    EXPECT_EQ(std::vector<uint64_t>(list.begin(), list.end()),
              std::vector<uint64_t>(one.begin(), one.end()));
    EXPECT_EQ((*counts)[i], one.size());
    EXPECT_EQ((*any)[i], one.empty() ? 0 : 1);
  }

  std::vector<Ray> rays;
  for (const Vec3& p : points) rays.push_back({p * 2.0, -p});
  for (const Vec3& p : points) rays.push_back({{0.1, 0.2, 0}, p});
  const size_t unlimited = rays.size();
  for (size_t i = 0; i < unlimited; ++i) {
    const std::optional<RayHit> hit = ClosestHit(whole, rays[i]);
    if (!hit) continue;
    const Ray ray = rays[i];
    rays.push_back({ray.origin, ray.direction, hit->t});
    rays.push_back(
        {ray.origin, ray.direction, hit->t, kInfinity, hit->triangle});
  }
  for (const double d : {kInfinity, 0.4}) {
    const DistributedOptions options{.max_distance = d};
    const auto any_hit = AnyHit(tree, rays, options);
    const auto hit_counts = CountHits(tree, rays, options);
    const auto first = ClosestHit(tree, rays, options);
    const auto hits = AllHits(tree, rays, options);
    ASSERT_TRUE(any_hit.ok() && hit_counts.ok() && first.ok() && hits.ok());
    for (size_t i = 0; i < rays.size(); ++i) {
      Ray alone = rays[i];
      alone.max_t = d;
      const std::vector<RayHit> one = AllHits(whole, alone);
      ExpectSameList(one, (*hits)[i]);
      EXPECT_EQ((*hit_counts)[i], one.size());
      EXPECT_EQ((*any_hit)[i], one.empty() ? 0 : 1);
      ASSERT_EQ((*first)[i].has_value(), !one.empty());
      if (!one.empty()) ExpectSame(one[0], *(*first)[i]);
    }
  }

  for (const InsideRule rule : {InsideRule::kWinding, InsideRule::kParity}) {
    const auto inside = IsInside(tree, points, {.inside = rule});
    ASSERT_TRUE(inside.ok()) << inside.status();
    for (size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ((*inside)[i], IsInside(whole, points[i], rule) ? 1 : 0);
    }
  }
}

TEST(DistributedQueriesTest, AnswersAreThoseOfOneProcess) {
  Communicator ranks = Ranks();
  const auto share = [&](const auto& all) { return OwnShare(ranks, all); };
  RunAll({ranks, meshes::Torus(20, 10), 16}, 1.5, share);
  RunAll({ranks, meshes::Soup(300, 0.2), 64}, 1, share);
  // Shells that overlap: what is inside depends on the faces of all chunks.
  RunAll({ranks,
          meshes::Joined(meshes::Torus(20, 10),
                         meshes::Icosphere(2, {1, 0, 0}, 0.5)),
          16},
         1.5, share);
}

// Each hit once, on the rank that has the triangle.
TEST(DistributedQueriesTest, HitsAreVisitedWhereTheyAreFound) {
  Communicator ranks = Ranks();
  const SharedTree mesh(ranks, meshes::Torus(20, 10), 16);
  std::vector<Ray> all;
  for (const Vec3& p : Points(40, 1.5)) all.push_back({p * 2.0, -p});
  const std::vector<Ray> rays = OwnShare(ranks, all);
  // A visited hit: the rank and ray that queried, the triangle, and t.
  struct Seen {
    int rank;
    uint64_t ray;
    uint64_t triangle;
    double t;
  };
  std::vector<Seen> seen;
  const DistributedTree tree = mesh.Open();
  // Room for few queries at a time.
  const absl::Status status =
      VisitHits(tree, rays,
                [&](int rank, uint64_t ray, const GlobalRayHit& hit) {
                  seen.push_back({rank, ray, hit.triangle, hit.t});
                },
                {.memory = 1 << 16});
  ASSERT_TRUE(status.ok()) << status;
  std::vector<std::vector<uint64_t>> found(all.size());
  for (const Seen& s : Joined(ranks, seen)) {
    const size_t i = s.ray * ranks.size() + s.rank;
    found[i].push_back(s.triangle);
  }
  size_t count = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    std::vector<uint64_t> one;
    for (const RayHit& hit : AllHits(mesh.whole(), all[i])) {
      one.push_back(hit.triangle);
    }
    count += one.size();
    EXPECT_THAT(found[i], ::testing::UnorderedElementsAreArray(one));
  }
  EXPECT_GT(count, 20U);
}

TEST(DistributedQueriesTest, OneRankMayQueryAllAndOthersNothing) {
  Communicator ranks = Ranks();
  const SharedTree mesh(ranks, meshes::Torus(20, 10), 16);
  for (int querying = 0; querying < ranks.size(); querying += 2) {
    RunAll(mesh, 1.5, [&](const std::vector<Vec3>& all) {
      return ranks.rank() == querying ? all : std::vector<Vec3>();
    });
  }
}

TEST(DistributedQueriesTest, EachRankMayHaveOneQuery) {
  Communicator ranks = Ranks();
  const SharedTree mesh(ranks, meshes::Torus(20, 10), 16);
  const DistributedTree tree = mesh.Open();
  const Vec3 p = Points(ranks.size(), 1.5)[static_cast<size_t>(ranks.rank())];
  const Ray ray{p * 2.0, -p};
  const Sphere ball{p, 0.5};
  const auto near = ClosestPoint(tree, p);
  ASSERT_TRUE(near.ok()) << near.status();
  EXPECT_EQ((*near)->triangle, ClosestPoint(mesh.whole(), p)->triangle);
  const auto count = CountHits(tree, ray);
  ASSERT_TRUE(count.ok()) << count.status();
  EXPECT_EQ(*count, CountHits(mesh.whole(), ray));
  const auto ids = AllOverlaps(tree, ball);
  ASSERT_TRUE(ids.ok()) << ids.status();
  const std::vector<uint32_t> whole = AllOverlaps(mesh.whole(), ball);
  EXPECT_EQ(*ids, std::vector<uint64_t>(whole.begin(), whole.end()));
  const auto none = KNearest(tree, p, 0);
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_TRUE(none->empty());
}

TEST(DistributedQueriesTest, NobodyMayQuery) {
  Communicator ranks = Ranks();
  RunAll({ranks, meshes::Torus(20, 10), 16}, 1.5,
         [](const std::vector<Vec3>&) { return std::vector<Vec3>(); });
}

TEST(DistributedQueriesTest, MoreRanksThanChunksAndAllOnOne) {
  Communicator ranks = Ranks();
  const auto share = [&](const auto& all) { return OwnShare(ranks, all); };
  RunAll({ranks, meshes::Torus(20, 10), 1000}, 1.5, share);
  RunAll({ranks, meshes::OneTriangle(), 1}, 1.5, share);
}

// Ties everywhere: between chunks, too.
TEST(DistributedQueriesTest, AllTrianglesMayBeIdentical) {
  Communicator ranks = Ranks();
  const auto share = [&](const auto& all) { return OwnShare(ranks, all); };
  RunAll({ranks, meshes::Identical(50), 8}, 1.5, share);
  RunAll({ranks, meshes::Cube(), 1}, 1.5, share);
  RunAll({ranks, meshes::DegenerateMix(100), 16}, 1.5, share);
}

// Requests that the memory has no room for go in several rounds.
TEST(DistributedQueriesTest, LittleMemoryTakesMoreRounds) {
  Communicator ranks = Ranks();
  const SharedTree mesh(ranks, meshes::Torus(20, 10), 16);
  const DistributedTree tree = mesh.Open();
  const std::vector<Vec3> points = OwnShare(ranks, Points(60, 1.5));
  const auto all = ClosestPoint(tree, points);
  ASSERT_TRUE(all.ok());
  const uint64_t before = ranks.traffic().collectives;
  const auto some = ClosestPoint(tree, points, {.memory = size_t{1} << 15});
  ASSERT_TRUE(some.ok()) << some.status();
  const uint64_t rounds = ranks.traffic().collectives - before;
  EXPECT_GT(rounds, ranks.size() == 1 ? 20U : 60U);
  for (size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ((*some)[i]->triangle, (*all)[i]->triangle);
    EXPECT_EQ((*some)[i]->distance, (*all)[i]->distance);
  }
}

TEST(DistributedQueriesTest, ListsBeyondTheMemoryAreRefusedAndCanBeVisited) {
  Communicator ranks = Ranks();
  const SharedTree mesh(ranks, meshes::Torus(40, 20), 16);
  const DistributedTree tree = mesh.Open();
  const std::vector<Sphere> balls(50, Sphere{{0, 0, 0}, 10});
  const std::vector<Sphere> own = OwnShare(ranks, balls);
  const DistributedOptions little{.memory = size_t{1} << 16};
  const auto lists = AllOverlaps(tree, own, little);
  EXPECT_EQ(lists.status().code(), absl::StatusCode::kResourceExhausted);

  uint64_t visits[] = {0};
  std::set<int> callers;
  const auto owned = tree.owned();
  std::set<uint64_t> ids;
  const absl::Status status = VisitOverlaps(
      tree, own,
      [&](int rank, uint64_t region, uint64_t triangle) {
        ++visits[0];
        callers.insert(rank);
        ids.insert(triangle);
        EXPECT_LT(region * ranks.size() + rank, balls.size());
      },
      little);
  ASSERT_TRUE(status.ok()) << status;
  // Visits run on the rank that owns the triangles.
  size_t here = 0;
  for (size_t i = owned.first; i < owned.second; ++i) {
    here += tree.chunks().table()[i].count;
  }
  EXPECT_EQ(ids.size(), here);
  EXPECT_EQ(callers.size(), static_cast<size_t>(ranks.size()));
  ASSERT_TRUE(ranks.Sum(visits).ok());
  EXPECT_EQ(visits[0], balls.size() * 1600);
}

TEST(DistributedQueriesTest, StatisticsAreSummed) {
  Communicator ranks = Ranks();
  const SharedTree mesh(ranks, meshes::Torus(20, 10), 16);
  const DistributedTree tree = mesh.Open();
  TraversalStatistics all;
  TraversalStatistics own;
  const std::vector<Vec3> points = Points(40, 1.5);
  ASSERT_TRUE(ClosestPoint(tree, OwnShare(ranks, points),
                           {.statistics = &all, .own_statistics = &own})
                  .ok());
  uint64_t tests[] = {own.triangle_tests};
  ASSERT_TRUE(ranks.Sum(tests).ok());
  EXPECT_EQ(tests[0], all.triangle_tests);
  EXPECT_GE(all.triangle_tests, points.size());
}

TEST(DistributedQueriesTest, ProgressRisesToOne) {
  Communicator ranks = Ranks();
  const SharedTree mesh(ranks, meshes::Torus(20, 10), 16);
  std::vector<double> shares;
  DistributedOptions options{.memory = size_t{1} << 15};
  options.progress = [&](double share) { shares.push_back(share); };
  ASSERT_TRUE(
      ClosestPoint(mesh.Open(), OwnShare(ranks, Points(60, 1.5)), options)
          .ok());
  ASSERT_FALSE(shares.empty());
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
}

}  // namespace
}  // namespace orbox
