// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/deviation/deviation_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// Plain sums in long double, and percentiles that count the weight below each
// distance anew: quadratic.
DeviationSummary PlainSummary(const std::vector<double>& distances,
                              const std::vector<double>& weights,
                              const DeviationLimits& limits) {
  DeviationSummary s;
  long double total = 0, sum = 0, squares = 0, within = 0;
  s.smallest = kInf;
  for (size_t i = 0; i < distances.size(); ++i) {
    if (weights[i] == 0) continue;
    if (distances[i] > limits.max_distance) {
      ++s.beyond;
      continue;
    }
    ++s.points;
    total += weights[i];
    sum += static_cast<long double>(weights[i]) * distances[i];
    squares +=
        static_cast<long double>(weights[i]) * distances[i] * distances[i];
    if (distances[i] <= *limits.within) within += weights[i];
    s.smallest = std::min(s.smallest, distances[i]);
    s.largest = std::max(s.largest, distances[i]);
  }
  s.mean = static_cast<double>(sum / total);
  s.root_mean_square = static_cast<double>(std::sqrt(squares / total));
  s.standard_deviation = static_cast<double>(
      std::sqrt(squares / total - (sum / total) * (sum / total)));
  s.share_within = static_cast<double>(within / total);
  const auto percentile = [&](double share) {
    double least = kInf;
    for (const double d : distances) {
      long double below = 0;
      for (size_t i = 0; i < distances.size(); ++i) {
        if (distances[i] <= d) below += weights[i];
      }
      if (below >= share * total) least = std::min(least, d);
    }
    return least;
  };
  s.median = percentile(0.5);
  s.percentile_90 = percentile(0.9);
  s.percentile_95 = percentile(0.95);
  s.percentile_99 = percentile(0.99);
  return s;
}

void ExpectNear(const DeviationSummary& s, const DeviationSummary& plain) {
  const double rounding = 1e-12 * plain.largest;
  EXPECT_EQ(s.points, plain.points);
  EXPECT_EQ(s.beyond, plain.beyond);
  EXPECT_EQ(s.smallest, plain.smallest);
  EXPECT_EQ(s.largest, plain.largest);
  EXPECT_NEAR(s.mean, plain.mean, rounding);
  EXPECT_NEAR(s.root_mean_square, plain.root_mean_square, rounding);
  // The plain difference of squares loses half of the digits.
  EXPECT_NEAR(s.standard_deviation, plain.standard_deviation,
              1e-8 * plain.largest);
  EXPECT_EQ(s.median, plain.median);
  EXPECT_EQ(s.percentile_90, plain.percentile_90);
  EXPECT_EQ(s.percentile_95, plain.percentile_95);
  EXPECT_EQ(s.percentile_99, plain.percentile_99);
  ASSERT_TRUE(s.share_within.has_value());
  EXPECT_NEAR(*s.share_within, *plain.share_within, 1e-12);
}

TEST(DeviationSummaryTest, MatchesPlainSums) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> distances, weights;
    const uint32_t count = 1 + random() % 300;
    for (uint32_t i = 0; i < count; ++i) {
      // Equal distances, and weights of 0 between others. Sums of weights are
      // exact, so percentiles have one answer.
      distances.push_back(static_cast<double>(random() % 64) / 7);
      weights.push_back(static_cast<double>(random() % 5));
    }
    distances.push_back(3);
    weights.push_back(1);
    const DeviationLimits limits{.within = 2.5, .max_distance = kInf};
    ExpectNear(SummarizeDistances(distances, weights, limits),
               PlainSummary(distances, weights, limits));
  }
}

TEST(DeviationSummaryTest, CutOffLeavesOutWhatIsFarther) {
  const std::vector<double> distances = {1, 2, 3, 4, kInf};
  const std::vector<double> weights(5, 1.0);
  const DeviationLimits limits{.within = 1, .max_distance = 2};
  const DeviationSummary s = SummarizeDistances(distances, {}, limits);
  EXPECT_EQ(s.points, 2U);
  EXPECT_EQ(s.beyond, 3U);
  EXPECT_EQ(s.largest, 2);
  EXPECT_EQ(s.mean, 1.5);
  EXPECT_EQ(s.standard_deviation, 0.5);
  EXPECT_EQ(s.median, 1);
  EXPECT_EQ(s.percentile_90, 2);
  EXPECT_EQ(s.share_within, 0.5);
  EXPECT_EQ(SummarizeDistances(distances, weights, limits).mean, 1.5);
  EXPECT_FALSE(SummarizeDistances(distances).share_within.has_value());
}

TEST(DeviationSummaryTest, DegenerateLists) {
  const DeviationSummary none = SummarizeDistances({});
  EXPECT_EQ(none.points, 0U);
  EXPECT_EQ(none.beyond, 0U);
  const DeviationSummary far =
      SummarizeDistances(std::vector<double>{5, 6}, {}, {.max_distance = 4});
  EXPECT_EQ(far.points, 0U);
  EXPECT_EQ(far.beyond, 2U);
  EXPECT_FALSE(far.share_within.has_value());
  const DeviationSummary one =
      SummarizeDistances(std::vector<double>{5}, {}, {.within = 5});
  EXPECT_EQ(one.points, 1U);
  for (const double d :
       {one.smallest, one.largest, one.mean, one.root_mean_square, one.median,
        one.percentile_90, one.percentile_95, one.percentile_99}) {
    EXPECT_EQ(d, 5);
  }
  EXPECT_EQ(one.standard_deviation, 0);
  EXPECT_EQ(one.share_within, 1);
  const DeviationSummary zero =
      SummarizeDistances(std::vector<double>{0, 0}, {}, {.within = 0});
  EXPECT_EQ(zero.root_mean_square, 0);
  EXPECT_EQ(zero.share_within, 1);
}

TEST(DeviationSummaryTest, SquaresNeitherOverflowNorVanish) {
  for (const double unit : {0x1p+1000, 0x1p-1000}) {
    const DeviationSummary s =
        SummarizeDistances(std::vector<double>{unit, 7 * unit});
    EXPECT_DOUBLE_EQ(s.mean / unit, 4);
    EXPECT_DOUBLE_EQ(s.root_mean_square / unit, 5);
    EXPECT_DOUBLE_EQ(s.standard_deviation / unit, 3);
  }
}

TEST(DeviationSummaryTest, MeasuresVerticesByArea) {
  const Mesh ball = meshes::Icosphere(2, {0.1, 0.2, 0}, 1.25);
  const Mesh cube = meshes::Cube({-1, -1, -1}, 2);
  const Pose pose = Pose::Rotation({1, 0, 0}, 0.3, {0.5, 0, 0});
  const Mesh moved = meshes::Moved(ball, pose);
  std::vector<double> distances, weights(moved.vertex_count(), 0);
  for (const Vec3& p : moved.vertices()) {
    double least = kInf;
    for (uint32_t i = 0; i < cube.triangle_count(); ++i) {
      least = std::min(least, Distance(p, cube.triangle(i)).distance);
    }
    distances.push_back(least);
  }
  for (uint32_t i = 0; i < moved.triangle_count(); ++i) {
    const Triangle t = moved.triangle(i);
    for (const uint32_t vertex : moved.triangles()[i]) {
      weights[vertex] += Norm(Cross(t.b - t.a, t.c - t.a)) / 6;
    }
  }
  const DeviationLimits limits{.within = 0.2, .max_distance = 0.5};
  const PosedTree a = *PosedTree::Create(*Build(ball), pose);
  const PosedTree b = *Build(cube);
  const auto s = SummarizeDeviation(a, b, limits, {.threads = 3});
  ASSERT_TRUE(s.ok()) << s.status();
  EXPECT_GT(s->beyond, 0U);
  ExpectNear(*s, PlainSummary(distances, weights, limits));
}

TEST(DeviationSummaryTest, CountsAreaAndNotDensity) {
  // A square of two triangles at distance 1, and one with the same area at
  // distance 3 of many triangles.
  std::vector<Vec3> vertices = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  std::vector<TriangleIndices> triangles = {{0, 1, 2}, {0, 2, 3}};
  constexpr uint32_t kSide = 8;
  for (uint32_t i = 0; i <= kSide; ++i) {
    for (uint32_t j = 0; j <= kSide; ++j) {
      vertices.push_back({5 + i / double{kSide}, j / double{kSide}, 3});
      if (i == kSide || j == kSide) continue;
      const uint32_t v = 4 + i * (kSide + 1) + j;
      triangles.push_back({v, v + kSide + 1, v + kSide + 2});
      triangles.push_back({v, v + kSide + 2, v + 1});
    }
  }
  vertices.push_back({0, 0, 50});  // of no triangle
  const Tree a = *Build(*Mesh::Create(vertices, triangles));
  const Tree floor = *Build(
      *Mesh::Create({{-9, -9, 0}, {19, -9, 0}, {0, 30, 0}}, {{0, 1, 2}}));
  const auto s = SummarizeDeviation(a, floor);
  ASSERT_TRUE(s.ok()) << s.status();
  EXPECT_EQ(s->points, vertices.size() - 1);
  EXPECT_NEAR(s->mean, 2, 1e-12);
  EXPECT_EQ(s->largest, 3);
  // Points count one by one: degenerate triangles, as of a cloud.
  const Tree cloud = *Build(*Mesh::Create({{0, 0, 1}, {1, 0, 1}, {0, 1, 4}},
                                          {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}));
  const auto of_cloud = SummarizeDeviation(cloud, floor, {.within = 1});
  ASSERT_TRUE(of_cloud.ok());
  EXPECT_DOUBLE_EQ(of_cloud->mean, 2);
  EXPECT_EQ(of_cloud->median, 1);
  EXPECT_DOUBLE_EQ(*of_cloud->share_within, 2.0 / 3);
}

TEST(DeviationSummaryTest, WeightsOfTinyAndHugeMeshesDoNotVanish) {
  for (const double size : {0x1p-190, 0x1p+190}) {
    const Tree tree = *Build(*Mesh::Create(
        {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, -3 * size, 0}},
        {{0, 1, 2}, {0, 3, 1}}));
    const std::vector<double> weights = WeightsOfVertices(tree);
    EXPECT_DOUBLE_EQ(weights[3] / weights[2], 3);
    EXPECT_DOUBLE_EQ(weights[0] / weights[2], 4);
  }
}

TEST(DeviationSummaryTest, LimitsAreChecked) {
  const PosedTree cube = *Build(meshes::Cube());
  for (const double bad : {-1.0, std::nan("")}) {
    EXPECT_EQ(SummarizeDeviation(cube, cube, {.within = bad}).status().code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(
        SummarizeDeviation(cube, cube, {.max_distance = bad}).status().code(),
        absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(
        SummarizeDeviation(cube, cube, {}, {.threads = -1}).status().code(),
        absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace orbox
