// SPDX-License-Identifier: Apache-2.0

// Reads a text line by line and number by number, and counts lines.
//
//   TextScanner scan(bytes, {.comments = true});
//   double x;
//   if (scan.ReadDouble(x) != TextScanner::kRead) ...
//
// Lines end in \n, \r\n, or in a lone \r if the first line does. Numbers are
// read by from_chars: independent of the locale, correctly rounded.
// Never reads outside the text, whatever is in it. Linear time, no allocation.
#ifndef ORBOX_BVH_MESH_INTERNAL_TEXT_SCANNER_H_
#define ORBOX_BVH_MESH_INTERNAL_TEXT_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace orbox::mesh_internal {

class TextScanner {
 public:
  struct Options {
    bool comments = false;       // '#' at the start of a word ends the line
    bool continuations = false;  // a backslash at its end continues a line
  };
  enum class Continuations { kFollow, kIgnore };
  // The result of reading a number. Unless it is kRead, the scanner is before
  // the text that it could not read.
  enum Outcome { kRead, kLineEnd, kMalformed, kNotFinite, kTooLarge };

  TextScanner(std::string_view text, const Options& options);

  size_t line() const { return line_; }
  size_t offset() const { return static_cast<size_t>(at_ - begin_); }
  bool AtEnd() const { return at_ == end_; }

  // Skips blanks; whether nothing more is on the line (a comment is nothing).
  bool AtLineEnd();
  // Skips the rest of this line, and with continuations of all lines that
  // belong to it. A comment has no continuation.
  void SkipLine(Continuations follow = Continuations::kFollow);
  // Skips lines that are empty. False at the end of the text.
  bool SkipToContent();
  // The characters up to the next blank or line end; empty at a line end.
  std::string_view Word();
  // What is left of this line, without blanks around it: a name, in which a
  // '#' and a backslash are characters as others are. Stays where it is.
  std::string_view RestOfLine() const;
  // The character here, or 0 at the end of the text.
  char Peek() const { return at_ == end_ ? '\0' : *at_; }
  // Steps over one character; requires that there is one.
  void Advance() { ++at_; }
  // Whether a blank, a line end or the end of the text is here.
  bool AtBoundary() const;

  // A word that is one number. A number too small for a double is 0, as
  // rounded; one too large is kNotFinite, like NaN and infinity.
  Outcome ReadDouble(double& value);
  Outcome ReadInteger(int64_t& value);
  // Digits with an optional sign, up to whatever follows.
  Outcome ReadIntegerPrefix(int64_t& value);

 private:
  bool IsBlank(char c) const {
    return c == ' ' || c == '\t' || (c == other_end_ && c != line_end_) ||
           c == '\v' || c == '\f';
  }
  // The length of a backslash and the line end behind it, here; or 0.
  size_t ContinuationLength() const;

  const char* begin_;
  const char* at_;
  const char* end_;
  size_t line_ = 1;
  char line_end_ = '\n';
  char other_end_ = '\r';  // of the two, the one that is a mere blank
  Options options_;
};

// Why the word here is not the `what` that was expected: "'1.5x' is not a
// number; correct the y coordinate".
std::string DescribeNumber(TextScanner scan, TextScanner::Outcome outcome,
                           std::string_view what);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_TEXT_SCANNER_H_
