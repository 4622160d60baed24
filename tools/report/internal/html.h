// SPDX-License-Identifier: Apache-2.0

// Pieces of HTML that are also XML: every element is closed, every text
// escaped.
//
//   html.Open("p", {{"class", "note"}});
//   html.Text("a < b");
//   html.Close();
//
// Elements are closed in reverse order.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_HTML_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_HTML_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orbox::report {

// Escapes markup, for text and for attributes.
std::string EscapedHtml(std::string_view text);

class Html {
 public:
  struct Attribute {
    std::string_view name;
    std::string value;
  };
  using Attributes = std::initializer_list<Attribute>;

  void Open(std::string_view element, Attributes attributes = {});
  void Close();
  // Adds an element around a text, or an empty one.
  void Leaf(std::string_view element, Attributes attributes,
            std::string_view text);
  void Leaf(std::string_view element, std::string_view text) {
    Leaf(element, {}, text);
  }
  // Adds an element without an end tag, such as img.
  void Empty(std::string_view element, Attributes attributes);
  void Text(std::string_view text) { bytes_ += EscapedHtml(text); }
  // Adds text that is already HTML.
  void Raw(std::string_view html) { bytes_ += html; }

  const std::string& bytes() const { return bytes_; }

 private:
  void Begin(std::string_view element, Attributes attributes);

  std::string bytes_;
  std::vector<std::string> open_;
};

// Numbers and colours in the syntax of SVG and style sheets.

// Returns a coordinate with one decimal; more are not visible.
std::string Place(double v);

// Returns "#rrggbb" for 0xrrggbb.
std::string CssColor(uint32_t rgb);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_HTML_H_
