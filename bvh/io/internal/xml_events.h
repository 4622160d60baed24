// SPDX-License-Identifier: Apache-2.0

// Reads XML element by element, with Expat.
//
//   class Names : public XmlReader { absl::Status Begin(...) override ... };
//   Names names;
//   XmlParser parser(names);
//   absl::Status read = parser.Feed(bytes, /*is_last=*/true);
//
// Names are "NAMESPACE NAME", or "NAME" without a namespace. A DOCTYPE is an
// error, so only the predefined entities of XML exist.
#ifndef ORBOX_BVH_IO_INTERNAL_XML_EVENTS_H_
#define ORBOX_BVH_IO_INTERNAL_XML_EVENTS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "orbox/overlap/base/export.h"

namespace orbox::mesh_internal {

// The attributes of an element, valid during XmlReader::Begin.
class ORBOX_EXPORT XmlAttributes {
 public:
  // Takes Expat's list, which alternates names and values and ends with null.
  explicit XmlAttributes(const char* const* list) : list_(list) {}
  // Returns null if there is no such attribute.
  const char* Find(std::string_view name) const;
  // Returns an empty text if there is no such attribute.
  std::string_view Text(std::string_view name) const;

 private:
  const char* const* list_;
};

// Handlers of elements. Their errors end the reading. They may throw.
class ORBOX_EXPORT XmlReader {
 public:
  virtual ~XmlReader() = default;
  virtual absl::Status Begin(std::string_view name,
                             const XmlAttributes& attributes) = 0;
  virtual absl::Status End(std::string_view name) = 0;
  // Called with a piece of the text in an element.
  virtual void Text(std::string_view text) = 0;
  // Called when a prefix is bound to a namespace.
  virtual void Prefix(std::string_view /*prefix*/, std::string_view /*space*/) {
  }
};

class ORBOX_EXPORT XmlParser {
 public:
  // The constructor and Feed may throw std::bad_alloc.
  explicit XmlParser(XmlReader& reader);
  ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  // Returns errors of the reader, and of XML: "line 7: mismatched tag; ...".
  absl::Status Feed(std::string_view bytes, bool is_last);
  // Returns the line of the current element, from 1.
  size_t line() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_XML_EVENTS_H_
