// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/clash_matrix.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/xml.h"

namespace orbox::report {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(ClashMatrixTest, FillsBothHalves) {
  Html html;
  AddClashMatrix({.names = {"a<b", "c", "d"},
                  .cells = {{0, 1, 0, "a<b and c meet"}, {0, 2, 0.25, "near"}},
                  .within = 0.5},
                 html);
  const auto svg = ParseXml(html.bytes());
  ASSERT_TRUE(svg.has_value()) << html.bytes();
  std::vector<std::string> texts, titles, fills;
  for (const Xml& text : svg->All("text")) texts.push_back(text.text);
  for (const Xml& title : svg->All("title")) titles.push_back(title.text);
  EXPECT_THAT(titles,
              ElementsAre("a<b and c meet", "a<b and c meet", "near", "near"));
  EXPECT_THAT(texts, ElementsAre("a<b", "a<b", "c", "c", "d", "d", "meet",
                                 "meet", "0.25", "0.25"));
  for (const Xml& cell : svg->All("rect")) {
    if (!cell.attribute("fill").empty())
      fills.push_back(cell.attribute("fill"));
  }
  ASSERT_THAT(fills, SizeIs(4));
  EXPECT_EQ(fills[0], "#d5360a");
  EXPECT_EQ(fills[0], fills[1]);
  EXPECT_NE(fills[2], fills[0]);
  // Mirrored at the diagonal.
  const std::vector<Xml> cells = svg->All("rect");
  EXPECT_EQ(cells[4].attribute("x"), cells[5].attribute("y"));
  EXPECT_EQ(cells[4].attribute("y"), cells[5].attribute("x"));
}

TEST(ClashMatrixTest, OfTooManyShowsThoseThatComeClosest) {
  EXPECT_THAT(BodiesToShow(3, {}), ElementsAre(0, 1, 2));
  std::vector<ClashCell> cells;
  for (size_t i = 0; i < 99; ++i) {
    cells.push_back({i, i + 1, static_cast<double>(99 - i), ""});
  }
  const std::vector<size_t> shown = BodiesToShow(100, cells);
  ASSERT_THAT(shown, SizeIs(kMostInMatrix));
  EXPECT_EQ(shown.front(), 60U);
  EXPECT_EQ(shown.back(), 99U);
  EXPECT_THAT(BodiesToShow(100, {{7, 9, 1, ""}}), ElementsAre(7, 9));
}

TEST(ClashMatrixTest, ShortensByCharacters) {
  EXPECT_EQ(Shortened("wheel", 5), "wheel");
  EXPECT_EQ(Shortened("wheels", 5), "whee\xe2\x80\xa6");
  EXPECT_EQ(Shortened("\xc3\xa9\xc3\xa9\xc3\xa9", 3),
            "\xc3\xa9\xc3\xa9\xc3\xa9");
  EXPECT_EQ(Shortened("\xc3\xa9\xc3\xa9\xc3\xa9", 2), "\xc3\xa9\xe2\x80\xa6");
}

}  // namespace
}  // namespace orbox::report
