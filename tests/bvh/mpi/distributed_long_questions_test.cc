// SPDX-License-Identifier: Apache-2.0

// Every batch of ranks reports from inside its queries, and can be cancelled
// there (tests/support/long_queries.h).
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/large/winding_number.h"
#include "orbox/bvh/mpi/distributed_hausdorff.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/long_queries.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using long_queries::kAlongLine;
using long_queries::kAroundLine;
using long_queries::kLength;
using Options = DistributedOptions;

struct LongQuestion {
  std::string name;
  std::function<absl::Status(const Options&)> call;
};

// Every rank cancels at its first report from inside. A rank without work has
// no such report.
void ExpectEndsOnAll(const LongQuestion& question) {
  std::atomic<bool> cancelled = false;
  Options options{.cancelled = &cancelled};
  options.progress = [&](double share) {
    if (share < 1) cancelled = true;
  };
  EXPECT_EQ(question.call(options).code(), absl::StatusCode::kCancelled)
      << question.name;
}

// Without a cancellation, shares never fall, and the last one is 1.
void ExpectShares(const LongQuestion& question) {
  std::vector<double> shares;
  Options options;
  options.progress = [&](double share) { shares.push_back(share); };
  EXPECT_TRUE(question.call(options).ok()) << question.name;
  ASSERT_FALSE(shares.empty()) << question.name;
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end())) << question.name;
  EXPECT_EQ(shares.back(), 1) << question.name;
}

void ExpectEach(const std::vector<LongQuestion>& questions) {
  for (const LongQuestion& question : questions) {
    SCOPED_TRACE(question.name);
    ExpectEndsOnAll(question);
    ExpectShares(question);
  }
}

TEST(DistributedLongQuestionsTest, Points) {
  Communicator ranks = Ranks();
  const SharedTree ball_files(ranks, meshes::Icosphere(4), 30'000);
  const DistributedTree ball = ball_files.Open();
  const SharedTree sheet_files(ranks, meshes::Grid(60), 30'000);
  const DistributedTree sheet = sheet_files.Open();
  const SharedTree half_files(ranks, long_queries::HalfBall(), 30'000);
  const DistributedTree half = half_files.Open();
  const auto field = DistributedSignedDistanceField::Create(ball);
  ASSERT_TRUE(field.ok()) << field.status();
  const auto winding = DistributedWindingNumberField::Of(sheet);
  ASSERT_TRUE(winding.ok()) << winding.status();
  const auto of_half = DistributedWindingNumberField::Of(half);
  ASSERT_TRUE(of_half.ok()) << of_half.status();
  const std::vector<Vec3> centers(4);
  const std::vector<Vec3> on_sheet(4, {0.503, 0.507, 0});
  ExpectEach({{"closest point",
               [&](const Options& options) {
                 return ClosestPoint(ball, centers, options).status();
               }},
              {"k nearest",
               [&](const Options& options) {
                 return KNearest(ball, centers, 3, options).status();
               }},
              {"signed closest point",
               [&](const Options& options) {
                 return field->ClosestPoint(centers, options).status();
               }},
              {"signed distance",
               [&](const Options& options) {
                 return field->Distance(centers, options).status();
               }},
              {"winding number",
               [&](const Options& options) {
                 return winding->At(on_sheet, 0, options).status();
               }},
              {"inside by the winding number", [&](const Options& options) {
                 return of_half->IsInside(centers, options).status();
               }}});
}

TEST(DistributedLongQuestionsTest, RaysAndRegions) {
  Communicator ranks = Ranks();
  const SharedTree files(ranks, long_queries::Fence(), kLength);
  const DistributedTree fence = files.Open();
  const std::vector<Ray> rays(4, kAlongLine);
  const std::vector<SweptSphere> balls(
      4, {{0, 0.1, 0.9}, {kLength, 0.1, 0.9}, 0.0625});
  const std::vector<Aabb> boxes(4, kAroundLine);
  const std::vector<Vec3> points(4, kAlongLine.origin);
  ExpectEach({{"any hit",
               [&](const Options& options) {
                 return AnyHit(fence, rays, options).status();
               }},
              {"count hits",
               [&](const Options& options) {
                 return CountHits(fence, rays, options).status();
               }},
              {"closest hit",
               [&](const Options& options) {
                 return ClosestHit(fence, rays, options).status();
               }},
              {"all hits",
               [&](const Options& options) {
                 return AllHits(fence, rays, options).status();
               }},
              {"visit hits",
               [&](const Options& options) {
                 const auto visit = [](int, uint64_t, const GlobalRayHit&) {};
                 return VisitHits(fence, rays, visit, options);
               }},
              {"any hit of a ball",
               [&](const Options& options) {
                 return AnyHit(fence, balls, options).status();
               }},
              {"count hits of a ball",
               [&](const Options& options) {
                 return CountHits(fence, balls, options).status();
               }},
              {"closest hit of a ball",
               [&](const Options& options) {
                 return ClosestHit(fence, balls, options).status();
               }},
              {"all hits of a ball",
               [&](const Options& options) {
                 return AllHits(fence, balls, options).status();
               }},
              {"any in a region",
               [&](const Options& options) {
                 return AnyOverlap(fence, boxes, options).status();
               }},
              {"count in a region",
               [&](const Options& options) {
                 return CountOverlaps(fence, boxes, options).status();
               }},
              {"all in a region",
               [&](const Options& options) {
                 return AllOverlaps(fence, boxes, options).status();
               }},
              {"inside", [&](const Options& options) {
                 return IsInside(fence, points, options).status();
               }}});
}

TEST(DistributedLongQuestionsTest, Pairs) {
  Communicator ranks = Ranks();
  const SharedTree fence_files(ranks, long_queries::Fence(), kLength);
  const DistributedTree fence = fence_files.Open();
  const SharedTree line_files(ranks, long_queries::Line(), kLength);
  const DistributedTree line = line_files.Open();
  const double near = 0.0625;
  ExpectEach({{"any overlap",
               [&](const Options& options) {
                 return AnyOverlap(fence, line, options).status();
               }},
              {"count overlaps",
               [&](const Options& options) {
                 return CountOverlaps(fence, line, options).status();
               }},
              {"all overlaps",
               [&](const Options& options) {
                 return AllOverlaps(fence, line, options).status();
               }},
              {"any within",
               [&](const Options& options) {
                 return AnyWithin(fence, line, near, options).status();
               }},
              {"count within",
               [&](const Options& options) {
                 return CountWithin(fence, line, near, options).status();
               }},
              {"all within",
               [&](const Options& options) {
                 return AllWithin(fence, line, near, options).status();
               }},
              {"all witnesses within",
               [&](const Options& options) {
                 return AllWitnessesWithin(fence, line, near, options).status();
               }},
              {"closest pair",
               [&](const Options& options) {
                 return ClosestPair(fence, line, options).status();
               }},
              {"any self overlap",
               [&](const Options& options) {
                 return AnySelfOverlap(fence, options).status();
               }},
              {"all self overlaps",
               [&](const Options& options) {
                 return AllSelfOverlaps(fence, options).status();
               }},
              {"all self within", [&](const Options& options) {
                 return AllSelfWithin(fence, near, options).status();
               }}});
}

TEST(DistributedLongQuestionsTest, Deviations) {
  Communicator ranks = Ranks();
  const SharedTree files(ranks, meshes::Icosphere(4), 30'000);
  const DistributedTree ball = files.Open();
  const PosedDistributedTree other(ball, Pose::Translation({0.25, 0, 0}));
  HausdorffLimits goal;
  goal.relative_tolerance = 0.25;
  ExpectEach({{"Hausdorff distance",
               [&](const Options& options) {
                 return HausdorffDistance(other, ball, goal, options).status();
               }},
              {"symmetric Hausdorff distance",
               [&](const Options& options) {
                 return SymmetricHausdorffDistance(other, ball, goal, options)
                     .status();
               }},
              {"deviations", [&](const Options& options) {
                 return DeviationField(other, ball, goal, options).status();
               }}});
}

}  // namespace
}  // namespace orbox
