// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/text_scanner.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "absl/strings/charconv.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/source.h"

namespace orbox::mesh_internal {
namespace {

// libc++ has no from_chars for doubles before version 20. Where std has it, it
// is used, because Abseil's takes twice as long as libstdc++'s.
#if defined(__cpp_lib_to_chars)
using std::from_chars;
#else
absl::from_chars_result from_chars(const char* first, const char* last,
                                   double& value) {
  const char* const digits = first + (first != last && *first == '-' ? 1 : 0);
  // Abseil also reads hexadecimal numbers. std reads the 0 and stops.
  if (last - digits > 1 && (digits[1] == 'x' || digits[1] == 'X')) {
    last = digits + 1;
  }
  return absl::from_chars(first, last, value);
}
#endif

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Fast test that excludes nearly all characters of words with one comparison.
bool MayBeBoundary(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == '\\';
}

// Returns true if a decimal number out of range is too small, and false if it
// is too large. The decimal exponent of its first significant digit decides,
// because no such number is near 1.
bool IsTiny(const char* at, const char* end) {
  int64_t exponent = 0;
  bool significant = false;
  bool after_point = false;
  for (; at != end && (IsDigit(*at) || *at == '.'); ++at) {
    if (*at == '.') {
      after_point = true;
      continue;
    }
    significant = significant || *at != '0';
    if (significant && !after_point) ++exponent;
    if (!significant && after_point) --exponent;
  }
  if (at == end) return exponent < 0;
  ++at;  // the 'e'
  const bool negative = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) ++at;
  int64_t written = 0;
  for (; at != end && IsDigit(*at); ++at) {
    // Clamps the exponent. No text has enough digits to compensate for a larger
    // exponent. Ten times this bound still fits.
    constexpr int64_t kEnough = int64_t{1} << 59;
    if (written < kEnough) written = written * 10 + (*at - '0');
  }
  return exponent + (negative ? -written : written) < 0;
}

}  // namespace

TextScanner::TextScanner(std::string_view text, const Options& options)
    : begin_(text.data()),
      at_(begin_),
      end_(begin_ + text.size()),
      options_(options) {
  const size_t first = text.find_first_of("\r\n");
  if (first != std::string_view::npos && text[first] == '\r' &&
      text.substr(first, 2) != "\r\n") {
    std::swap(line_end_, other_end_);
  }
  // Skips a byte order mark, which some editors write before UTF-8.
  if (text.substr(0, 3) == "\xef\xbb\xbf") at_ += 3;
}

size_t TextScanner::ContinuationLength() const {
  if (!options_.continuations || Peek() != '\\') return 0;
  const char* p = at_ + 1;
  while (p != end_ && *p == other_end_) ++p;
  if (p == end_ || *p != line_end_) return 0;
  return static_cast<size_t>(p + 1 - at_);
}

bool TextScanner::AtLineEnd() {
  while (at_ != end_ && MayBeBoundary(*at_)) {
    if (IsBlank(*at_)) {
      ++at_;
    } else if (const size_t length = ContinuationLength(); length != 0) {
      at_ += length;
      ++line_;
    } else {
      break;
    }
  }
  return at_ == end_ || *at_ == line_end_ || (options_.comments && *at_ == '#');
}

std::string_view TextScanner::RestOfLine() const {
  const char* first = at_;
  const char* last = at_;
  for (const char* p = at_; p != end_ && *p != line_end_; ++p) {
    if (IsBlank(*p)) continue;
    if (first == last) first = p;
    last = p + 1;
  }
  return {first, static_cast<size_t>(last - first)};
}

void TextScanner::SkipLine(Continuations follow) {
  while (at_ != end_) {
    const bool is_comment = options_.comments && *at_ == '#';
    const void* found =
        std::memchr(at_, line_end_, static_cast<size_t>(end_ - at_));
    if (found == nullptr) {
      at_ = end_;
      return;
    }
    const char* last = static_cast<const char*>(found);
    while (last != at_ && last[-1] == other_end_) --last;
    const bool continues = options_.continuations &&
                           follow == Continuations::kFollow && !is_comment &&
                           last != at_ && last[-1] == '\\';
    at_ = static_cast<const char*>(found) + 1;
    ++line_;
    if (!continues) return;
  }
}

bool TextScanner::SkipToContent() {
  while (AtLineEnd()) {
    if (AtEnd()) return false;
    SkipLine();
  }
  return true;
}

bool TextScanner::AtBoundary() const {
  return at_ == end_ ||
         (MayBeBoundary(*at_) &&
          (*at_ == line_end_ || IsBlank(*at_) || ContinuationLength() != 0));
}

std::string_view TextScanner::Word() {
  if (AtLineEnd()) return {};
  const char* start = at_;
  while (!AtBoundary()) ++at_;
  return {start, static_cast<size_t>(at_ - start)};
}

TextScanner::Outcome TextScanner::ReadDouble(double& value) {
  if (AtLineEnd()) return kLineEnd;
  const char* const start = at_;
  const char* first = at_;
  if (*first == '+' && end_ - first > 1 && first[1] != '-') ++first;
  const auto [stop, error] = from_chars(first, end_, value);
  if (error == std::errc::invalid_argument) return kMalformed;
  at_ = stop;
  const bool whole = AtBoundary();
  if (error == std::errc::result_out_of_range && whole) {
    const bool negative = *first == '-';
    if (IsTiny(first + (negative ? 1 : 0), stop)) {
      value = negative ? -0.0 : 0.0;
      return kRead;
    }
  }
  if (whole && error == std::errc() && std::isfinite(value)) return kRead;
  if (whole && options_.not_finite) {
    value = std::numeric_limits<double>::quiet_NaN();
    return kRead;
  }
  at_ = start;
  return whole ? kNotFinite : kMalformed;
}

TextScanner::Outcome TextScanner::ReadInteger(int64_t& value) {
  if (AtLineEnd()) return kLineEnd;
  const char* const start = at_;
  const Outcome outcome = ReadIntegerPrefix(value);
  if (outcome == kRead && !AtBoundary()) {
    at_ = start;
    return kMalformed;
  }
  return outcome;
}

TextScanner::Outcome TextScanner::ReadIntegerPrefix(int64_t& value) {
  const char* p = at_;
  const bool negative = p != end_ && *p == '-';
  if (p != end_ && (*p == '-' || *p == '+')) ++p;
  if (p == end_ || !IsDigit(*p)) return kMalformed;
  // Ten times this number plus nine still fits.
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 10 - 1;
  int64_t magnitude = 0;
  for (; p != end_ && IsDigit(*p); ++p) {
    if (magnitude > kMost) return kTooLarge;
    magnitude = 10 * magnitude + (*p - '0');
  }
  at_ = p;
  value = negative ? -magnitude : magnitude;
  return kRead;
}

std::string DescribeNumber(TextScanner scan, TextScanner::Outcome outcome,
                           std::string_view what) {
  const std::string wanted(what);
  if (outcome == TextScanner::kLineEnd) {
    return absl::StrCat("the line ends before the ", wanted, "; complete it");
  }
  const std::string word = Quoted(scan.Word());
  switch (outcome) {
    case TextScanner::kNotFinite:
      return absl::StrCat("the ", wanted, " is ", word,
                          ", which is no finite double; repair or remove it");
    case TextScanner::kTooLarge:
      return absl::StrCat("the ", wanted, " is ", word,
                          ", which is far too large; correct it");
    default:
      return absl::StrCat("the ", wanted, " is ", word,
                          ", which is not a number; correct it");
  }
}

}  // namespace orbox::mesh_internal
