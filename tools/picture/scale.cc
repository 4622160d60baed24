// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/scale.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "absl/strings/charconv.h"
#include "tools/base/text.h"

namespace orbox::picture {

std::vector<double> ScaleTicks(double end) {
  // The largest power of ten that is not above `end`. Parsed from decimal text,
  // so that it is exact on every machine.
  char text[32];
  const auto written = std::to_chars(text, text + sizeof text, end,
                                     std::chars_format::scientific);
  const std::string_view digits(text, written.ptr - text);
  const std::string power = tools::Cat("1", digits.substr(digits.find('e')));
  double unit = 1;
  absl::from_chars(power.data(), power.data() + power.size(), unit);
  const double share = end / unit;  // 1 to 10
  const double step = unit * (share <= 2.5 ? 0.5 : share <= 5 ? 1 : 2);
  std::vector<double> ticks;
  for (int i = 0; i * step < end * 0.93; ++i) ticks.push_back(i * step);
  ticks.push_back(end);
  return ticks;
}

std::string ShortNumber(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value,
                                 std::chars_format::general, 4);
  return {text, end.ptr};
}

}  // namespace orbox::picture
