// SPDX-License-Identifier: Apache-2.0

// Reads the input of `orbox clash`, which is a scene (scene_file.h) or a file
// of bodies. Then loads the bodies and builds their trees. Reads each mesh file
// once, and expands patterns to bodies.
//
//   auto bodies = ReadSceneFile("house.json");
//   absl::StatusOr<SceneBodies> scene =
//       LoadSceneBodies("house.json", *bodies, settings, progress);
//   use(scene->bodies[0].name, scene->trees[0]);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_SCENE_BODIES_H_
#define ORBOX_TOOLS_ORBOX_CLASH_SCENE_BODIES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/clash/scene_file.h"
#include "tools/orbox/clash/scene_motion.h"
#include "tools/orbox/clash/scene_places.h"

namespace orbox::cli {

// Reads a scene and returns its bodies, at least one. Does not read the meshes.
// `path` "-" is standard input, which is always JSON; its files are relative to
// the current folder. A mesh file given as a scene stands for all of its
// bodies, "house.glb#*". A singular pose is an error unless `flatten`. Sets the
// places if they are not null. System errors are kNotFound, kPermissionDenied
// and kUnavailable.
absl::StatusOr<std::vector<SceneBody>> ReadSceneFile(
    const std::string& path, bool flatten = false,
    ScenePlaces* places = nullptr);

struct SceneBodies {
  std::vector<SceneBody> bodies;
  std::vector<Tree> trees;   // one for each body; bodies of a mesh share one
  std::vector<Pose> placed;  // pose of each body in its file
  size_t meshes = 0;         // number of different meshes
  // Names of elements that match a pattern but are not bodies
  // (ReadOptions::left_out).
  std::vector<std::string> left_out;
  // Unit of the lengths, such as "mm", if the files define it; or empty.
  std::string unit;
  ScenePlaces places;  // storeys and a grid, if the scene has them
  // Sentences for the user, without an end of line.
  std::vector<std::string> notes;
  // Pairs of bodies that are not compared, such as a wall and its layers.
  std::vector<std::pair<size_t, size_t>> unrelated;
  // A number for each body, or empty. Bodies with one number are not compared,
  // except those with 0.
  std::vector<uint32_t> groups;

  // Composes each pose of the motion with the pose of its body in the file.
  void Place(Motion& motion) const;
};

// Loads the bodies in the order of the scene. Bodies of a pattern are in the
// order of their file. If a body comes from a file ("house.glb#roof"), the pose
// of the scene is applied after the pose in the file, and the body has the
// file's properties unless the scene sets them. A body of a pattern keeps its
// name, preceded by the name in the scene: "east/roof". Returns kNotFound if
// the file does not contain a body, kInvalidArgument for duplicate names and
// for poses beyond the range of models, and errors of files. `scene` is the
// name of the scene for messages.
absl::StatusOr<SceneBodies> LoadSceneBodies(const std::string& scene,
                                            std::span<const SceneBody> bodies,
                                            const Settings& settings,
                                            ProgressDisplay& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_SCENE_BODIES_H_
