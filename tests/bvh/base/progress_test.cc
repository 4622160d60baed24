// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/progress.h"

#include <cstddef>
#include <functional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/base/internal/workers.h"

namespace orbox {
namespace {

TEST(ProgressTest, SharesGrowTo1FromAnyThread) {
  for (const int threads : {1, 2, 0}) {
    std::vector<double> shares;
    const std::function<void(double)> report = [&](double share) {
      shares.push_back(share);
    };
    constexpr size_t kCount = 10'000;
    Progress progress(report, kCount);
    Workers(threads).For(kCount, 3, [&](size_t begin, size_t end) {
      progress.Add(end - begin);
    });
    ASSERT_FALSE(shares.empty());
    for (size_t i = 1; i < shares.size(); ++i) {
      EXPECT_LT(shares[i - 1], shares[i]);
    }
    EXPECT_EQ(shares.back(), 1);
    // One for each hundredth, however many pieces there are.
    EXPECT_LE(shares.size(), 100u);
  }
}

TEST(ProgressTest, FinishReports1Once) {
  int reports = 0;
  const std::function<void(double)> report = [&](double share) {
    EXPECT_EQ(share, 1);
    ++reports;
  };
  Progress progress(report, 1000);
  progress.Add(1);  // less than a hundredth
  EXPECT_EQ(reports, 0);
  progress.Finish();
  progress.Finish();
  EXPECT_EQ(reports, 1);
}

TEST(ProgressTest, NobodyNeedsToListen) {
  const std::function<void(double)> nobody;
  Progress progress(nobody, 0);
  progress.Add(10);
  progress.Finish();
}

}  // namespace
}  // namespace orbox
