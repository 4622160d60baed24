// SPDX-License-Identifier: Apache-2.0

#include "tools/report/clash_id.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <utility>

#include "tools/base/text.h"

namespace orbox::report {

std::string ClashId(std::string_view a, std::string_view b) {
  static const boost::uuids::uuid space =
      boost::uuids::string_generator()(std::string(kClashNamespace));
  if (b < a) std::swap(a, b);
  return boost::uuids::to_string(
      boost::uuids::name_generator_sha1(space)(tools::Cat(a, "\n", b)));
}

bool IsClashId(std::string_view text) {
  if (text.size() != kClashNamespace.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = kClashNamespace[i] == '-';
    const bool is_digit = text.substr(i, 1).find_first_of("0123456789abcdef") !=
                          std::string_view::npos;
    if (is_dash ? text[i] != '-' : !is_digit) return false;
  }
  return true;
}

}  // namespace orbox::report
