// The input of `orbox scene`: the bodies, and the question.
#ifndef ORBOX_TOOLS_ORBOX_ASKED_SCENE_H_
#define ORBOX_TOOLS_ORBOX_ASKED_SCENE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/scene_file.h"
#include "tools/orbox/scene_frames.h"
#include "tools/orbox/text.h"

namespace orbox::cli {

struct AskedScene {
  std::string title;  // "machine.json"
  std::span<const SceneBody> bodies;
  std::span<const Tree> trees;  // one a body
  size_t meshes = 0;            // files, each perhaps of several bodies
  std::optional<double> within;
  const SceneFrames* frames = nullptr;

  std::string NamesOf(size_t a, size_t b) const {
    return Cat(bodies[a].name, " and ", bodies[b].name);
  }
};

// "1 body", "2 bodies".
inline std::string CountedBodies(size_t count) {
  return count == 1 ? "1 body" : Cat(Grouped(count), " bodies");
}

// "1 mesh", "2 meshes".
inline std::string CountedMeshes(size_t count) {
  return count == 1 ? "1 mesh" : Cat(Grouped(count), " meshes");
}

// All triangles of all bodies; a mesh counts for each of its bodies.
inline size_t TrianglesOf(const AskedScene& scene) {
  size_t triangles = 0;
  for (const Tree& tree : scene.trees)
    triangles += tree.mesh().triangle_count();
  return triangles;
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ASKED_SCENE_H_
