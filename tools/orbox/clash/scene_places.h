// SPDX-License-Identifier: Apache-2.0

// The storeys and the grid of a scene, by which places are reported in words.
//
//   {"storeys": [{"name": "Level 1", "elevation": 0}],
//    "grid": [{"name": "A", "from": [0, 0], "to": [0, 20]}],
//    "bodies": [...]}
//
// Elevations and axes are in the coordinates of the scene; up is z.
#ifndef ORBOX_TOOLS_ORBOX_CLASH_SCENE_PLACES_H_
#define ORBOX_TOOLS_ORBOX_CLASH_SCENE_PLACES_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/report/place_words.h"

namespace orbox::cli {

struct ScenePlaces {
  std::vector<report::Storey> storeys;
  std::vector<report::GridAxis> grid;
};

// Adds the value of the key "storeys" or "grid" to the places. Returns what is
// wrong with it, as "grid[2].from: give two numbers"; an empty text if nothing
// is.
std::string AddPlaces(const std::string& key, const nlohmann::json& value,
                      ScenePlaces& places);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_SCENE_PLACES_H_
