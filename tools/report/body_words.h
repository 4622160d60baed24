// SPDX-License-Identifier: Apache-2.0

// Words for bodies, from the properties that models of buildings have.
//
//   const BodyWords words = WordsOf("3jVc...", properties);
//   words.title;    // "Wall Basic Wall:Interior", not a GlobalId
//   words.storey;   // "Level 2"
#ifndef ORBOX_TOOLS_REPORT_BODY_WORDS_H_
#define ORBOX_TOOLS_REPORT_BODY_WORDS_H_

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orbox/bvh/io/named_body.h"

namespace orbox::report {

struct BodyWords {
  std::string title;
  std::string type;  // "Wall" for IfcWallStandardCase
  // Values of the properties with these keys; empty if there is none.
  std::string storey;
  std::string file;
  // IFC GlobalId among the properties, under any key; or an empty text.
  std::string guid;
};

// Returns the words for a body. Its title is its type and its property `name`,
// or its own name, unless that is a GlobalId.
BodyWords WordsOf(const std::string& name, const BodyProperties& properties);

// Returns the type of an IFC class in words: "Flow terminal" for
// "IfcFlowTerminal". Other types are unchanged.
std::string TypeInWords(std::string_view type);

// Returns "17 Joists" and "1 Joist".
std::string CountedType(size_t count, const std::string& type);

// Returns true if a text is the 22 characters of an IFC GlobalId.
bool IsIfcGuid(std::string_view text);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_BODY_WORDS_H_
