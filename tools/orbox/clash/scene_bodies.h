// SPDX-License-Identifier: Apache-2.0

// Reads the input of `orbox clash`, a scene (scene_file.h) or a file of bodies,
// and then loads the bodies with their trees. Reads each mesh file once, and
// expands patterns to bodies.
//
//   auto bodies = ReadSceneFile("house.json");
//   absl::StatusOr<SceneBodies> scene =
//       LoadSceneBodies("house.json", *bodies, settings, progress);
//   use(scene->bodies[0].name, scene->trees[0]);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_SCENE_BODIES_H_
#define ORBOX_TOOLS_ORBOX_CLASH_SCENE_BODIES_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/clash/scene_file.h"
#include "tools/orbox/clash/scene_motion.h"

namespace orbox::cli {

// `path` "-" is standard input, with the current folder. A mesh file in place
// of a scene represents all of its bodies, "house.glb#*"; standard input is
// always JSON. Returns at least one body. Does not read the meshes. A singular
// pose is an error unless `flatten`. kNotFound, kPermissionDenied and
// kUnavailable from the system.
absl::StatusOr<std::vector<SceneBody>> ReadSceneFile(const std::string& path,
                                                     bool flatten = false);

struct SceneBodies {
  std::vector<SceneBody> bodies;
  std::vector<Tree> trees;   // one for each body; bodies of one mesh share it
  std::vector<Pose> placed;  // pose of each body in its file
  size_t meshes = 0;         // number of different meshes
  // Names of elements that patterns match and that are no bodies
  // (ReadOptions::left_out).
  std::vector<std::string> left_out;

  // Composes each pose of the motion with the pose of its body in the file.
  void Place(Motion& motion) const;
};

// Bodies are in the order of the scene, those of a pattern in the order of
// their file. The pose of a body of a file ("house.glb#roof") is the scene's
// pose after the file's own. The body has the file's properties unless the
// scene sets them. A body of a pattern keeps its name, after the name that the
// scene gives: "east/roof". kNotFound if the file has no such body;
// kInvalidArgument for names that are not distinct and for poses beyond the
// range of models; errors of files. `scene` is the name of the scene in
// messages.
absl::StatusOr<SceneBodies> LoadSceneBodies(const std::string& scene,
                                            std::span<const SceneBody> bodies,
                                            const Settings& settings,
                                            ProgressDisplay& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_SCENE_BODIES_H_
