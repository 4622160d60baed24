// SPDX-License-Identifier: Apache-2.0

#include "tools/base/parallel.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace orbox::tools {
namespace {

using ::testing::Each;

TEST(ParallelForTest, DoesEachItemOnce) {
  for (const size_t threads : {1U, 2U, 7U, 64U}) {
    for (const size_t count : {0U, 1U, 5U, 1000U}) {
      std::vector<int> done(count);
      std::atomic<bool> in_range = true;
      ParallelFor(count, threads, [&](size_t item, size_t worker) {
        ++done[item];
        if (worker >= threads) in_range = false;
      });
      EXPECT_THAT(done, Each(1));
      EXPECT_TRUE(in_range);
    }
  }
}

TEST(ParallelForTest, AnExceptionReachesTheCallerAndEndsTheWork) {
  std::atomic<size_t> done = 0;
  const auto work = [&](size_t item, size_t) {
    if (item == 3) throw std::runtime_error("three");
    ++done;
  };
  EXPECT_THROW(ParallelFor(1'000'000, 1, work), std::runtime_error);
  EXPECT_EQ(done, 3U);
  EXPECT_THROW(ParallelFor(1'000'000, 4, work), std::runtime_error);
}

TEST(ParallelForTest, TheMachineHasAThread) { EXPECT_GE(DefaultThreads(), 1U); }

}  // namespace
}  // namespace orbox::tools
