// SPDX-License-Identifier: Apache-2.0

// Runs `orbox clearance --report` and reads the page.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/html_page.h"
#include "tests/support/meshes.h"
#include "tests/support/xml.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ReportCommandTest : public OrboxReportTest {
 protected:
  Xml PageOf(const Words& arguments) {
    return OrboxReportTest::PageOf("clearance", arguments);
  }
};

TEST_F(ReportCommandTest, FollowsTheRuleOfInside) {
  const Mesh cube = meshes::Cube({-2, -2, -2}, 4);
  const std::string ball = File("ball.ply", meshes::Icosphere(1));
  const std::string both = File(
      "both.ply", meshes::Joined(cube, meshes::Cube({-1.5, -1.5, -1.5}, 4)));
  EXPECT_THAT(PageOf({ball, both}).AllText(), HasSubstr("A is inside B"));
  EXPECT_THAT(PageOf({ball, both, "--inside", "parity"}).AllText(),
              Not(HasSubstr("A is inside B")));
  const std::string turned = File("turned.ply", meshes::TurnedOver(cube, 3, 2));
  const std::string path = folder_.Path("turned.html");
  Run({"clearance", ball, turned, "--report", path, "--picture-size", "96x72"});
  EXPECT_THAT(ScratchDirectory::Read(path),
              HasSubstr("A is inside B; the faces of B do not agree: parity "
                        "decides what is inside"));
}

TEST_F(ReportCommandTest, HasTheNumbersOfTheAnswer) {
  const std::string a = File("torus <1>.ply", meshes::Torus(40, 20));
  const std::string b =
      File("b&c.ply", meshes::Icosphere(2, {1.35, 0, 0}, 0.07));
  const Words command = {a,     b,        "--within",
                         "0.1", "--pose", "1,0,0,-0.0625,0,1,0,0,0,0,1,0"};
  const Xml page = PageOf(command);
  ExpectLoadsNothing(page);
  const std::string text = page.AllText();
  EXPECT_THAT(text,
              HasSubstr("Clearance of A (torus <1>.ply) and B (b&c.ply)"));
  EXPECT_THAT(text, HasSubstr("do not meet"));

  Words words = command;
  words.insert(words.begin(), "clearance");
  const Json json = JsonOf(words);
  EXPECT_THAT(text, HasSubstr(json["distance"].text));
  for (const char* side : {"a", "b"}) {
    const Json& witness = json["witness"][side];
    EXPECT_THAT(text, HasSubstr(Cat("(", witness["point"][0].text, ", ",
                                    witness["point"][1].text, ", ",
                                    witness["point"][2].text, "), in triangle ",
                                    witness["triangle"].text)));
  }
  const size_t pairs = json["pairs_within"].size();
  ASSERT_GT(pairs, 30U);
  EXPECT_THAT(text, HasSubstr(Cat("The nearest 25 of ", pairs, " pairs.")));
  EXPECT_THAT(text, HasSubstr("1, 0, 0, -0.0625; 0, 1, 0, 0; 0, 0, 1, 0"));

  // The rows are pairs of the answer, and the nearest ones.
  std::vector<double> rows;
  for (const Xml& row : page.All("tr")) {
    const std::vector<Xml> cells = row.All("td");
    if (cells.size() != 3) continue;
    bool found = false;
    for (const Json& pair : json["pairs_within"].items) {
      found = found || (pair["a"].text == cells[0].text &&
                        pair["b"].text == cells[1].text &&
                        pair["distance"].text == cells[2].text);
    }
    EXPECT_TRUE(found);
    rows.push_back(std::stod(cells[2].text));
  }
  std::vector<double> expected;
  for (const Json& pair : json["pairs_within"].items) {
    expected.push_back(pair["distance"].number());
  }
  std::sort(expected.begin(), expected.end());
  expected.resize(25);
  EXPECT_EQ(rows, expected);

  // A histogram and two charts of the cost, and the pictures.
  EXPECT_EQ(page.All("svg").size(), 3U);
#if ORBOX_WITH_PNG
  EXPECT_EQ(page.All("img").size(), 2U);
  for (const Xml& image : page.All("img")) {
    EXPECT_THAT(image.attribute("src"),
                StartsWith("data:image/png;base64,iVBOR"));
    EXPECT_NE(image.attribute("alt"), "");
  }
#else
  EXPECT_THAT(text, HasSubstr("without libpng"));
#endif
  EXPECT_THAT(bytes_, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(bytes_, HasSubstr("@media print"));
}

TEST_F(ReportCommandTest, OtherAnswersHavePagesToo) {
  const std::string a = File("a.ply", meshes::Cube());
  const std::string far = File("b.ply", meshes::Cube({5, 0, 0}));
  const std::string in = File("c.ply", meshes::Cube({0.4, 0.4, 0.4}, 0.2));
  const std::string meeting = File("d.ply", meshes::Cube({0.5, 0.5, 0.5}));

  const Xml apart = PageOf({a, far, "--within", "1"});
  ExpectLoadsNothing(apart);
  EXPECT_THAT(apart.AllText(), HasSubstr("There are none."));
  EXPECT_THAT(apart.AllText(), HasSubstr("smallest distance 4"));

  EXPECT_THAT(PageOf({a, in}).AllText(), HasSubstr("B is inside A"));

  const Xml clash = PageOf({a, meeting});
  ExpectLoadsNothing(clash);
  EXPECT_THAT(clash.AllText(), HasSubstr("Pairs of triangles that meet"));
  EXPECT_EQ(clash.All("svg").size(), 2U);
  const Json json = JsonOf({"intersect", a, meeting});
  EXPECT_THAT(clash.AllText(),
              HasSubstr(Cat(json["pairs"].size(), " pairs of triangles")));
  PageOf({a, meeting, "--within", "0"});
}

TEST_F(ReportCommandTest, SameBytesForAnyThreads) {
  const std::string a = File("a.ply", meshes::Torus(20, 10));
  const std::string b = File("b.ply", meshes::Cube({1.3, 0, 0}));
  PageOf({a, b, "--within", "0.2"});
  const std::string first = bytes_;
  PageOf({a, b, "--within", "0.2", "--threads", "1"});
  EXPECT_EQ(bytes_, first);
}

TEST_F(ReportCommandTest, WrongInputIsExplained) {
  const std::string cube = File("cube.ply", meshes::Cube());
  ErrorOf({"clearance", cube, cube, "--report", "-"}, 2);
  const std::string pose = "1,0,0,0,0,1,0,0,0,0,1,0\n";
  EXPECT_THAT(ErrorOf({"clearance", cube, cube, "--report", "x.html", "--pose",
                       "@" + folder_.Write("p.csv", pose + pose)},
                      3),
              HasSubstr("--report shows one"));
  EXPECT_EQ(Run({"clearance", cube, cube, "--report", "/dev/full",
                 "--picture-size", "20x20"})
                .exit_code,
            4);
}

}  // namespace
}  // namespace orbox
