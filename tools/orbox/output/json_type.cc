// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/json_type.h"

#include <algorithm>
#include <utility>

namespace orbox::cli {
namespace {

template <typename Properties>
auto Named(Properties& properties, std::string_view name) {
  return std::find_if(properties.begin(), properties.end(),
                      [name](const auto& p) { return p.name == name; });
}

}  // namespace

JsonType JsonType::Scalar(std::string scalar) {
  JsonType type;
  type.scalars.push_back(std::move(scalar));
  return type;
}

void JsonType::Merge(const JsonType& other) {
  for (const std::string& scalar : other.scalars) {
    if (std::find(scalars.begin(), scalars.end(), scalar) == scalars.end()) {
      scalars.push_back(scalar);
    }
  }
  if (items.empty()) {
    items = other.items;
  } else if (!other.items.empty()) {
    items[0].Merge(other.items[0]);
  }
  if (properties.empty()) {
    properties = other.properties;
  } else if (!other.properties.empty()) {
    for (Property& own : properties) {
      const auto same = Named(other.properties, own.name);
      const bool is_in_both = same != other.properties.end();
      own.is_required = own.is_required && is_in_both && same->is_required;
      if (is_in_both) own.type.Merge(same->type);
    }
    for (const Property& further : other.properties) {
      if (Named(properties, further.name) != properties.end()) continue;
      properties.push_back({further.name, further.type, false});
    }
  }
}

void JsonType::SetProperty(std::span<const std::string> path,
                           std::string_view name, JsonType type) {
  const std::string_view next = path.empty() ? name : path.front();
  auto property = Named(properties, next);
  if (property == properties.end()) {
    properties.push_back({std::string(next), {}});
    property = properties.end() - 1;
  }
  if (path.empty()) {
    property->type = std::move(type);
  } else {
    property->type.SetProperty(path.subspan(1), name, std::move(type));
  }
}

}  // namespace orbox::cli
