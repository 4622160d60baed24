// SPDX-License-Identifier: Apache-2.0

// Reads the input of `orbox clash`: bodies, each a mesh file and a pose.
//
//   {"bodies": [{"name": "wheel", "mesh": "wheel.obj",
//                "pose": [1,0,0,0.5, 0,1,0,0, 0,0,1,0],
//                "properties": {"type": "rubber", "storey": 2}},
//               {"mesh": "fork.stl"}]}
//
//   absl::StatusOr<std::vector<SceneBody>> bodies = ReadSceneFile("s.json");
//
// A pose is 12 numbers row by row of [R | t]; the default is the identity. A
// body without a name is called by its number, from 0. Names are distinct.
// Properties are free: each has a text, a number, true or false, kept as text.
// Files are relative to the folder of the scene file. Unknown keys and wrong
// types are errors, kInvalidArgument with file, line and place, as in
// "s.json:3: bodies[1].pose: found 9 numbers where 12 are needed".
#ifndef ORBOX_TOOLS_ORBOX_SCENE_FILE_H_
#define ORBOX_TOOLS_ORBOX_SCENE_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/named_body.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox::cli {

struct SceneBody {
  std::string name;
  std::string mesh;  // as the scene has it
  std::string path;  // where it is
  Pose pose;
  BodyProperties properties;
};

// `path` "-" is standard input, with the current folder. At least one body.
// Does not read the meshes. A singular pose is an error unless `flatten`.
// kNotFound, kPermissionDenied and kUnavailable from the system.
absl::StatusOr<std::vector<SceneBody>> ReadSceneFile(const std::string& path,
                                                     bool flatten = false);

// The same for bytes. `name` is their name in messages. O(bytes), without
// recursion.
absl::StatusOr<std::vector<SceneBody>> ParseScene(std::string_view bytes,
                                                  std::string_view name,
                                                  const std::string& folder,
                                                  bool flatten = false);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_SCENE_FILE_H_
