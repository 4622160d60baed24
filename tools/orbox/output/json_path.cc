// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/json_path.h"

#include <algorithm>
#include <utility>

namespace orbox::cli {

JsonPath::Step JsonPath::To(std::string_view path) {
  std::vector<std::string> objects;
  for (size_t dot = path.find('.'); dot != std::string_view::npos;
       dot = path.find('.')) {
    objects.emplace_back(path.substr(0, dot));
    path.remove_prefix(dot + 1);
  }
  const auto common =
      std::mismatch(open_.begin(), open_.end(), objects.begin(), objects.end());
  Step step;
  step.closes = open_.end() - common.first;
  step.opens.assign(common.second, objects.end());
  step.key = path;
  open_ = std::move(objects);
  return step;
}

void Write(JsonWriter& json, const JsonPath::Step& step) {
  for (size_t i = 0; i < step.closes; ++i) json.EndObject();
  for (const std::string& name : step.opens) {
    json.Key(name);
    json.BeginObject();
  }
  if (!step.key.empty()) json.Key(step.key);
}

}  // namespace orbox::cli
