// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "orbox/bvh/query/pairs/pair_contacts.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/pairs/self_within.h"

#include <atomic>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

constexpr int kThreads[] = {1, 2, 3, 7};

// A surface that passes through another one, with many results.
struct MeetingTrees {
  Mesh a = meshes::Joined(meshes::Torus(60, 24), meshes::Soup(300, 0.3));
  Mesh b = meshes::Icosphere(4, {0.9, 0.1, 0.2}, 0.5);
  Pose pose = Pose::Rotation({0.6, 0.8, 0}, 0.3, {0.1, 0.05, 0});
};

// Any number of threads has the results and statistics of one thread.
void CheckTwoTrees(const PosedTree& a, const PosedTree& b) {
  TraversalStatistics meeting;
  const auto pairs = AllOverlaps(a, b, {.statistics = &meeting}).value();
  for (const int threads : kThreads) {
    SCOPED_TRACE(threads);
    TraversalStatistics s;
    EXPECT_EQ(AllOverlaps(a, b, {.statistics = &s, .threads = threads}).value(),
              pairs);
    EXPECT_EQ(s, meeting);
    EXPECT_EQ(AllOverlaps(a, b, {.threads = threads}).value(), pairs);
  }
  for (const double distance : {0.0, 0.02, 0.1}) {
    TraversalStatistics within;
    const auto near =
        AllWithin(a, b, distance, {.statistics = &within}).value();
    for (const int threads : kThreads) {
      SCOPED_TRACE(threads);
      TraversalStatistics s;
      EXPECT_EQ(
          AllWithin(a, b, distance, {.statistics = &s, .threads = threads})
              .value(),
          near);
      EXPECT_EQ(s, within);
    }
  }
}

void CheckOneTree(const Tree& tree) {
  for (const SharedCorners shared :
       {SharedCorners::kByPosition, SharedCorners::kByIndex}) {
    TraversalStatistics alone;
    const auto pairs =
        AllSelfOverlaps(tree, shared, {.statistics = &alone}).value();
    for (const int threads : kThreads) {
      SCOPED_TRACE(threads);
      TraversalStatistics s;
      EXPECT_EQ(
          AllSelfOverlaps(tree, shared, {.statistics = &s, .threads = threads})
              .value(),
          pairs);
      EXPECT_EQ(s, alone);
    }
    const double size = Norm(tree.mesh().bounds().hi - tree.mesh().bounds().lo);
    for (const double share : {0.0, 0.01}) {
      TraversalStatistics within;
      const auto near =
          AllSelfWithin(tree, share * size, shared, {.statistics = &within})
              .value();
      for (const int threads : kThreads) {
        SCOPED_TRACE(threads);
        TraversalStatistics s;
        EXPECT_EQ(AllSelfWithin(tree, share * size, shared,
                                {.statistics = &s, .threads = threads})
                      .value(),
                  near);
        EXPECT_EQ(s, within);
      }
    }
  }
}

TEST(PairRunTest, AnswersAndStatisticsAreThoseOfOneThread) {
  const MeetingTrees scene;
  for (const trees::Kind& kind : trees::Kinds()) {
    SCOPED_TRACE(kind.name);
    const Tree a = trees::Make(scene.a, kind.volumes);
    const Tree b = trees::Make(scene.b, kind.volumes);
    const PosedTree posed = PosedTree::Create(a, scene.pose).value();
    EXPECT_GT(AllOverlaps(posed, b).size(), 100u);
    EXPECT_GT(AllSelfOverlaps(a).size(), 100u);
    CheckTwoTrees(posed, b);
    CheckTwoTrees(b, posed);
    CheckOneTree(a);
  }
}

// From one triangle on, which has no parts to speak of.
TEST(PairRunTest, EveryMeshHasParts) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const Tree tree = trees::Make(m.mesh);
    CheckOneTree(tree);
    CheckOneTree(trees::Make(m.mesh, Volumes::kMixed, 1));
    const Pose pose = Pose::Rotation({0, 0.6, 0.8}, 0.5,
                                     m.mesh.bounds().HalfExtents() * 0.25);
    CheckTwoTrees(PosedTree::Create(tree, pose).value(), tree);
    CheckTwoTrees(tree, trees::Make(meshes::OneTriangle()));
  }
}

TEST(PairRunTest, LimitsAreThoseOfOneThread) {
  const Tree tree = trees::Make(meshes::Torus(12, 6));
  const Tree cube = trees::Make(meshes::Cube());
  EXPECT_EQ(AllSelfWithin(tree, kInf, {}, {.threads = 2}).value(),
            AllSelfWithin(tree, kInf));
  EXPECT_EQ(AllWithin(tree, cube, kInf, {.threads = 2}).value(),
            AllWithin(tree, cube, kInf));
}

// Number of results of each query.
std::vector<size_t> CountsOf(const Tree& a, const Tree& b,
                             const RunOptions& options) {
  return {AllOverlaps(a, b, options).value().size(),
          CountOverlaps(a, b, options).value(),
          size_t{AnyOverlap(a, b, options).value()},
          AllWithin(a, b, 0.1, options).value().size(),
          CountWithin(a, b, 0.1, options).value(),
          size_t{AnyWithin(a, b, 0.1, options).value()},
          AllSelfOverlaps(a, {}, options).value().size(),
          CountSelfOverlaps(a, {}, options).value(),
          size_t{AnySelfOverlap(a, {}, options).value()},
          AllSelfWithin(a, 0.02, {}, options).value().size(),
          CountSelfWithin(a, 0.02, {}, options).value(),
          size_t{AnySelfWithin(a, 0.02, {}, options).value()}};
}

TEST(PairRunTest, CountsAreTheLengthsOfLists) {
  const MeetingTrees scene;
  const Tree a = trees::Make(scene.a);
  const Tree b = trees::Make(scene.b);
  const std::vector<size_t> plain = CountsOf(a, b, {});
  for (size_t i = 0; i < plain.size(); i += 3) {
    EXPECT_GT(plain[i], 1u);
    EXPECT_EQ(plain[i + 1], plain[i]);
    EXPECT_EQ(plain[i + 2], 1u);
  }
  for (const int threads : kThreads) {
    EXPECT_EQ(CountsOf(a, b, {.threads = threads}), plain) << threads;
  }
}

// Number of errors of each kind of the forms with run options.
std::map<absl::StatusCode, size_t> ErrorsOf(const Tree& a, const Tree& b,
                                            double distance,
                                            const RunOptions& options) {
  const auto on = [](const auto&) { return Visit::kContinue; };
  std::map<absl::StatusCode, size_t> errors;
  for (const absl::Status& status :
       {AnyOverlap(a, b, options).status(),
        CountOverlaps(a, b, options).status(),
        AllOverlaps(a, b, options).status(), VisitOverlaps(a, b, on, options),
        AllContacts(a, b, options).status(), VisitContacts(a, b, on, options),
        AnyWithin(a, b, distance, options).status(),
        CountWithin(a, b, distance, options).status(),
        AllWithin(a, b, distance, options).status(),
        VisitWithin(a, b, distance, on, options),
        AllClustersWithin(a, b, distance, options).status()}) {
    ++errors[status.code()];
  }
  return errors;
}

// The plain forms end the program or have no option to be cancelled by.
TEST(PairRunTest, RunOptionsReturnErrors) {
  const MeetingTrees scene;
  const Tree a = trees::Make(scene.a);
  const Tree b = trees::Make(scene.b);
  using Errors = std::map<absl::StatusCode, size_t>;
  constexpr size_t kAll = 11;
  constexpr size_t kOfDistance = 5;
  const std::atomic<bool> yes = true;
  for (const int threads : {1, 2}) {
    EXPECT_EQ(ErrorsOf(a, b, 0.1, {.threads = threads, .cancelled = &yes}),
              (Errors{{absl::StatusCode::kCancelled, kAll}}));
  }
  EXPECT_EQ(ErrorsOf(a, b, 0.1, {.threads = -1}),
            (Errors{{absl::StatusCode::kInvalidArgument, kAll}}));
  EXPECT_EQ(ErrorsOf(a, b, -1, {}),
            (Errors{{absl::StatusCode::kOk, kAll - kOfDistance},
                    {absl::StatusCode::kInvalidArgument, kOfDistance}}));
  EXPECT_THAT(AnyWithin(a, b, -1, {.threads = 2}).status().message(),
              testing::HasSubstr("distance is -1"));
  EXPECT_DEATH(AnyWithin(a, b, -1), "distance is -1");
}

TEST(PairRunTest, ProgressNeverFallsAndEndsAtOne) {
  const MeetingTrees scene;
  const Tree a = trees::Make(scene.a);
  const Tree b = trees::Make(scene.b);
  double share = 0;
  RunOptions watched{.threads = 3};
  watched.progress = [&share](double done) {
    EXPECT_GE(done, share);
    share = done;
  };
  EXPECT_EQ(AllOverlaps(a, b, watched).value(), AllOverlaps(a, b));
  EXPECT_EQ(share, 1);
  share = 0;
  EXPECT_EQ(CountWithin(a, b, 0.1, watched).value(), CountWithin(a, b, 0.1));
  EXPECT_EQ(share, 1);
}

// Once it is cancelled by its own visitor, a search ends soon.
TEST(PairRunTest, VisitorsStopAndCancel) {
  const MeetingTrees scene;
  const Tree a = trees::Make(scene.a);
  const Tree b = trees::Make(scene.b);
  const size_t all = AllOverlaps(a, b).size();
  std::atomic<bool> cancelled = false;
  size_t seen = 0;
  const auto cancel = [&](const TrianglePair&) {
    cancelled = true;
    ++seen;
    return Visit::kContinue;
  };
  EXPECT_EQ(VisitOverlaps(a, b, cancel, {.cancelled = &cancelled}).code(),
            absl::StatusCode::kCancelled);
  EXPECT_GT(seen, 0u);
  EXPECT_LT(seen, all);
  const auto third = [&](const auto&) {
    return ++seen == 3 ? Visit::kStop : Visit::kContinue;
  };
  const std::atomic<bool> no = false;
  for (const std::atomic<bool>* flag :
       {static_cast<const std::atomic<bool>*>(nullptr), &no}) {
    seen = 0;
    EXPECT_TRUE(VisitOverlaps(a, b, third, {.cancelled = flag}).ok());
    EXPECT_EQ(seen, 3u);
    seen = 0;
    EXPECT_TRUE(VisitWithin(a, b, 0.1, third, {.cancelled = flag}).ok());
    EXPECT_EQ(seen, 3u);
    seen = 0;
    EXPECT_TRUE(VisitSelfOverlaps(a, {}, third, {.cancelled = flag}).ok());
    EXPECT_EQ(seen, 3u);
    seen = 0;
    EXPECT_TRUE(VisitSelfWithin(a, 0.02, {}, third, {.cancelled = flag}).ok());
    EXPECT_EQ(seen, 3u);
  }
}

TEST(PairRunTest, EveryInstructionSetAgreesToTheLastCount) {
  const MeetingTrees scene;
  const Tree a = trees::Make(scene.a);
  const Tree b = trees::Make(scene.b);
  TraversalStatistics expected;
  const auto pairs = AllOverlaps(a, b, {.statistics = &expected}).value();
  const auto self = AllSelfOverlaps(a, {}, {.statistics = &expected}).value();
  trees::OnEachInstructionSet([&] {
    TraversalStatistics s;
    EXPECT_EQ(AllOverlaps(a, b, {.statistics = &s, .threads = 2}).value(),
              pairs);
    EXPECT_EQ(AllSelfOverlaps(a, {}, {.statistics = &s, .threads = 2}).value(),
              self);
    EXPECT_EQ(s, expected);
  });
}

}  // namespace
}  // namespace orbox
