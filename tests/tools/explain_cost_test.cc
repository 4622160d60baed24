// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/explain/explain_cost.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tools/orbox/explain/explanation.h"

namespace orbox::cli {
namespace {

// A query that took these steps, of nodes at the given depth.
TraversalStatistics CountedSteps(const Steps& steps, int depth = 0) {
  TraversalStatistics statistics;
  for (int k = 0; k < kVolumeKinds; ++k) {
    statistics.volumes[depth][k].nodes_visited =
        static_cast<uint64_t>(steps[k]);
  }
  statistics.leaves_visited = static_cast<uint64_t>(steps[kLeafStep]);
  statistics.settled_by_double = static_cast<uint64_t>(steps[kBeyondFloatStep]);
  return statistics;
}

MeasuredCost Measured(const Steps& steps, const Steps& costs) {
  MeasuredCost measured{CountedSteps(steps), 0};
  for (int k = 0; k < kStepKinds; ++k) measured.seconds += steps[k] * costs[k];
  return measured;
}

std::vector<Steps> RandomSteps(size_t count, uint64_t seed) {
  meshes::Random random(seed);
  std::vector<Steps> all(count);
  for (Steps& steps : all) {
    for (double& s : steps) s = std::floor(random.Uniform(100, 10'000));
    steps[kRestStep] = 1;
  }
  return all;
}

constexpr Steps kCosts = {30e-9, 21e-9, 27e-9, 45e-9, 300e-9, 40e-6};

double SumOfSquares(const std::vector<MeasuredCost>& measured,
                    const Steps& costs) {
  double sum = 0;
  for (const MeasuredCost& m : measured) {
    const Steps steps = StepsOf(m.statistics);
    double predicted = 0;
    for (int k = 0; k < kStepKinds; ++k) predicted += steps[k] * costs[k];
    sum += std::pow(predicted / m.seconds - 1, 2);
  }
  return sum;
}

TEST(ExplainCostTest, FindsTheCostsThatTimesAreMadeOf) {
  std::vector<MeasuredCost> measured;
  for (const Steps& steps : RandomSteps(9, 1)) {
    measured.push_back(Measured(steps, kCosts));
  }
  const StepCosts fitted = FitStepCosts(measured);
  EXPECT_LT(fitted.error, 1e-6);
  for (int k = 0; k < kStepKinds; ++k) {
    EXPECT_NEAR(fitted.seconds[k], kCosts[k], 1e-4 * kCosts[k]) << k;
  }
}

TEST(ExplainCostTest, NoCostsNearbyThatAreNotNegativeFitBetter) {
  meshes::Random random(3);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<MeasuredCost> measured;
    for (const Steps& steps : RandomSteps(8, seed)) {
      measured.push_back(Measured(steps, kCosts));
      // Noise that makes some costs negative, were they let.
      measured.back().seconds *= random.Uniform(0.5, 2);
    }
    const StepCosts fitted = FitStepCosts(measured);
    const double least = SumOfSquares(measured, fitted.seconds);
    EXPECT_NEAR(fitted.error, std::sqrt(least / 8), 1e-9);
    for (int k = 0; k < kStepKinds; ++k) {
      ASSERT_GE(fitted.seconds[k], 0);
      for (const double step : {-1e-3, 1e-3}) {
        Steps other = fitted.seconds;
        other[k] = std::max(0.0, other[k] + step * kCosts[k]);
        EXPECT_GE(SumOfSquares(measured, other), least - 1e-12) << k;
      }
    }
  }
}

TEST(ExplainCostTest, StepsThatNeverHappenCostNothing) {
  std::vector<MeasuredCost> measured;
  for (Steps steps : RandomSteps(7, 5)) {
    steps[0] = 0;
    measured.push_back(Measured(steps, kCosts));
  }
  const StepCosts fitted = FitStepCosts(measured);
  EXPECT_EQ(fitted.seconds[0], 0);
  EXPECT_LT(fitted.error, 1e-6);
}

TEST(ExplainCostTest, FewerMeasurementsThanStepsAreMetAllTheSame) {
  const std::vector<MeasuredCost> measured = {
      Measured(RandomSteps(1, 7)[0], kCosts)};
  EXPECT_LT(FitStepCosts(measured).error, 1e-6);
  EXPECT_EQ(FitStepCosts({}).error, 0);
}

TEST(ExplainCostTest, SharesAddUpAndFollowTheCounts) {
  const Steps steps = RandomSteps(1, 9)[0];
  TraversalStatistics statistics = CountedSteps(steps, 2);
  statistics.volumes[4][1].nodes_visited = 500;
  StepCosts costs;
  costs.seconds = kCosts;
  costs.distinguished.fill(true);
  const CostTable table = CostTableOf(statistics, costs);
  ASSERT_EQ(table.rows.size(), 4U);
  double sum =
      *table.leaves_share + *table.beyond_float_share + *table.rest_share;
  for (const CostRow& row : table.rows) {
    sum += *row.share;
    EXPECT_EQ(row.counts,
              statistics.volumes[row.depth][static_cast<size_t>(row.kind)]);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  // One kind at two depths.
  EXPECT_EQ(table.rows[1].kind, VolumeKind::kAabb);
  EXPECT_EQ(table.rows[3].depth, 4);
  EXPECT_NEAR(*table.rows[3].share / *table.rows[1].share, 500 / steps[1],
              1e-12);

  // Kinds of steps that cannot be distinguished have one share together.
  costs.distinguished[kLeafStep] = costs.distinguished[kRestStep] = false;
  const CostTable untold = CostTableOf(statistics, costs);
  EXPECT_FALSE(untold.leaves_share.has_value());
  EXPECT_FALSE(untold.rest_share.has_value());
  EXPECT_NEAR(untold.together, *table.leaves_share + *table.rest_share, 1e-12);
  EXPECT_EQ(untold.beyond_float_share, table.beyond_float_share);
}

// A clearance has equally many pairs of triangles for any tree: the cost of
// these and of the rest may be divided in any way.
TEST(ExplainCostTest, SaysWhichStepsTheTimesDoNotTellApart) {
  meshes::Random random(11);
  std::vector<MeasuredCost> measured;
  std::vector<MeasuredCost> distinct;
  for (Steps steps : RandomSteps(11, 13)) {
    distinct.push_back(Measured(steps, kCosts));
    distinct.back().seconds *= random.Uniform(0.995, 1.005);
    // Nearly all of the time, and the same in all trees.
    steps[kLeafStep] = 9500;
    steps[kBeyondFloatStep] = 95;
    measured.push_back(Measured(steps, kCosts));
    measured.back().seconds *= random.Uniform(0.99, 1.01);
  }
  const StepCosts fitted = FitStepCosts(measured);
  EXPECT_FALSE(fitted.distinguished[kLeafStep]);
  EXPECT_FALSE(fitted.distinguished[kRestStep]);
  // If the trees differ in all kinds of steps, each kind is distinguished.
  const StepCosts reported = FitStepCosts(distinct);
  for (int k = 0; k < kStepKinds; ++k)
    EXPECT_TRUE(reported.distinguished[k]) << k;
}

TEST(ExplainCostTest, NothingIsToldOfTimesThatStepsDoNotExplain) {
  meshes::Random random(17);
  std::vector<MeasuredCost> measured;
  for (const Steps& steps : RandomSteps(30, 19)) {
    measured.push_back(Measured(steps, kCosts));
    measured.back().seconds *= random.Uniform(0.1, 10);
  }
  const StepCosts fitted = FitStepCosts(measured);
  for (int k = 0; k < kStepKinds; ++k)
    EXPECT_FALSE(fitted.distinguished[k]) << k;
}

TEST(ExplainCostTest, OfTwoTreesAStepIsATest) {
  TraversalStatistics statistics;
  statistics.volumes[0][1] = {.nodes_visited = 2, .volume_tests = 64};
  statistics.triangle_tests = 10;
  statistics.leaves_visited = 3;
  EXPECT_EQ(StepsOf(statistics)[1], 2);
  EXPECT_EQ(StepsOf(statistics)[kLeafStep], 3);
  statistics.pairs[1][1].tests = 64;
  EXPECT_TRUE(IsOfPairs(statistics));
  EXPECT_EQ(StepsOf(statistics)[1], 64);
  EXPECT_EQ(StepsOf(statistics)[kLeafStep], 10);
}

}  // namespace
}  // namespace orbox::cli
