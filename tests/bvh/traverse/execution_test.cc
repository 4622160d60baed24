// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/base/query_cancelled.h"

#include <atomic>
#include <functional>
#include <limits>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/traverse/query_options.h"
#include "tests/support/special_numbers.h"

namespace orbox {
namespace {

using ::testing::HasSubstr;

TEST(ExecutionTest, DefaultsLookEverywhereOnOneThread) {
  const QueryOptions options;
  const Execution run(options);
  EXPECT_TRUE(run.Check().ok());
  EXPECT_EQ(run.max_distance(), kInf);
  EXPECT_EQ(run.threads(), 1);
  EXPECT_EQ(run.statistics(), nullptr);
  EXPECT_FALSE(run.progress());
  EXPECT_NO_THROW(run.CheckCancelled());
}

TEST(ExecutionTest, BadDistancesAreNamed) {
  for (const double bad : {kNan, -kInf, -1.0, -5e-324}) {
    const QueryOptions options{.max_distance = bad};
    const Execution run(options);
    EXPECT_EQ(run.Check().code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_THAT(run.Check().message(), HasSubstr("max_distance"));
  }
  for (const double good : {0.0, -0.0, 5e-324, 1e308, kInf}) {
    const QueryOptions options{.max_distance = good};
    Execution(options).RequireValid();
    EXPECT_TRUE(Execution(options).Check().ok()) << good;
  }
}

TEST(ExecutionTest, NegativeThreadsAreOneAndAreNamed) {
  for (const int bad : {-1, std::numeric_limits<int>::min()}) {
    const QueryOptions options{.threads = bad};
    const Execution run(options);
    EXPECT_EQ(run.threads(), 1);
    EXPECT_EQ(run.Check().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(run.Check().message(), HasSubstr("threads"));
  }
  const QueryOptions all_cores{.threads = 0};
  EXPECT_EQ(Execution(all_cores).threads(), 0);
  EXPECT_TRUE(Execution(all_cores).Check().ok());
}

TEST(ExecutionTest, CancellationIsSeenAtOnce) {
  std::atomic<bool> cancelled = false;
  const QueryOptions options{.cancelled = &cancelled};
  const Execution run(options);
  EXPECT_NO_THROW(run.CheckCancelled());
  cancelled = true;
  EXPECT_THROW(run.CheckCancelled(), QueryCancelled);
  EXPECT_EQ(Execution::Cancelled().code(), absl::StatusCode::kCancelled);
}

// Options of a query's own.
struct OwnOptions {
  bool own = false;
  double max_distance = 0;
  TraversalStatistics* statistics = nullptr;
  int threads = 1;
  std::function<void(double)> progress;
  const std::atomic<bool>* cancelled = nullptr;
};

TEST(ExecutionTest, ReadsAnyStructWithTheFiveFields) {
  TraversalStatistics statistics;
  double reported = 0;
  const OwnOptions options{.max_distance = 2,
                           .statistics = &statistics,
                           .threads = 3,
                           .progress = [&reported](double d) { reported = d; }};
  const Execution run(options);
  EXPECT_EQ(run.max_distance(), 2);
  EXPECT_EQ(run.statistics(), &statistics);
  EXPECT_EQ(run.threads(), 3);
  run.progress()(0.5);
  EXPECT_EQ(reported, 0.5);
}

}  // namespace
}  // namespace orbox
