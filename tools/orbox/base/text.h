// SPDX-License-Identifier: Apache-2.0

// Text helpers (tools/base/text.h), the layout of text, and sentences whose
// numbers are formatted later. Numbers are formatted later because the user
// chooses the number of digits and the unit of lengths (--digits, --unit).
//
//   Wrapped("a long paragraph ...", 2)    // in lines, indented by two
//   TableOf(entries)                      // names and descriptions
//
//   const Phrase phrase = Say("at ", point, ", ", Length{d}, " away\n");
//   output.Write(phrase.Text({.digits = 4, .unit = "mm"}));
//   // "at (0, 0, 1), 0.3333 mm away"
#ifndef ORBOX_TOOLS_ORBOX_BASE_TEXT_H_
#define ORBOX_TOOLS_ORBOX_BASE_TEXT_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orbox/overlap/shapes/vec3.h"
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

// Returns words in lines of at most 79 characters. All lines except the first
// are indented by `indent` spaces. The first one continues a line of that
// length.
std::string Wrapped(std::string_view text, size_t indent);

// A row of a table: a name on the left, a wrapped description on the right.
struct TableEntry {
  std::string name;
  std::string text;
};
std::string TableOf(std::span<const TableEntry> entries);

// Begins a text in UTF-8, for programs that would take it for another.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Enough digits for measuring, and still readable.
inline constexpr int kDefaultDigits = 9;
// Enough digits to read back the same double.
inline constexpr int kMostDigits = 17;

// Format of numbers in text.
struct TextStyle {
  int digits = kDefaultDigits;
  std::string unit = {};  // of lengths; empty if there is none
};

// A number that is a length.
struct Length {
  double value = 0;
};
// A number that is a volume. Its unit is the cube of the unit of lengths.
struct Volume {
  double value = 0;
};

std::string Styled(double value, const TextStyle& style);
std::string Styled(const Length& length, const TextStyle& style);
std::string Styled(const Volume& volume, const TextStyle& style);
std::string Styled(const Vec3& p, const TextStyle& style);

class Phrase {
 public:
  using Piece = std::variant<std::string, double, Length, Volume, Vec3>;

  // NOLINTBEGIN(google-explicit-constructor): most phrases are plain text.
  Phrase(std::string text) { pieces_.emplace_back(std::move(text)); }
  Phrase(std::string_view text) : Phrase(std::string(text)) {}
  Phrase(const char* text) : Phrase(std::string(text)) {}
  // NOLINTEND(google-explicit-constructor)
  explicit Phrase(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}

  std::string Text(const TextStyle& style) const;
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  std::vector<Piece> pieces_;
};

// Returns a phrase that joins the pieces: strings, numbers, points, other
// phrases.
template <typename... Pieces>
Phrase Say(const Pieces&... pieces);

// Implementation.

namespace internal {

inline void Append(std::vector<Phrase::Piece>& out, double value) {
  out.emplace_back(value);
}
inline void Append(std::vector<Phrase::Piece>& out, const Length& length) {
  out.emplace_back(length);
}
inline void Append(std::vector<Phrase::Piece>& out, const Volume& volume) {
  out.emplace_back(volume);
}
inline void Append(std::vector<Phrase::Piece>& out, const Vec3& p) {
  out.emplace_back(p);
}
inline void Append(std::vector<Phrase::Piece>& out, const Phrase& phrase) {
  out.insert(out.end(), phrase.pieces().begin(), phrase.pieces().end());
}
template <typename T>
requires(std::integral<T> ||
         std::convertible_to<
             T, std::string_view>) void Append(std::vector<Phrase::Piece>& out,
                                               const T& text) {
  out.emplace_back(Cat(text));
}

}  // namespace internal

template <typename... Pieces>
Phrase Say(const Pieces&... pieces) {
  std::vector<Phrase::Piece> out;
  (internal::Append(out, pieces), ...);
  return Phrase(std::move(out));
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_BASE_TEXT_H_
