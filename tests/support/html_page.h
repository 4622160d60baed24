// SPDX-License-Identifier: Apache-2.0

// The command's reports: makes one, and checks what all have in common.
#ifndef ORBOX_TESTS_SUPPORT_HTML_PAGE_H_
#define ORBOX_TESTS_SUPPORT_HTML_PAGE_H_

#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/orbox_command.h"
#include "tests/support/xml.h"

namespace orbox {

class OrboxReportTest : public OrboxCommandTest {
 protected:
  // The page of the command's --report, which is well-formed; its bytes are in
  // bytes_.
  Xml PageOf(const std::string& command, Words arguments) {
    const std::string path = folder_.Path("r.html");
    arguments.insert(arguments.begin(), command);
    arguments.insert(arguments.end(),
                     {"--report", path, "--picture-size", "96x72"});
    EXPECT_NE(Output(arguments), "");
    bytes_ = ScratchDirectory::Read(path);
    EXPECT_THAT(bytes_, ::testing::StartsWith("<!DOCTYPE html>"));
    const std::optional<Xml> page = ParseXml(bytes_);
    EXPECT_TRUE(page.has_value());
    return page.value_or(Xml());
  }

  std::string bytes_;
};

// Nothing in the page makes a browser load anything: all addresses are data or
// anchors in the page, the style sheet has none, and scripts do not load.
inline void ExpectLoadsNothing(const Xml& page) {
  for (const Xml& element : page.All("")) {
    for (const char* key : {"src", "href", "srcset", "data", "action"}) {
      const std::string address = element.attribute(key);
      if (!address.empty()) {
        EXPECT_TRUE(address.starts_with("data:") || address.starts_with("#"))
            << element.name << " " << address;
      }
    }
    EXPECT_NE(element.name, "iframe");
  }
  for (const Xml& script : page.All("script")) {
    for (const char* call : {"fetch", "XMLHttpRequest", "import", "http",
                             "WebSocket", "eval", "innerHTML", ".src"}) {
      EXPECT_THAT(script.text, ::testing::Not(::testing::HasSubstr(call)));
    }
  }
  for (const Xml& style : page.All("style")) {
    EXPECT_THAT(style.text, ::testing::Not(::testing::HasSubstr("url(")));
    EXPECT_THAT(style.text, ::testing::Not(::testing::HasSubstr("@import")));
  }
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_HTML_PAGE_H_
