// SPDX-License-Identifier: Apache-2.0

// Pieces of text, and numbers as text that reads back to the same number.
//
//   Cat(path, ":", line, ": ", what)      // "q.csv:7: no number"
//   FormatReal(0.1)                       // "0.1"
//   Grouped(1234567)                      // "1,234,567"
//
// Cat exists because absl::StrCat takes no std::string_view if absl was built
// with its own string_view, as Debian's is.
#ifndef ORBOX_TOOLS_BASE_TEXT_H_
#define ORBOX_TOOLS_BASE_TEXT_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox::tools {

// The pieces, one after the other: strings, whole numbers, doubles.
template <typename... Pieces>
std::string Cat(const Pieces&... pieces);

// The shortest digits, at most 17, that read back to the same double. Requires
// a finite value.
std::string FormatReal(double value);

// At most `digits` significant digits, 1 to 17; 17 are as above.
std::string FormatReal(double value, int digits);

// "(x, y, z)"
std::string FormatPoint(const Vec3& p);

// With a comma every three digits.
std::string Grouped(uint64_t value);

// "1 pair", "2 pairs".
std::string Counted(uint64_t count, std::string_view noun);

// In quotes, and shortened if it would hide the message.
std::string Quoted(std::string_view text);

// With a to z for A to Z; other characters stay.
std::string LowerCase(std::string_view text);

// On one line: control characters become escapes, as in "a\nb".
std::string OnOneLine(std::string_view text);

// Implementation.

namespace internal {

inline void Append(std::string& out, std::string_view text) { out += text; }
inline void Append(std::string& out, double value) { out += FormatReal(value); }
template <std::integral T>
void Append(std::string& out, T value) {
  out += std::to_string(value);
}

}  // namespace internal

template <typename... Pieces>
std::string Cat(const Pieces&... pieces) {
  std::string out;
  (internal::Append(out, pieces), ...);
  return out;
}

}  // namespace orbox::tools

#endif  // ORBOX_TOOLS_BASE_TEXT_H_
