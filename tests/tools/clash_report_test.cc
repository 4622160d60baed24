// SPDX-License-Identifier: Apache-2.0

// Runs `orbox clash --report` and reads the page.

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/html_page.h"
#include "tests/support/meshes.h"
#include "tests/support/xml.h"
#include "tools/orbox/base/text.h"
#include "tools/report/clash_report.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

class ClashReportTest : public OrboxReportTest {
 protected:
  // Two cubes that a ball visits, one after the other.
  void SetUp() override {
    File("cube.ply", meshes::Cube());
    File("ball.ply", meshes::Icosphere(2, {0, 0, 0}, 0.25));
    scene_ = folder_.Write(
        "a <1> & b.json",
        "{\"bodies\": [{\"name\": \"left <&>\", \"mesh\": \"cube.ply\"},\n"
        "{\"name\": \"right\", \"mesh\": \"cube.ply\", \"pose\": "
        "[1,0,0,3,0,1,0,0,0,0,1,0]}, {\"name\": \"ball\", \"mesh\": "
        "\"ball.ply\", \"pose\": [1,0,0,2,0,1,0,0.5,0,0,1,0.5]}]}");
    std::string rows;
    const std::pair<int, double> places[] = {{5, 2},    {6, 1.6}, {8, 1.2},
                                             {9, 1.0},  {10, 2},  {12, 2.8},
                                             {15, 2.4}, {16, 2.9}};
    for (const auto& [frame, x] : places) {
      rows += Cat(frame, ",ball,1,0,0,", x, ",0,1,0,0.5,0,0,1,0.5\n");
    }
    motion_ = folder_.Write("m.csv", rows);
  }

  Xml PageOf(const Words& arguments) {
    return OrboxReportTest::PageOf("clash", arguments);
  }

  // The texts of the cells of all rows with `cells` cells.
  static std::vector<std::vector<std::string>> RowsOf(const Xml& page,
                                                      size_t cells) {
    std::vector<std::vector<std::string>> rows;
    for (const Xml& row : page.All("tr")) {
      std::vector<std::string> texts;
      for (const Xml& cell : row.All("td")) texts.push_back(cell.text);
      if (texts.size() == cells) rows.push_back(texts);
    }
    return rows;
  }

  std::string scene_, motion_;
};

TEST_F(ClashReportTest, ShowsContactsAndApproaches) {
  const Words command = {scene_, "--motion", motion_, "--within", "0.5"};
  const Xml page = PageOf(command);
  ExpectLoadsNothing(page);
  const std::string text = page.AllText();
  EXPECT_THAT(text, AllOf(HasSubstr("Clashes of a <1> & b.json"),
                          HasSubstr("3 bodies of 2 meshes"),
                          HasSubstr("8 frames, from 5 to 16"),
                          HasSubstr("clearance 0.5"), HasSubstr("2 pairs")));
  // Begin, end, and how long.
  EXPECT_THAT(RowsOf(page, 4),
              ElementsAre(ElementsAre("left <&> and ball", "8", "9", "2"),
                          ElementsAre("right and ball", "12", "12", "1"),
                          ElementsAre("right and ball", "16", "16", "1")));
  // The worst of each pair, as the answer has it.
  Words words = command;
  words.insert(words.begin(), "clash");
  const Json json = JsonOf(words);
  const std::vector<Xml> cards = page.All("article");
  ASSERT_EQ(cards.size(), json["clashes"].size());
  ASSERT_EQ(cards.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    const Json& clash = json["clashes"][i];
    EXPECT_EQ(cards[i].attribute("id"), clash["id"].text);
    EXPECT_EQ(cards[i].attribute("data-kind"), clash["kind"].text);
    EXPECT_THAT(
        cards[i].AllText(),
        AllOf(HasSubstr(clash["a_name"].text), HasSubstr(clash["b_name"].text),
              HasSubstr(Cat("in frame ", clash["frame"].text))));
  }
  // The time, the matrix, and two of the cost.
  const std::vector<Xml> charts = page.All("svg");
  ASSERT_EQ(charts.size(), 4U);
  std::vector<std::string> labels;
  for (const Xml& label : charts[0].All("text")) labels.push_back(label.text);
  EXPECT_THAT(labels, IsSupersetOf({"0", "5", "16", "frame"}));
  std::multiset<std::string> cells;
  for (const Xml& title : charts[1].All("title")) cells.insert(title.text);
  EXPECT_EQ(cells.size(), 4U);
  EXPECT_EQ(page.All("script").size(), report::HasViewer() ? 5U : 1U);
#if ORBOX_WITH_PNG
  EXPECT_EQ(page.All("img").size(), 2U);
#endif
  EXPECT_THAT(bytes_, HasSubstr("prefers-color-scheme: dark"));
}

TEST_F(ClashReportTest, OtherAnswersHavePagesToo) {
  // One frame, of bodies that are apart: a distance, but no pairs.
  const Xml apart = PageOf({scene_});
  ExpectLoadsNothing(apart);
  EXPECT_THAT(apart.AllText(),
              AllOf(HasSubstr("no bodies clash"), HasSubstr("Nothing."),
                    HasSubstr("Closest approach"), Not(HasSubstr("Contacts")),
                    Not(HasSubstr("over time"))));
  EXPECT_EQ(apart.All("img").size(), 0U);

  // A single body.
  const std::string alone =
      folder_.Write("alone.json", "{\"bodies\": [{\"mesh\": \"cube.ply\"}]}");
  EXPECT_THAT(PageOf({alone, "--motion",
                      folder_.Write("alone.csv",
                                    "0,0,1,0,0,3,0,1,0,0,0,0,1,0\n"
                                    "1,0,1,0,0,4,0,1,0,0,0,0,1,0\n")})
                  .AllText(),
              HasSubstr("1 body of 1 mesh"));
}

TEST_F(ClashReportTest, ManyClashesHaveGroupsAndFewPictures) {
  std::string many = "{\"bodies\": [";
  for (int i = 0; i < 12; ++i) {
    many += Cat(i > 0 ? "," : "", "{\"mesh\": \"cube.ply\", \"pose\": [1,0,0,",
                0.1 * i, ",0,1,0,0,0,0,1,0], \"properties\": {\"type\": \"",
                i % 2 == 0 ? "wall" : "slab", "\"}}");
  }
  const std::string path = folder_.Write("many.json", many + "]}");
  const Xml crowd = PageOf({path, "--group", "type", "--pictures", "3"});
  ExpectLoadsNothing(crowd);
  const size_t clashes = crowd.All("article").size();
  EXPECT_GT(clashes, 40U);
#if ORBOX_WITH_PNG
  EXPECT_EQ(crowd.All("img").size(), 3U);
  EXPECT_THAT(crowd.AllText(), HasSubstr("; pictures of the worst 3."));
#endif
  EXPECT_THAT(crowd.AllText(),
              AllOf(HasSubstr("Groups by type"), HasSubstr("slab | wall")));
}

TEST_F(ClashReportTest, SameBytesForAnyThreads) {
  PageOf({scene_, "--motion", motion_, "--within", "0.5"});
  const std::string first = bytes_;
  PageOf({scene_, "--motion", motion_, "--within", "0.5", "--threads", "1"});
  EXPECT_EQ(bytes_, first);
}

TEST_F(ClashReportTest, WrongNamesAreExplained) {
  ErrorOf({"clash", scene_, "--report", "-"}, 2);
  ErrorOf({"clash", scene_, "--report", "x.html", "--picture-size", "9"}, 2);
  EXPECT_EQ(
      Run({"clash", scene_, "--report", "/dev/full", "--picture-size", "20x20"})
          .exit_code,
      4);
}

}  // namespace
}  // namespace orbox
