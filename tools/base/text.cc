// SPDX-License-Identifier: Apache-2.0

#include "tools/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace orbox::tools {

std::string FormatReal(double value) {
  // The longest shortest form is -1.2345678901234567e-308, 24 characters.
  std::array<char, 32> digits;
  char* const last = digits.data() + digits.size();
  // Large whole numbers would be written out, with meaningless digits beyond
  // the 17th.
  const auto [end, error] = std::abs(value) < 1e17
                                ? std::to_chars(digits.data(), last, value)
                                : std::to_chars(digits.data(), last, value,
                                                std::chars_format::scientific);
  return error == std::errc{} ? std::string(digits.data(), end) : "";
}

std::string FormatReal(double value, int digits) {
  constexpr int kRoundTrip = 17;
  if (digits >= kRoundTrip) return FormatReal(value);
  std::array<char, 32> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value,
                    std::chars_format::general, digits);
  return error == std::errc{} ? std::string(text.data(), end) : "";
}

std::string FormatPoint(const Vec3& p) {
  return Cat("(", p.x, ", ", p.y, ", ", p.z, ")");
}

std::string Grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t end = digits.size(); end > 3; end -= 3) {
    digits.insert(end - 3, ",");
  }
  return digits;
}

std::string Counted(uint64_t count, std::string_view noun) {
  return Cat(Grouped(count), " ", noun, count == 1 ? "" : "s");
}

std::string Quoted(std::string_view text) {
  constexpr size_t kLongest = 60;
  if (text.size() <= kLongest) return Cat("'", text, "'");
  return Cat("'", text.substr(0, kLongest), "...'");
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

std::string OnOneLine(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      line += {'\\', 'x', kHex[byte / 16], kHex[byte % 16]};
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace orbox::tools
