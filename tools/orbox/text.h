// SPDX-License-Identifier: Apache-2.0

// Pieces of text (tools/base/text.h), and how the command lays text out.
//
//   Wrapped("a long paragraph ...", 2)    // in lines, indented by two
//   TableOf(entries)                      // names, and what they are
#ifndef ORBOX_TOOLS_ORBOX_TEXT_H_
#define ORBOX_TOOLS_ORBOX_TEXT_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tools/base/text.h"

namespace orbox::cli {

using tools::Cat;
using tools::Counted;
using tools::FormatPoint;
using tools::FormatReal;
using tools::Grouped;
using tools::LowerCase;
using tools::OnOneLine;
using tools::Quoted;

// Words in lines of at most 79 characters, each indented by `indent` spaces
// except the first, which continues a line of that length.
std::string Wrapped(std::string_view text, size_t indent);

// Names on the left, their descriptions on the right, wrapped.
struct TableEntry {
  std::string name;
  std::string text;
};
std::string TableOf(std::span<const TableEntry> entries);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_TEXT_H_
