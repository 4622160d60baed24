// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/html.h"

#include <cmath>

#include "tools/base/text.h"
#include "tools/picture/scale.h"

namespace orbox::report {

std::string EscapedHtml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void Html::Begin(std::string_view element, Attributes attributes) {
  bytes_ += '<';
  bytes_ += element;
  for (const Attribute& attribute : attributes) {
    bytes_ += ' ';
    bytes_ += attribute.name;
    bytes_ += "=\"";
    bytes_ += EscapedHtml(attribute.value);
    bytes_ += '"';
  }
}

void Html::Open(std::string_view element, Attributes attributes) {
  Begin(element, attributes);
  bytes_ += '>';
  open_.emplace_back(element);
}

void Html::Close() {
  bytes_ += "</";
  bytes_ += open_.back();
  bytes_ += ">\n";
  open_.pop_back();
}

void Html::Leaf(std::string_view element, Attributes attributes,
                std::string_view text) {
  Open(element, attributes);
  Text(text);
  Close();
}

void Html::Empty(std::string_view element, Attributes attributes) {
  Begin(element, attributes);
  bytes_ += "/>\n";
}

std::string Place(double v) {
  return picture::ShortNumber(std::floor(v * 10 + 0.5) / 10);
}

std::string CssColor(uint32_t rgb) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "#";
  for (int shift = 20; shift >= 0; shift -= 4) {
    text += kDigits[rgb >> shift & 15];
  }
  return text;
}

}  // namespace orbox::report
