// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/json_text.h"

#include "tools/base/text.h"

namespace orbox::report {

using tools::Cat;

std::string JsonText(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte >= 0x20 && std::string_view("\"\\<>&").find(c) ==
                                              std::string::npos;
    if (is_plain) {
      out += c;
    } else {
      out += Cat("\\u00", kDigits.substr(byte >> 4, 1),
                 kDigits.substr(byte & 15, 1));
    }
  }
  return out + "\"";
}

std::string JsonList(std::initializer_list<double> numbers) {
  return JsonArray(numbers, [](double number) { return Cat(number); });
}

std::string JsonPoint(const Vec3& p) { return JsonList({p.x, p.y, p.z}); }

std::string JsonPose(const Pose& pose) {
  const auto& [x, y, z] = pose.rows;
  const Vec3& t = pose.translation;
  return JsonList({x.x, x.y, x.z, t.x, y.x, y.y, y.z, t.y, z.x, z.y, z.z, t.z});
}

}  // namespace orbox::report
