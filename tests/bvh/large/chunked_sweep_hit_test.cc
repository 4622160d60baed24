// SPDX-License-Identifier: Apache-2.0

// Moving balls hit the same triangles in chunks as in one mesh.
#include "orbox/bvh/large/queries.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/rays/internal/ray_search.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

std::vector<SweptSphere> BallsAround(const Mesh& mesh, size_t count) {
  meshes::Random random(11);
  const Vec3 center = mesh.bounds().Center();
  const double size = 1e-3 + MaxCoordinate(mesh.bounds().HalfExtents());
  std::vector<SweptSphere> balls;
  for (size_t i = 0; i < count; ++i) {
    const Vec3 p = center + random.Point(-2, 2) * size;
    balls.push_back({p, center + random.Point(-1, 1) * size, 0.1 * size});
    balls.push_back({p, p, 0.9 * size});  // does not move
    balls.push_back({p, mesh.triangle(0).a, 0});
  }
  return balls;
}

void ExpectSame(const GlobalSweepHit& chunked, const SweepHit& one) {
  EXPECT_EQ(chunked.triangle, one.triangle);
  EXPECT_EQ(chunked.earliest, one.earliest);
  EXPECT_EQ(chunked.latest, one.latest);
  EXPECT_TRUE(chunks::SameBits(chunked.point, one.point));
}

// That it is touched first, as the other is.
void ExpectFirst(const GlobalSweepHit& chunked, const SweepHit& one,
                 const std::vector<SweepHit>& all) {
  const auto alone = std::find_if(
      all.begin(), all.end(),
      [&](const SweepHit& hit) { return hit.triangle == chunked.triangle; });
  ASSERT_NE(alone, all.end());
  EXPECT_EQ(chunked.latest, alone->latest);
  EXPECT_TRUE(chunks::SameBits(chunked.point, alone->point));
  EXPECT_LE(chunked.earliest, alone->earliest);
  EXPECT_LE(chunked.earliest, one.latest);
  EXPECT_LE(one.earliest, chunked.latest);
}

void CheckSweeps(const ChunkedTree& chunked, const Tree& tree) {
  const std::vector<SweptSphere> balls = BallsAround(tree.mesh(), 8);
  for (const double most : {std::numeric_limits<double>::infinity(), 0.5}) {
    const QueryOptions options{.max_distance = most};
    const auto any = AnyHit(chunked, balls, options).value();
    const auto counts = CountHits(chunked, balls, options).value();
    const auto first = ClosestHit(chunked, balls, options).value();
    const auto lists = AllHits(chunked, balls, options).value();
    const HitSearch<SweptSphere> alone(Watch(), most);
    for (size_t i = 0; i < balls.size(); ++i) {
      const std::vector<SweepHit> all = alone.All(tree, balls[i]);
      EXPECT_EQ(any[i] != 0, !all.empty());
      EXPECT_EQ(counts[i], all.size());
      ASSERT_EQ(lists[i].size(), all.size());
      for (size_t k = 0; k < all.size(); ++k) ExpectSame(lists[i][k], all[k]);
      const std::optional<SweepHit> one = alone.First(tree, balls[i]);
      ASSERT_EQ(first[i].has_value(), one.has_value());
      if (one) ExpectFirst(*first[i], *one, all);
    }
  }
  const SweptSphere& ball = balls[0];
  EXPECT_EQ(AnyHit(chunked, ball).value(), AnyHit(tree, ball));
  EXPECT_EQ(CountHits(chunked, ball).value(), CountHits(tree, ball));
  EXPECT_EQ(AllHits(chunked, ball).value().size(), AllHits(tree, ball).size());
  EXPECT_EQ(ClosestHit(chunked, ball).value().has_value(),
            ClosestHit(tree, ball).has_value());
  size_t visited = 0;
  ASSERT_TRUE(VisitHits(chunked, ball, [&](const GlobalSweepHit&) {
                ++visited;
                return Visit::kContinue;
              }).ok());
  EXPECT_EQ(visited, CountHits(tree, ball));
  std::vector<uint64_t> visits(balls.size());
  ASSERT_TRUE(VisitHits(chunked, balls, [&](size_t i, const GlobalSweepHit&) {
                ++visits[i];
                return Visit::kContinue;
              }).ok());
  EXPECT_EQ(visits, CountHits(chunked, balls).value());
}

TEST(ChunkedSweepHitTest, ChunksAreHitAsOneTree) {
  for (const Mesh& mesh : {meshes::Torus(16, 8), meshes::Soup(60, 0.4),
                           meshes::Identical(9), meshes::Grid(4)}) {
    const chunks::Files files(mesh);
    for (const size_t size : {mesh.triangle_count() / 6 + 1, size_t{1000}}) {
      CheckSweeps(files.Chunked(size), files.tree());
    }
  }
}

TEST(ChunkedSweepHitTest, BadOptionsAreErrors) {
  const ChunkedTree cube{Build(meshes::Cube()).value()};
  const SweptSphere ball{{5, 0, 0}, {0, 0, 0}, 0.1};
  EXPECT_FALSE(AnyHit(cube, ball, {.max_distance = -1}).ok());
  const SweptSphere balls[] = {ball, {ball.from, ball.to, -1}};
  EXPECT_EQ(AllHits(cube, balls).status(),
            AllHits(Build(meshes::Cube()).value(), balls).status());
  EXPECT_EQ(AnyHit(cube, balls[1]).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(VisitHits(cube, balls[1],
                      [](const GlobalSweepHit&) { return Visit::kContinue; })
                .code(),
            absl::StatusCode::kInvalidArgument);
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(ClosestHit(cube, ball, {.cancelled = &cancelled}).status().code(),
            absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace orbox
