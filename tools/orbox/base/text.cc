// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/base/text.h"

#include <algorithm>
#include <type_traits>

namespace orbox::cli {

std::string Wrapped(std::string_view text, size_t indent) {
  constexpr size_t kWidth = 79;
  std::string out;
  size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += Cat("\n", std::string(indent, ' '));
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string TableOf(std::span<const TableEntry> entries) {
  size_t widest = 0;
  for (const TableEntry& entry : entries) {
    widest = std::max(widest, entry.name.size());
  }
  const size_t indent = 2 + widest + 2;
  std::string out;
  for (const TableEntry& entry : entries) {
    std::string line = "  " + entry.name;
    line.resize(indent, ' ');
    out += Cat(line, Wrapped(entry.text, indent), "\n");
  }
  return out;
}

std::string Styled(double value, const TextStyle& style) {
  return tools::FormatReal(value, style.digits);
}

std::string Styled(const Length& length, const TextStyle& style) {
  const std::string number = Styled(length.value, style);
  return style.unit.empty() ? number : Cat(number, " ", style.unit);
}

std::string Styled(const Volume& volume, const TextStyle& style) {
  const std::string number = Styled(volume.value, style);
  return style.unit.empty() ? number : Cat(number, " ", style.unit, "^3");
}

std::string Styled(const Vec3& p, const TextStyle& style) {
  return Cat("(", Styled(p.x, style), ", ", Styled(p.y, style), ", ",
             Styled(p.z, style), ")");
}

std::string Phrase::Text(const TextStyle& style) const {
  std::string out;
  for (const Piece& piece : pieces_) {
    std::visit(
        [&](const auto& p) {
          if constexpr (std::is_same_v<std::decay_t<decltype(p)>,
                                       std::string>) {
            out += p;
          } else {
            out += Styled(p, style);
          }
        },
        piece);
  }
  return out;
}

}  // namespace orbox::cli
