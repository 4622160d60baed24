// SPDX-License-Identifier: Apache-2.0

// A strict reader of XML elements, so that tests see whether a page is well
// formed and what is in it.
//
//   std::optional<Xml> page = ParseXml(text);
//   for (const Xml& image : page->All("img")) image.attribute("src") ...
//
// Elements, attributes in double quotes, text with the five named entities, a
// doctype in front. Everything else (comments, sections, numbers of characters)
// is refused.
#ifndef ORBOX_TESTS_SUPPORT_XML_H_
#define ORBOX_TESTS_SUPPORT_XML_H_

#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orbox {

struct Xml {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;  // directly in it, without that of its elements
  std::vector<Xml> children;

  // Empty where there is none of the name.
  std::string attribute(std::string_view key) const {
    for (const auto& [name_of, value] : attributes) {
      if (name_of == key) return value;
    }
    return "";
  }
  // It and all below.
  std::string AllText() const {
    std::string all = text;
    for (const Xml& child : children) all += child.AllText() + " ";
    return all;
  }
  // All elements below of this name, or of all names where it is empty.
  std::vector<Xml> All(std::string_view of_name) const {
    std::vector<Xml> found;
    for (const Xml& child : children) {
      if (of_name.empty() || child.name == of_name) found.push_back(child);
      for (Xml& below : child.All(of_name)) found.push_back(std::move(below));
    }
    return found;
  }
};

// Nothing where `text` is no well-formed document.
std::optional<Xml> ParseXml(std::string_view text);

// Implementation.

namespace internal {

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : rest_(text) {}

  bool ReadAll(Xml& root) {
    SkipSpaces();
    if (rest_.starts_with("<!DOCTYPE")) {
      const size_t end = rest_.find('>');
      if (end == std::string_view::npos) return false;
      rest_.remove_prefix(end + 1);
    }
    SkipSpaces();
    if (!Element(root)) return false;
    SkipSpaces();
    return rest_.empty();
  }

 private:
  void SkipSpaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])))
      rest_.remove_prefix(1);
  }
  bool Consume(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool Name(std::string& name) {
    size_t n = 0;
    while (n < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[n])) ||
            rest_[n] == '-' || rest_[n] == ':')) {
      ++n;
    }
    name = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return n > 0 && std::isalpha(static_cast<unsigned char>(name[0]));
  }
  // Up to `end`, which stays; without < in it.
  bool Characters(char end, std::string& out) {
    while (!rest_.empty() && rest_[0] != end) {
      if (rest_[0] == '<') return false;
      if (rest_[0] != '&') {
        out += rest_[0];
        rest_.remove_prefix(1);
      } else if (Consume("&amp;")) {
        out += '&';
      } else if (Consume("&lt;")) {
        out += '<';
      } else if (Consume("&gt;")) {
        out += '>';
      } else if (Consume("&quot;")) {
        out += '"';
      } else {
        return false;
      }
    }
    return !rest_.empty();
  }
  bool Attribute(Xml& element) {
    std::string name, value;
    if (!Name(name) || !Consume("=\"") || !Characters('"', value)) return false;
    if (!element.attribute(name).empty()) return false;  // twice
    rest_.remove_prefix(1);
    element.attributes.emplace_back(name, value);
    return true;
  }
  bool Element(Xml& element) {
    if (!Consume("<") || !Name(element.name)) return false;
    while (Consume(" ")) {
      if (!Attribute(element)) return false;
    }
    if (Consume("/>")) return true;
    if (!Consume(">")) return false;
    while (!rest_.starts_with("</")) {
      if (rest_.starts_with("<")) {
        if (!Element(element.children.emplace_back())) return false;
      } else if (!Characters('<', element.text)) {
        return false;
      }
    }
    return Consume("</") && Consume(element.name) && Consume(">");
  }

  std::string_view rest_;
};

}  // namespace internal

inline std::optional<Xml> ParseXml(std::string_view text) {
  Xml root;
  if (!internal::XmlReader(text).ReadAll(root)) return std::nullopt;
  return root;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_XML_H_
