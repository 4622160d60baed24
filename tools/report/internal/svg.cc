// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/svg.h"

#include <cmath>

#include "tools/base/text.h"
#include "tools/picture/scale.h"

namespace orbox::report {

std::string Place(double v) {
  return picture::ShortNumber(std::floor(v * 10 + 0.5) / 10);
}

std::string CssColor(uint32_t rgb) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "#";
  for (int shift = 20; shift >= 0; shift -= 4) {
    text += kDigits[rgb >> shift & 15];
  }
  return text;
}

}  // namespace orbox::report
