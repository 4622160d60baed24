// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/progress.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/base/internal/workers.h"

namespace orbox {
namespace {

// The shares that are reported of 10,000 items in pieces of `grain`.
std::vector<double> SharesOf(int threads, size_t grain) {
  std::vector<double> shares;
  const std::function<void(double)> report = [&](double share) {
    shares.push_back(share);
  };
  constexpr size_t kCount = 10'000;
  Progress progress(report, kCount);
  Workers(threads).For(kCount, grain, [&](size_t begin, size_t end) {
    progress.Add(end - begin);
  });
  return shares;
}

TEST(ProgressTest, SharesNeverFallAndEndAt1FromAnyThread) {
  for (const int threads : {1, 2, 0}) {
    const std::vector<double> shares = SharesOf(threads, 3);
    ASSERT_FALSE(shares.empty());
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_GT(shares.front(), 0);
    EXPECT_EQ(shares.back(), 1);
  }
}

// Pieces of a hundredth or more: no report depends on the time.
TEST(ProgressTest, AHundredthIsReportedOnce) {
  for (const int threads : {1, 2, 0}) {
    for (const size_t grain : {100, 250}) {
      const std::vector<double> shares = SharesOf(threads, grain);
      for (size_t i = 1; i < shares.size(); ++i) {
        EXPECT_LT(shares[i - 1], shares[i]);
      }
      EXPECT_EQ(shares.back(), 1);
      EXPECT_LE(shares.size(), 10'000 / grain);
      if (threads == 1) {
        EXPECT_EQ(shares.size(), 10'000 / grain);
      }
    }
  }
}

TEST(ProgressTest, TheFirstIsReportedAtOnceAndFinishReports1Once) {
  std::vector<double> shares;
  const std::function<void(double)> report = [&](double share) {
    shares.push_back(share);
  };
  Progress progress(report, 1000);
  progress.Add(1);  // less than a hundredth
  EXPECT_EQ(shares, std::vector<double>({0.001}));
  progress.Finish();
  progress.Finish();
  EXPECT_EQ(shares, std::vector<double>({0.001, 1}));
}

TEST(ProgressTest, NobodyNeedsToListen) {
  const std::function<void(double)> nobody;
  Progress progress(nobody, 0);
  progress.Add(10);
  progress.Finish();
}

}  // namespace
}  // namespace orbox
