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
#include "tools/report/clash_id.h"
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

  // The rows of the issues that are there without scripts.
  static std::vector<Xml> IssuesOf(const Xml& page) {
    std::vector<Xml> rows;
    for (const Xml& row : page.All("tr")) {
      if (!row.attribute("data-id").empty()) rows.push_back(row);
    }
    return rows;
  }

  // The contents for the scripts.
  static std::string DataOf(const Xml& page) {
    for (const Xml& script : page.All("script")) {
      if (script.attribute("id") == "page-data") return script.text;
    }
    return "";
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
  const std::vector<Xml> rows = IssuesOf(page);
  ASSERT_EQ(rows.size(), json["clashes"].size());
  ASSERT_EQ(rows.size(), 2U);
  const std::string data = DataOf(page);
  for (size_t i = 0; i < 2; ++i) {
    const Json& clash = json["clashes"][i];
    EXPECT_EQ(rows[i].attribute("data-id"), clash["id"].text);
    EXPECT_THAT(rows[i].AllText(), AllOf(HasSubstr(clash["a_name"].text),
                                         HasSubstr(clash["b_name"].text),
                                         HasSubstr(clash["kind"].text)));
    EXPECT_THAT(data,
                HasSubstr(Cat("[\"in frame\",\"", clash["frame"].text, "\"]")));
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
  EXPECT_EQ(page.All("script").size(), report::HasViewer() ? 6U : 3U);
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
  EXPECT_GT(IssuesOf(crowd).size(), 40U);
#if ORBOX_WITH_PNG
  EXPECT_EQ(crowd.All("img").size(), 3U);
  EXPECT_THAT(crowd.AllText(), HasSubstr("; pictures of the worst 3."));
#endif
  EXPECT_THAT(crowd.AllText(),
              AllOf(HasSubstr("Groups by type"), HasSubstr("slab | wall")));
}

TEST_F(ClashReportTest, OneIssueForManyClashes) {
  // A duct through five joists, and one that is alone with a sixth.
  std::string bodies =
      "{\"storeys\": [{\"name\": \"Level 1\", \"elevation\": -5}],\n"
      "\"grid\": [{\"name\": \"A\", \"from\": [0, 0], \"to\": [0, 9]},\n"
      "{\"name\": \"1\", \"from\": [0, 0], \"to\": [9, 0]}],\n"
      "\"bodies\": [{\"name\": \"duct\", \"mesh\": \"cube.ply\", \"pose\": "
      "[20,0,0,0,0,1,0,0,0,0,1,0]}";
  for (int i = 0; i < 5; ++i) {
    bodies += Cat(",{\"mesh\": \"cube.ply\", \"pose\": [1,0,0,", 3 * i + 1,
                  ",0,4,0,-1,0,0,0.5,0.2], \"properties\": {\"type\": "
                  "\"IfcBeam\", \"name\": \"joist\"}}");
  }
  const std::string path = folder_.Write("joists.json", bodies + "]}");
  EXPECT_EQ(IssuesOf(PageOf({path})).size(), 5U);
  const Xml page = PageOf({path, "--issues", "element"});
  const std::vector<Xml> rows = IssuesOf(page);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_THAT(rows[0].AllText(), AllOf(HasSubstr("duct and 5 Beams"),
                                       HasSubstr("Level 1, near A/1")));
#if ORBOX_WITH_PNG
  EXPECT_EQ(page.All("img").size(), 1U);
#endif
  EXPECT_EQ(IssuesOf(PageOf({path, "--issues", "near=4"})).size(), 1U);
  EXPECT_EQ(IssuesOf(PageOf({path, "--issues", "near=1"})).size(), 5U);
  ErrorOf({"clash", path, "--issues", "body"}, 2);
  ErrorOf({"clash", path, "--issues", "near=x"}, 2);
  ErrorOf({"clash", path, "--issues", "group"}, 2);

  // What people decide is in the next page, and what is resolved is kept.
  const std::string id = rows[0].attribute("data-id");
  const std::string review = folder_.Write(
      "review.csv", Cat("id,status,assigned,comment\n", id,
                        ",Approved,Mia,\"as <planned>\"\ngone,Closed,,\n"));
  const Xml again = PageOf({path, "--issues", "element", "--review", review});
  EXPECT_THAT(IssuesOf(again)[0].AllText(), HasSubstr("Approved"));
  EXPECT_THAT(DataOf(again),
              AllOf(HasSubstr("as \\u003cplanned\\u003e"),
                    HasSubstr("\"gone\""), HasSubstr("\"as\":\"Mia\"")));
  ErrorOf({"clash", path, "--review", path}, 3);
  const auto table = [&](std::string_view row) {
    return folder_.Write("bad.csv", Cat("id,status,comment\n", row, "\n"));
  };
  EXPECT_THAT(ErrorOf({"clash", path, "--review", table("../x,Open,")}, 3),
              HasSubstr("'../x' is no id of an issue"));
  EXPECT_THAT(
      DataOf(PageOf({path, "--review", table("gone,Open,caf\xe9 \x01")})),
      HasSubstr("caf? ?"));
}

TEST_F(ClashReportTest, DecisionsSurviveInBcf) {
  const std::string scene =
      folder_.Write("two.json",
                    "{\"bodies\": [{\"name\": \"a\", \"mesh\": \"cube.ply\"},\n"
                    "{\"name\": \"b\", \"mesh\": \"cube.ply\", \"pose\": "
                    "[1,0,0,0.5,0,1,0,0,0,0,1,0]}]}");
  const std::string review = folder_.Write(
      "review.csv",
      Cat("id,status,comment,author\n", report::ClashId("a", "b"),
          ",Approved,fine,Ada\n", report::ClashId("a", "c"), ",Open,late,\n"));
  const auto run = [&](const std::string& last, const std::string& bcf) {
    return Run({"clash", scene, "--review", last, "--bcf", bcf,
                "--picture-size", "40x30"})
        .exit_code;
  };
  const std::string first = folder_.Path("1.bcf"),
                    second = folder_.Path("2.bcf");
  ASSERT_EQ(run(review, first), 0);
  if (run(first, second) == 3) GTEST_SKIP() << "built without Expat or zlib";
  ASSERT_EQ(run(first, second), 0);
  const std::string bytes = ScratchDirectory::Read(second);
  EXPECT_THAT(bytes, AllOf(HasSubstr("TopicStatus=\"Approved\""),
                           HasSubstr("<Comment>fine</Comment>"),
                           HasSubstr("<Author>Ada</Author>"),
                           HasSubstr("<Comment>late</Comment>"),
                           HasSubstr("TopicStatus=\"Closed\"")));
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
