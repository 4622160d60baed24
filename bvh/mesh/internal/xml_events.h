// SPDX-License-Identifier: Apache-2.0

// A text of XML, element by element, by Expat.
//
//   class Names : public XmlReader { absl::Status Begin(...) override ... };
//   Names names;
//   XmlParser parser(names);
//   absl::Status read = parser.Feed(bytes, /*is_last=*/true);
//
// Names are "NAMESPACE NAME", or "NAME" without one. A DOCTYPE is an error, and
// so there are no entities but those of XML itself.
#ifndef ORBOX_BVH_MESH_INTERNAL_XML_EVENTS_H_
#define ORBOX_BVH_MESH_INTERNAL_XML_EVENTS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace orbox::mesh_internal {

// The attributes of an element; valid as long as it begins.
class XmlAttributes {
 public:
  // As Expat has them: names and values in turn, then null.
  explicit XmlAttributes(const char* const* list) : list_(list) {}
  // Null if there is none.
  const char* Find(std::string_view name) const;
  // Empty if there is none.
  std::string_view Text(std::string_view name) const;

 private:
  const char* const* list_;
};

// What is done with the elements. Errors end the reading. May throw.
class XmlReader {
 public:
  virtual ~XmlReader() = default;
  virtual absl::Status Begin(std::string_view name,
                             const XmlAttributes& attributes) = 0;
  virtual absl::Status End(std::string_view name) = 0;
  // A part of the text in an element.
  virtual void Text(std::string_view text) = 0;
  // A prefix that stands for a namespace from here on.
  virtual void Prefix(std::string_view /*prefix*/, std::string_view /*space*/) {
  }
};

class XmlParser {
 public:
  // Throws std::bad_alloc, as Feed does.
  explicit XmlParser(XmlReader& reader);
  ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  // The reader's errors, and those of XML: "line 7: mismatched tag; ...".
  absl::Status Feed(std::string_view bytes, bool is_last);
  // In which line the element is that the reader has, from 1.
  size_t line() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_XML_EVENTS_H_
