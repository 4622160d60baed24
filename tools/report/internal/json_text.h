// SPDX-License-Identifier: Apache-2.0

// Texts of JSON for scripts of a page. They contain no <, > and &, so that they
// are valid in both HTML and XML.
//
//   JsonText("a < b")          // "a \\u003c b", with its quotes
//   JsonList({1, 2.5})         // [1,2.5]
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_JSON_TEXT_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_JSON_TEXT_H_

#include <initializer_list>
#include <string>
#include <string_view>

#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::report {

std::string JsonText(std::string_view text);
std::string JsonList(std::initializer_list<double> numbers);
std::string JsonPoint(const Vec3& p);
// Twelve numbers, [R | t] row by row.
std::string JsonPose(const Pose& pose);

// Returns the elements in brackets, with commas between them. `element` maps an
// item to its JSON.
template <typename Items, typename Element>
std::string JsonArray(const Items& items, Element element) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ",";
    text += element(item);
  }
  return text + "]";
}

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_JSON_TEXT_H_
