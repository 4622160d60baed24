// SPDX-License-Identifier: Apache-2.0

// Reads the JSON of a scene: bodies, each a mesh file and a pose.
//
//   {"bodies": [{"name": "wheel", "mesh": "wheel.obj",
//                "pose": [1,0,0,0.5, 0,1,0,0, 0,0,1,0],
//                "properties": {"type": "rubber", "storey": 2}},
//               {"mesh": "fork.stl"}]}
//
//   absl::StatusOr<std::vector<SceneBody>> bodies =
//       ParseScene(bytes, "s.json", "folder");
//
// A pose has 12 numbers, [R | t] row by row, or 16 whose last row is 0,0,0,1.
// It may be a list of such rows, each a list of four numbers. The default is
// the identity. A body without a name is named by its number, from 0. Names
// must be distinct. "house.glb#roof" is one body of a file. A name with *, such
// as "house.glb#*", stands for all bodies that match it (scene_bodies.h).
// A scene may also have storeys and a grid (scene_places.h). Properties may
// have any keys. A value is a text, a number, true or false, and is stored as
// text. Files are relative to the folder of the scene file. Unknown keys and
// wrong types are errors, kInvalidArgument with file, line and position, such
// as "s.json:3: bodies[1].pose: found 9 numbers where 12 or 16 are needed".
#ifndef ORBOX_TOOLS_ORBOX_CLASH_SCENE_FILE_H_
#define ORBOX_TOOLS_ORBOX_CLASH_SCENE_FILE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/named_body.h"
#include "orbox/overlap/shapes/pose.h"
#include "tools/orbox/clash/scene_places.h"

namespace orbox::cli {

struct SceneBody {
  std::string name;
  std::string mesh;  // as given in the scene
  std::string path;  // of the file
  // Name of a body of the file, or a pattern of names. If absent, the whole
  // file is one body.
  std::optional<std::string> part;
  Pose pose;
  BodyProperties properties;
};

// Returns true if the entry stands for several bodies of its file. If the entry
// has a name, it becomes a prefix of the names of these bodies.
inline bool IsPattern(const SceneBody& body) {
  return body.part.has_value() && body.part->find('*') != std::string::npos;
}

// Parses a scene and returns its bodies, at least one. A singular pose is an
// error unless `flatten`. `name` is the name of the scene for messages. Sets
// the places if they are not null. O(bytes), without recursion.
absl::StatusOr<std::vector<SceneBody>> ParseScene(
    std::string_view bytes, std::string_view name, const std::string& folder,
    bool flatten = false, ScenePlaces* places = nullptr);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_SCENE_FILE_H_
