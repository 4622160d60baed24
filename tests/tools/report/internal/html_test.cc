// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/html.h"

#include "gtest/gtest.h"
#include "tests/support/xml.h"

namespace orbox::report {
namespace {

TEST(HtmlTest, WhatIsWrittenIsRead) {
  Html html;
  html.Open("p", {{"class", "a \"b\" <c> & d"}});
  html.Text("1 < 2 && 3 > 2");
  html.Leaf("b", "bold </p>");
  html.Empty("img", {{"alt", ""}, {"src", "data:,x"}});
  html.Close();
  const std::optional<Xml> p = ParseXml(html.bytes());
  ASSERT_TRUE(p.has_value()) << html.bytes();
  EXPECT_EQ(p->attribute("class"), "a \"b\" <c> & d");
  EXPECT_EQ(p->children.size(), 2U);
  EXPECT_EQ(p->children[0].text, "bold </p>");
  EXPECT_EQ(p->children[1].attribute("src"), "data:,x");
  EXPECT_EQ(p->text.substr(0, 14), "1 < 2 && 3 > 2");
}

// The reader that other tests rely on.
TEST(XmlTest, RefusesWhatIsNotWellFormed) {
  EXPECT_TRUE(ParseXml("<!DOCTYPE html>\n<a b=\"c\">d<e/></a>\n").has_value());
  for (const char* text :
       {"", "a", "<a>", "<a></b>", "<a/><b/>", "<a b=c/>", "<a b=\"<\"/>",
        "<a>&nbsp;</a>", "<a>1 & 2</a>", "<a><b></a></b>",
        "<a b=\"1\" b=\"2\"/>", "<a", "<1/>", "<a></a>x", "<a>\" >"}) {
    EXPECT_FALSE(ParseXml(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace orbox::report
