// SPDX-License-Identifier: Apache-2.0

// Text helpers (tools/base/text.h), and the layout of text in the command.
//
//   Wrapped("a long paragraph ...", 2)    // in lines, indented by two
//   TableOf(entries)                      // names, and what they are
#ifndef ORBOX_TOOLS_ORBOX_BASE_TEXT_H_
#define ORBOX_TOOLS_ORBOX_BASE_TEXT_H_

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

// Returns words in lines of at most 79 characters. Each line is indented by
// `indent` spaces except the first, which continues a line of that length.
std::string Wrapped(std::string_view text, size_t indent);

// Names on the left, wrapped descriptions on the right.
struct TableEntry {
  std::string name;
  std::string text;
};
std::string TableOf(std::span<const TableEntry> entries);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_BASE_TEXT_H_
