// Reads what `orbox scene` is about: bodies, each a mesh file and a pose.
//
//   {"bodies": [{"name": "wheel", "mesh": "wheel.obj",
//                "pose": [1,0,0,0.5, 0,1,0,0, 0,0,1,0]},
//               {"mesh": "fork.stl"}]}
//
//   absl::StatusOr<std::vector<SceneBody>> bodies = ReadSceneFile("s.json");
//
// A pose is 12 numbers row by row of [R | t], the identity where there is none.
// A body without a name is called by its number, from 0. Names differ. Files
// are relative to the folder of the scene file. Nothing else is allowed:
// unknown keys and wrong types are errors, kInvalidArgument with file, line and
// place, as in "s.json:3: bodies[1].pose: found 9 numbers where 12 are needed".
#ifndef ORBOX_TOOLS_ORBOX_SCENE_FILE_H_
#define ORBOX_TOOLS_ORBOX_SCENE_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox::cli {

struct SceneBody {
  std::string name;
  std::string mesh;  // as the scene has it
  std::string path;  // where it is
  Pose pose;
};

// `path` "-" is standard input, whose folder is the current one. At least one
// body. Does not look at the meshes. kNotFound, kPermissionDenied and
// kUnavailable for what the system says.
absl::StatusOr<std::vector<SceneBody>> ReadSceneFile(const std::string& path);

// The same of bytes. `name` is what messages call them. O(bytes), without
// recursion.
absl::StatusOr<std::vector<SceneBody>> ParseScene(std::string_view bytes,
                                                  std::string_view name,
                                                  const std::string& folder);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_SCENE_FILE_H_
