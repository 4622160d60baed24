// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/explain/explain_advice.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace orbox::cli {
namespace {

using Seconds = std::vector<double>;

// Equal times in each of `rounds` rounds.
Timing Steady(double build, double query, size_t rounds = 8) {
  return {Seconds(rounds, build), Seconds(rounds, query)};
}

struct Case {
  std::string name;
  std::vector<Timing> timings;
  size_t once;
  size_t often;
  double pays_from = 1;
};

TEST(ExplainAdviceTest, MatchesTheTable) {
  const Case cases[] = {
      {"alone", {Steady(10, 1)}, 0, 0},
      {"none faster", {Steady(10, 1), Steady(20, 1.5), Steady(30, 1)}, 0, 0},
      {"faster by too little", {Steady(10, 1), Steady(10, 0.96)}, 0, 0},
      {"faster to ask, slower to build",
       {Steady(10, 1), Steady(13, 0.5)},
       0,
       1,
       6},
      {"its build pays in the seventh query",
       {Steady(10, 1), Steady(13.1, 0.5)},
       0,
       1,
       7},
      {"faster in both", {Steady(10, 1), Steady(8, 0.5)}, 1, 1},
      {"faster to build, slower to ask",
       {Steady(10, 1), Steady(5, 2)},
       1,
       0,
       5},
      {"faster to build, as fast to ask", {Steady(10, 1), Steady(5, 1)}, 1, 1},
      {"one for each",
       {Steady(10, 1), Steady(5, 1.25), Steady(25, 0.25)},
       1,
       2,
       20},
      {"the fastest of several",
       {Steady(0, 1), Steady(0, 0.9), Steady(0, 0.7), Steady(0, 0.8)},
       2,
       2},
      {"at hand already", {Steady(0, 1), Steady(10, 0.5)}, 0, 1, 20},
      {"too few rounds", {Steady(1, 1, 2), Steady(1, 0.1, 2)}, 0, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Advice advice = Recommend(c.timings);
    EXPECT_EQ(advice.once, c.once);
    EXPECT_EQ(advice.often, c.often);
    EXPECT_DOUBLE_EQ(advice.pays_from, c.pays_from);
  }
}

TEST(ExplainAdviceTest, GainsAreSharesOfTheTime) {
  const std::vector<Timing> timings = {Steady(10, 2), Steady(5, 3),
                                       Steady(30, 0.5)};
  const Advice advice = Recommend(timings);
  EXPECT_EQ(advice.once, 1U);
  EXPECT_DOUBLE_EQ(advice.once_gain, 1 - 8.0 / 12);
  EXPECT_EQ(advice.often, 2U);
  EXPECT_DOUBLE_EQ(advice.often_gain, 0.75);
  EXPECT_EQ(advice.pays_from, 10);  // 25 more to build, 2.5 less to query
}

// From that number on, and not before, the one for many costs less in all.
TEST(ExplainAdviceTest, PaysFromIsWhereTheSumsCross) {
  for (const double build : {10.5, 17.0, 1000.0}) {
    for (const double query : {0.875, 0.5, 0.125}) {
      const std::vector<Timing> timings = {Steady(10, 1), Steady(build, query)};
      const Advice advice = Recommend(timings);
      ASSERT_EQ(advice.often, 1U);
      if (advice.once == 1) continue;
      const auto total = [](const Timing& t, double queries) {
        return t.build[0] + queries * t.query[0];
      };
      const double n = advice.pays_from;
      EXPECT_LE(total(timings[1], n), total(timings[0], n));
      if (n == 1) continue;
      EXPECT_GT(total(timings[1], n - 1), total(timings[0], n - 1));
    }
  }
}

// A busy machine makes a round slow for all candidates, or for one.
TEST(ExplainAdviceTest, NoiseIsNoGain) {
  Timing base = Steady(10, 1), other = Steady(10, 1);
  for (size_t i = 0; i < 5; ++i) base.query[i] = 3;
  // The median of the first is three times as long, but a round in eight more
  // would have turned that.
  EXPECT_EQ(Recommend(std::vector<Timing>{base, other}).often, 0U);
  base.query[5] = 3;
  EXPECT_EQ(Recommend(std::vector<Timing>{base, other}).often, 1U);
}

TEST(ExplainAdviceTest, RoundsThatAreSlowForAllDoNotHideAGain) {
  Timing base = Steady(0, 1), other = Steady(0, 0.8);
  for (const size_t i : {0, 2, 5, 7}) {
    base.query[i] *= 10;
    other.query[i] *= 10;
  }
  EXPECT_EQ(Recommend(std::vector<Timing>{base, other}).often, 1U);
}

TEST(ExplainAdviceTest, UnitsDoNotMatter) {
  std::vector<Timing> timings = {Steady(10, 1), Steady(5, 1.2),
                                 Steady(25, 0.4)};
  const Advice advice = Recommend(timings);
  for (Timing& t : timings) {
    for (double& s : t.build) s *= 0x1p-30;
    for (double& s : t.query) s *= 0x1p-30;
  }
  const Advice scaled = Recommend(timings);
  EXPECT_EQ(scaled.once, advice.once);
  EXPECT_EQ(scaled.often, advice.often);
  EXPECT_EQ(scaled.pays_from, advice.pays_from);
  EXPECT_EQ(scaled.often_gain, advice.often_gain);
}

TEST(ExplainAdviceTest, MediansOfOddAndEvenCounts) {
  EXPECT_EQ(Median({}), 0);
  EXPECT_EQ(Median({3}), 3);
  EXPECT_EQ(Median({9, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 9, 2}), 3);
}

}  // namespace
}  // namespace orbox::cli
