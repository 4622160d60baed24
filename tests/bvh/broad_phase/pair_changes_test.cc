// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/pair_changes.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace orbox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PairChangesTest, TellsWhatBeginsStaysAndEnds) {
  const std::vector<BodyPair> before = {{0, 1}, {0, 5}, {2, 3}};
  const std::vector<BodyPair> after = {{0, 2}, {0, 5}, {2, 4}, {7, 9}};
  const PairChanges changes = ChangesOf(before, after);
  EXPECT_THAT(changes.begun,
              ElementsAre(BodyPair{0, 2}, BodyPair{2, 4}, BodyPair{7, 9}));
  EXPECT_THAT(changes.staying, ElementsAre(BodyPair{0, 5}));
  EXPECT_THAT(changes.ended, ElementsAre(BodyPair{0, 1}, BodyPair{2, 3}));
}

TEST(PairChangesTest, OfNothing) {
  const std::vector<BodyPair> some = {{0, 1}, {2, 3}};
  EXPECT_EQ(ChangesOf({}, some).begun, some);
  EXPECT_EQ(ChangesOf(some, {}).ended, some);
  EXPECT_EQ(ChangesOf(some, some).staying, some);
  EXPECT_THAT(ChangesOf({}, {}).begun, IsEmpty());
}

TEST(PairChangesTest, AreTheDifferencesOfTheSets) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    std::set<BodyPair> sets[2];
    for (std::set<BodyPair>& set : sets) {
      const auto count = random() % 100;
      for (unsigned i = 0; i < count; ++i) {
        const BodyId a = random() % 15;
        set.insert({a, a + 1 + static_cast<BodyId>(random() % 5)});
      }
    }
    const auto& [before, after] = sets;
    std::vector<BodyPair> begun;
    std::vector<BodyPair> staying;
    std::vector<BodyPair> ended;
    std::set_difference(after.begin(), after.end(), before.begin(),
                        before.end(), std::back_inserter(begun));
    std::set_intersection(after.begin(), after.end(), before.begin(),
                          before.end(), std::back_inserter(staying));
    std::set_difference(before.begin(), before.end(), after.begin(),
                        after.end(), std::back_inserter(ended));
    const PairChanges changes =
        ChangesOf(std::vector<BodyPair>(before.begin(), before.end()),
                  std::vector<BodyPair>(after.begin(), after.end()));
    EXPECT_EQ(changes.begun, begun);
    EXPECT_EQ(changes.staying, staying);
    EXPECT_EQ(changes.ended, ended);
  }
}

}  // namespace
}  // namespace orbox
