// SPDX-License-Identifier: Apache-2.0

#include "tools/report/scene_summary.h"

#include <optional>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace orbox::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Frame {
  std::vector<BodyClash> pairs;
  std::optional<BodyClash> closest;
};

BodyClash At(size_t a, size_t b, double distance) {
  BodyClash pair{a, b, {}};
  pair.clash.kind = distance > 0 ? ClashKind::kClearance : ClashKind::kClash;
  pair.clash.gap.emplace();
  pair.clash.gap->distance = distance;
  return pair;
}

Frame FrameOf(std::vector<BodyClash> pairs) {
  Frame answer;
  for (const BodyClash& pair : pairs) {
    if (!answer.closest || pair.distance() < answer.closest->distance()) {
      answer.closest = pair;
    }
  }
  answer.pairs = std::move(pairs);
  return answer;
}

ContactChanges Add(const Frame& frame, SceneSummary& summary) {
  return summary.Add(frame.pairs, frame.closest);
}

TEST(SceneSummaryTest, ContactsBeginAndEnd) {
  SceneSummary summary;
  ContactChanges changes = Add(FrameOf({At(0, 1, 0), At(1, 2, 0.5)}), summary);
  EXPECT_THAT(changes.began, ElementsAre(NumberedPair{0, 1}));
  EXPECT_THAT(changes.ended, IsEmpty());
  changes = Add(FrameOf({At(0, 1, 0), At(1, 2, 0)}), summary);
  EXPECT_THAT(changes.began, ElementsAre(NumberedPair{1, 2}));
  EXPECT_THAT(changes.ended, IsEmpty());
  // Close is not in contact.
  changes = Add(FrameOf({At(0, 1, 0.25)}), summary);
  EXPECT_THAT(changes.began, IsEmpty());
  EXPECT_THAT(changes.ended,
              ElementsAre(NumberedPair{0, 1}, NumberedPair{1, 2}));
  changes = Add(FrameOf({}), summary);
  EXPECT_THAT(changes.ended, IsEmpty());
  // A contact that begins again is another one.
  changes = Add(FrameOf({At(0, 1, 0)}), summary);
  EXPECT_THAT(changes.began, ElementsAre(NumberedPair{0, 1}));

  ASSERT_EQ(summary.contacts().size(), 3U);
  const size_t expected[][4] = {{0, 1, 0, 1}, {1, 2, 1, 1}, {0, 1, 4, 4}};
  for (size_t i = 0; i < 3; ++i) {
    const BodyContact& contact = summary.contacts()[i];
    EXPECT_EQ(contact.bodies, (NumberedPair{expected[i][0], expected[i][1]}));
    EXPECT_EQ(contact.first, expected[i][2]);
    EXPECT_EQ(contact.last, expected[i][3]);
  }
  EXPECT_THAT(summary.closest_of_frame(),
              ElementsAre(0.0, 0.0, 0.25, std::nullopt, 0.0));
}

TEST(SceneSummaryTest, TheFirstOfLikeApproachesCounts) {
  SceneSummary summary;
  Add(FrameOf({At(0, 2, 3), At(1, 2, 2)}), summary);
  Add(FrameOf({At(0, 2, 1), At(1, 2, 2)}), summary);
  Add(FrameOf({At(0, 1, 1), At(0, 2, 1)}), summary);
  ASSERT_TRUE(summary.closest().has_value());
  EXPECT_EQ(summary.closest()->frame, 1U);
  EXPECT_EQ(summary.closest()->pair.b, 2U);
  EXPECT_THAT(summary.contacts(), IsEmpty());
  ASSERT_EQ(summary.approaches().size(), 3U);
  EXPECT_EQ(summary.approaches().at({1, 2}).frame, 0U);
  EXPECT_EQ(summary.approaches().at({0, 2}).frame, 1U);
  EXPECT_EQ(summary.approaches().at({0, 2}).pair.distance(), 1);

  // The closest pair is kept even if the frame lists no pairs.
  summary.Add({}, At(0, 1, 0.5));
  EXPECT_EQ(summary.closest()->frame, 3U);
  EXPECT_EQ(summary.approaches().size(), 3U);
}

// A pair is kept at its worst, not at its smallest distance.
TEST(SceneSummaryTest, TheThickestCounts) {
  SceneSummary summary;
  const auto thick = [](double thickness) {
    BodyClash pair = At(0, 1, 0);
    pair.clash.thickness = {thickness, thickness};
    return pair;
  };
  Add(FrameOf({thick(1)}), summary);
  Add(FrameOf({thick(3)}), summary);
  Add(FrameOf({At(0, 1, 2)}), summary);
  Add(FrameOf({thick(2)}), summary);
  const ClosestApproach& worst = summary.approaches().at({0, 1});
  EXPECT_EQ(worst.frame, 1U);
  EXPECT_EQ(worst.pair.clash.thickness.lower, 3);
}

}  // namespace
}  // namespace orbox::report
