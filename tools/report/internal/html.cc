// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/html.h"

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

}  // namespace orbox::report
