// SPDX-License-Identifier: Apache-2.0

#include "tools/report/issue_list.h"

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/report/clash_id.h"

namespace orbox::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A duct (body 0) through joists 1 to 3 and a wall 4; and the wall with body 5.
class IssueListTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Add(0, 4, 0.5, {0, 0, 0});
    Add(0, 1, 0.4, {1, 0, 0});
    Add(4, 5, 0.3, {9, 0, 0});
    Add(0, 2, 0.2, {2, 0, 0});
    Add(0, 3, 0.005, {3, 0, 0});
    const char* types[] = {"Duct", "Joist", "Joist", "Joist", "Wall", "Pipe"};
    for (size_t i = 0; i < 6; ++i) {
      words_.bodies.push_back(
          {.title = std::string(types[i]) + " " + std::to_string(i),
           .type = types[i],
           .storey = i == 5 ? "Level 2" : "Level 1"});
      words_.ids.push_back(std::to_string(i));
    }
  }

  void Add(size_t a, size_t b, double thickness, const Vec3& place) {
    Clash clash;
    clash.kind = ClashKind::kClash;
    clash.thickness = {thickness, thickness};
    clash.center = place;
    list_.clashes.push_back(
        {.pair = {.a = a, .b = b, .clash = clash},
         .id = ClashId(std::to_string(a), std::to_string(b)),
         .clusters = {}});
    list_.kinds.Add(clash.kind);
  }

  std::vector<Issue> By(IssueRule rule, double distance = 0) const {
    return IssuesOf(list_, {.rule = rule, .distance = distance}, words_);
  }

  ClashList list_;
  SceneWords words_;
};

TEST_F(IssueListTest, EachPairIsAnIssue) {
  const std::vector<Issue> issues = By(IssueRule::kPair);
  ASSERT_EQ(issues.size(), 5U);
  for (size_t i = 0; i < issues.size(); ++i) {
    EXPECT_THAT(issues[i].clashes, ElementsAre(i));
    EXPECT_EQ(issues[i].id, list_.clashes[i].id);
    EXPECT_FALSE(issues[i].element.has_value());
  }
  EXPECT_EQ(issues[0].title, "Duct 0 and Wall 4");
  EXPECT_EQ(issues[0].Where(), "Level 1");
  EXPECT_EQ(issues[2].Where(), "Level 1 / Level 2");
  EXPECT_EQ(issues[0].priority, Priority::kHigh);
  EXPECT_EQ(issues[4].priority, Priority::kLow);
}

TEST_F(IssueListTest, OneElementIsOneIssue) {
  const std::vector<Issue> issues = By(IssueRule::kElement);
  ASSERT_EQ(issues.size(), 2U);
  EXPECT_THAT(issues[0].clashes, ElementsAre(0, 1, 3, 4));
  EXPECT_EQ(issues[0].element, 0U);
  EXPECT_EQ(issues[0].title, "Duct 0 and 3 Joists, 1 Wall");
  // What is left of the wall is a pair, with the id of the pair.
  EXPECT_THAT(issues[1].clashes, ElementsAre(2));
  EXPECT_EQ(issues[1].id, list_.clashes[2].id);
  EXPECT_FALSE(issues[1].element.has_value());
  // The id is that of the body, whatever it clashes with.
  list_.clashes.pop_back();
  list_.kinds = {};
  for (const ListedClash& clash : list_.clashes) {
    list_.kinds.Add(clash.pair.clash.kind);
  }
  EXPECT_EQ(By(IssueRule::kElement)[0].id, issues[0].id);
}

TEST_F(IssueListTest, EachClashIsInOneIssue) {
  for (const IssueRule rule :
       {IssueRule::kPair, IssueRule::kElement, IssueRule::kNear}) {
    std::multiset<size_t> all;
    std::set<std::string> ids;
    for (const Issue& issue : By(rule, 1.5)) {
      all.insert(issue.clashes.begin(), issue.clashes.end());
      EXPECT_TRUE(ids.insert(issue.id).second);
    }
    EXPECT_THAT(all, ElementsAre(0, 1, 2, 3, 4));
  }
}

TEST_F(IssueListTest, PlacesHangTogether) {
  // Places are at x = 0, 1, 2, 3 and 9: each of the first is within 1 of
  // another one, as the chain has it.
  const std::vector<Issue> issues = By(IssueRule::kNear, 1);
  ASSERT_EQ(issues.size(), 2U);
  EXPECT_THAT(issues[0].clashes, ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(issues[0].title, HasSubstr("and 3 more nearby"));
  EXPECT_THAT(issues[1].clashes, ElementsAre(2));
  EXPECT_EQ(By(IssueRule::kNear, 0.99).size(), 5U);
  EXPECT_EQ(By(IssueRule::kNear, 6).size(), 1U);
}

TEST_F(IssueListTest, GroupsAreIssues) {
  std::vector<std::vector<std::string>> labels;
  for (const BodyWords& body : words_.bodies) labels.push_back({body.type});
  list_.Group({"type"}, labels);
  const std::vector<Issue> issues = By(IssueRule::kGroup);
  ASSERT_EQ(issues.size(), 3U);
  EXPECT_EQ(issues[0].title, "Duct | Wall");
  EXPECT_THAT(issues[1].clashes, ElementsAre(1, 3, 4));
}

TEST_F(IssueListTest, DecisionsStayWithTheirClashes) {
  std::vector<Issue> issues = By(IssueRule::kElement);
  Review review;
  std::vector<std::string> of_duct;
  for (const size_t i : issues[0].clashes) {
    of_duct.push_back(ShortId(list_.clashes[i].id));
  }
  review.Add(issues[0].id, {.status = "Approved",
                            .comments = {{.text = "fine"}},
                            .clashes = of_duct});
  review.Add("gone", {.status = "Open"});
  EXPECT_THAT(Decide(review, list_, words_, issues), ElementsAre("gone"));
  EXPECT_EQ(issues[0].decision.status, "Approved");
  EXPECT_EQ(issues[1].Status(), "Open");

  // As issues of their own, the clashes keep it.
  std::vector<Issue> pairs = By(IssueRule::kPair);
  Decide(review, list_, words_, pairs);
  EXPECT_EQ(pairs[0].decision.status, "Approved");
  EXPECT_EQ(pairs[0].decision.comments.size(), 1U);
  EXPECT_EQ(pairs[2].Status(), "Open");

  // A clash that nobody has seen opens the issue again. Its comments stay.
  Add(0, 5, 0.001, {4, 0, 0});
  issues = By(IssueRule::kElement);
  Decide(review, list_, words_, issues);
  EXPECT_EQ(issues[0].Status(), "Open");
  EXPECT_EQ(issues[0].decision.comments.size(), 1U);
}

TEST_F(IssueListTest, PairsDecideTheirGroupTogether) {
  Review review;
  for (const size_t i : {0, 1, 3, 4}) {
    review.Add(list_.clashes[i].id, {.status = "Approved"});
  }
  std::vector<Issue> issues = By(IssueRule::kElement);
  EXPECT_THAT(Decide(review, list_, words_, issues), IsEmpty());
  EXPECT_EQ(issues[0].decision.status, "Approved");
  Review other;
  other.Add(list_.clashes[0].id, {.status = "Approved", .assigned = "Mia"});
  Decide(other, list_, words_, issues);
  EXPECT_EQ(issues[0].Status(), "Open");
  EXPECT_EQ(issues[0].decision.assigned, "Mia");
}

TEST_F(IssueListTest, ABodyDrawnAgainKeepsItsDecision) {
  Review review;
  review.Add("old id", {.status = "Approved", .place = Vec3{9.004, 0, 0}});
  review.Add("elsewhere", {.status = "Closed", .place = Vec3{7, 0, 0}});
  std::vector<Issue> issues = By(IssueRule::kPair);
  EXPECT_THAT(Decide(review, list_, words_, issues), ElementsAre("elsewhere"));
  EXPECT_EQ(issues[2].decision.status, "Approved");
  // In millimetres, 9.004 is the same place, too, and 7 is within 10.
  words_.metres = 0.001;
  issues = By(IssueRule::kPair);
  EXPECT_THAT(Decide(review, list_, words_, issues), IsEmpty());
}

}  // namespace
}  // namespace orbox::report
