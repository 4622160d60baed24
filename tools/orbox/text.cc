#include "tools/orbox/text.h"

#include <array>
#include <charconv>
#include <system_error>

namespace orbox::cli {

std::string FormatReal(double value) {
  // The longest shortest form is -1.2345678901234567e-308, 24 characters.
  std::array<char, 32> digits;
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} ? std::string(digits.data(), end) : "";
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

}  // namespace orbox::cli
