// SPDX-License-Identifier: Apache-2.0

// Reads words and numbers of a text line by line, and counts lines.
//
//   TextScanner scan(bytes, {.comments = true});
//   double x;
//   if (scan.ReadDouble(x) != TextScanner::kRead) ...
//
// Lines end in \n or \r\n, or in a lone \r if the first line does. Numbers are
// read by from_chars: independent of the locale, correctly rounded. Never reads
// beyond the text, for any contents. Linear time, no allocation.
#ifndef ORBOX_BVH_IO_INTERNAL_TEXT_SCANNER_H_
#define ORBOX_BVH_IO_INTERNAL_TEXT_SCANNER_H_

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
    bool not_finite = false;     // numbers may be NaN, infinite or too large
  };
  enum class Continuations { kFollow, kIgnore };
  // Result of reading a number. If it is not kRead, the scanner stays before
  // the text that is not a number.
  enum Outcome { kRead, kLineEnd, kMalformed, kNotFinite, kTooLarge };

  TextScanner(std::string_view text, const Options& options);

  size_t line() const { return line_; }
  size_t offset() const { return static_cast<size_t>(at_ - begin_); }
  bool AtEnd() const { return at_ == end_; }

  // Skips blanks. Returns true if the rest of the line is empty or a comment.
  bool AtLineEnd();
  // Skips the rest of this line; with continuations, also all lines that
  // continue it. A comment has no continuation.
  void SkipLine(Continuations follow = Continuations::kFollow);
  // Skips empty lines. Returns false at the end of the text.
  bool SkipToContent();
  // Returns the characters up to the next blank or line end; empty at a line
  // end.
  std::string_view Word();
  // Returns the rest of this line without surrounding blanks, for names: '#'
  // and backslashes are ordinary characters. Does not advance.
  std::string_view RestOfLine() const;
  // Returns the current character, or 0 at the end of the text.
  char Peek() const { return at_ == end_ ? '\0' : *at_; }
  // Steps over one character. Requires that there is one.
  void Advance() { ++at_; }
  // Returns true at a blank, a line end or the end of the text.
  bool AtBoundary() const;

  // Reads a word that is one number. A number too small for a double becomes 0,
  // its rounded value. A number that is too large is kNotFinite, like NaN and
  // infinity. With the option not_finite, all of these are read as NaN.
  Outcome ReadDouble(double& value);
  Outcome ReadInteger(int64_t& value);
  // Reads digits with an optional sign. Any character may follow.
  Outcome ReadIntegerPrefix(int64_t& value);

 private:
  bool IsBlank(char c) const {
    return c == ' ' || c == '\t' || (c == other_end_ && c != line_end_) ||
           c == '\v' || c == '\f';
  }
  // Returns the length of a backslash and its line end, if they are next;
  // otherwise 0.
  size_t ContinuationLength() const;

  const char* begin_;
  const char* at_;
  const char* end_;
  size_t line_ = 1;
  char line_end_ = '\n';
  char other_end_ = '\r';  // '\r' or '\n': the one that is an ordinary blank
  Options options_;
};

// Describes why the current word is not the expected `what`: "'1.5x' is not a
// number; correct the y coordinate".
std::string DescribeNumber(TextScanner scan, TextScanner::Outcome outcome,
                           std::string_view what);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_TEXT_SCANNER_H_
