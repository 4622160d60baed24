// Checks of the command's reports.
#ifndef ORBOX_TESTS_SUPPORT_HTML_PAGE_H_
#define ORBOX_TESTS_SUPPORT_HTML_PAGE_H_

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/xml.h"

namespace orbox {

// Nothing in the page makes a browser ask for anything: all addresses are data,
// and the style sheet has none.
inline void ExpectLoadsNothing(const Xml& page) {
  for (const Xml& element : page.All("")) {
    for (const char* key : {"src", "href", "srcset", "data", "action"}) {
      const std::string address = element.attribute(key);
      if (!address.empty()) {
        EXPECT_THAT(address, ::testing::StartsWith("data:")) << element.name;
      }
    }
    EXPECT_NE(element.name, "script");
    EXPECT_NE(element.name, "iframe");
  }
  for (const Xml& style : page.All("style")) {
    EXPECT_THAT(style.text, ::testing::Not(::testing::HasSubstr("url(")));
    EXPECT_THAT(style.text, ::testing::Not(::testing::HasSubstr("@import")));
  }
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_HTML_PAGE_H_
