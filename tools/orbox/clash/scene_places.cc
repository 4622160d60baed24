// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/scene_places.h"

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

using nlohmann::json;

std::optional<std::string> TextAt(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<std::array<double, 2>> PointAt(const json& object,
                                             const char* key) {
  const auto found = object.find(key);
  const bool is_point = found != object.end() && found->is_array() &&
                        found->size() == 2 && (*found)[0].is_number() &&
                        (*found)[1].is_number();
  if (!is_point) return std::nullopt;
  return std::array{(*found)[0].get<double>(), (*found)[1].get<double>()};
}

}  // namespace

std::string AddPlaces(const std::string& key, const json& value,
                      ScenePlaces& places) {
  const bool is_grid = key == "grid";
  const std::string element =
      is_grid ? "{\"name\": \"A\", \"from\": [x, y], \"to\": [x, y]}"
              : "{\"name\": \"Level 1\", \"elevation\": 0}";
  if (!value.is_array()) return Cat(key, ": give a list of ", element);
  for (size_t i = 0; i < value.size(); ++i) {
    const json& one = value[i];
    const std::string wrong = Cat(key, "[", i, "]: give ", element);
    if (!one.is_object() || one.size() != (is_grid ? 3 : 2)) return wrong;
    std::optional<std::string> name = TextAt(one, "name");
    if (!name.has_value() || name->empty()) return wrong;
    if (is_grid) {
      const auto from = PointAt(one, "from"), to = PointAt(one, "to");
      if (!from || !to) return wrong;
      places.grid.push_back(
          {.name = *std::move(name), .from = *from, .to = *to});
    } else {
      const auto elevation = one.find("elevation");
      if (elevation == one.end() || !elevation->is_number()) return wrong;
      places.storeys.push_back(
          {.name = *std::move(name), .elevation = elevation->get<double>()});
    }
  }
  return "";
}

}  // namespace orbox::cli
