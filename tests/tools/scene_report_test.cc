// SPDX-License-Identifier: Apache-2.0

// Runs `orbox scene --report` and reads the page.

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
#include "tools/orbox/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

class SceneReportTest : public OrboxReportTest {
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
    return OrboxReportTest::PageOf("scene", arguments);
  }

  // The texts of the cells of those rows that have so many.
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

TEST_F(SceneReportTest, ShowsContactsAndApproaches) {
  const Words command = {scene_, "--motion", motion_, "--within", "0.5"};
  const Xml page = PageOf(command);
  ExpectLoadsNothing(page);
  const std::string text = page.AllText();
  EXPECT_THAT(text, AllOf(HasSubstr("Clashes of a <1> & b.json"),
                          HasSubstr("3 bodies of 2 meshes"),
                          HasSubstr("8 frames, from 5 to 16"),
                          HasSubstr("2 pairs in 4 of 8 frames"),
                          HasSubstr("left <&> and ball, in frame 8")));
  // Begin, end, and how long.
  EXPECT_THAT(RowsOf(page, 4),
              ElementsAre(ElementsAre("left <&> and ball", "8", "9", "2"),
                          ElementsAre("right and ball", "12", "12", "1"),
                          ElementsAre("right and ball", "16", "16", "1")));
  // Of each pair the closest, as the answer has it.
  Words words = command;
  words.insert(words.begin(), "scene");
  const Json json = JsonOf(words);
  const auto rows = RowsOf(page, 5);
  ASSERT_EQ(rows.size(), 2U);
  const size_t frames[] = {2, 5};
  for (size_t i = 0; i < 2; ++i) {
    const Json& frame = json["frames"][frames[i]];
    EXPECT_EQ(rows[i][1], "0");
    EXPECT_EQ(rows[i][2], frame["frame"].text);
    const Json& witness = frame["pairs"][0]["witness"];
    EXPECT_EQ(rows[i][3], Cat(witness["a"]["triangle"].text, ", ",
                              witness["b"]["triangle"].text));
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
  EXPECT_EQ(cells.count("left <&> and ball meet, in frame 8"), 2U);
  EXPECT_EQ(cells.count("right and ball meet, in frame 12"), 2U);
#if ORBOX_WITH_PNG
  EXPECT_GE(page.All("img").size(), 1U);
  EXPECT_THAT(text, HasSubstr("Frame 8: left <&> and ball meet"));
#else
  EXPECT_THAT(text, HasSubstr("without libpng"));
#endif
  EXPECT_THAT(bytes_, HasSubstr("prefers-color-scheme: dark"));
}

TEST_F(SceneReportTest, OtherAnswersHavePagesToo) {
  // One frame, of bodies that are apart: a distance, but no pairs.
  const Xml apart = PageOf({scene_});
  ExpectLoadsNothing(apart);
  EXPECT_THAT(apart.AllText(),
              AllOf(HasSubstr("do not meet decided exactly"),
                    HasSubstr("There are none."), Not(HasSubstr("Contacts")),
                    Not(HasSubstr("over time"))));
  EXPECT_EQ(apart.All("svg").size(), 2U);

  // Nothing within the distance, and so nothing to draw.
  const Xml far = PageOf({scene_, "--within", "0.1"});
  EXPECT_EQ(far.All("img").size(), 0U);
  EXPECT_THAT(far.AllText(), Not(HasSubstr("The worst moment")));

  // A single body.
  const std::string alone =
      folder_.Write("alone.json", "{\"bodies\": [{\"mesh\": \"cube.ply\"}]}");
  EXPECT_THAT(PageOf({alone, "--motion",
                      folder_.Write("alone.csv",
                                    "0,0,1,0,0,3,0,1,0,0,0,0,1,0\n"
                                    "1,0,1,0,0,4,0,1,0,0,0,0,1,0\n")})
                  .AllText(),
              HasSubstr("1 body of 1 mesh"));

  // More bodies than a matrix shows, all in one place.
  std::string many = "{\"bodies\": [{\"mesh\": \"cube.ply\"}";
  for (int i = 1; i < 60; ++i) many += ",{\"mesh\": \"cube.ply\"}";
  const Xml crowd = PageOf({folder_.Write("many.json", many + "]}")});
  EXPECT_THAT(crowd.AllText(),
              AllOf(HasSubstr("of 60 bodies the 40 that come closest"),
                    HasSubstr("The first 50 of 1,770, the nearest first.")));
}

TEST_F(SceneReportTest, SameBytesForAnyThreads) {
  PageOf({scene_, "--motion", motion_, "--within", "0.5"});
  const std::string first = bytes_;
  PageOf({scene_, "--motion", motion_, "--within", "0.5", "--threads", "1"});
  EXPECT_EQ(bytes_, first);
}

TEST_F(SceneReportTest, WrongNamesAreExplained) {
  ErrorOf({"scene", scene_, "--report", "-"}, 2);
  ErrorOf({"scene", scene_, "--report", "x.html", "--picture-size", "9"}, 2);
  EXPECT_EQ(
      Run({"scene", scene_, "--report", "/dev/full", "--picture-size", "20x20"})
          .exit_code,
      4);
}

}  // namespace
}  // namespace orbox
