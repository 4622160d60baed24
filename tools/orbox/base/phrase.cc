// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/base/phrase.h"

#include <type_traits>

namespace orbox::cli {

std::string Styled(double value, const TextStyle& style) {
  return tools::FormatReal(value, style.digits);
}

std::string Styled(const Length& length, const TextStyle& style) {
  const std::string number = Styled(length.value, style);
  return style.unit.empty() ? number : Cat(number, " ", style.unit);
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
