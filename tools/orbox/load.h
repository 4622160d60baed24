// From a file to a mesh and its tree, with progress.
//
//   absl::StatusOr<Tree> tree = LoadTree("part.stl", settings, progress);
//
// A file is a mesh or a tree file, which its first bytes tell. A tree that was
// loaded stays as it is, whatever volumes the settings ask for; it is verified
// and copied, so that answers are right whoever wrote it.
#ifndef ORBOX_TOOLS_ORBOX_LOAD_H_
#define ORBOX_TOOLS_ORBOX_LOAD_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

// A mesh, and its tree where the file has that.
struct Loaded {
  Mesh mesh;
  std::optional<Tree> tree;
};
absl::StatusOr<Loaded> Load(const std::string& path, const Settings& settings,
                            Progress& progress);

absl::StatusOr<Mesh> LoadMesh(const std::string& path, const Settings& settings,
                              Progress& progress);

absl::StatusOr<Tree> BuildTree(const Mesh& mesh, const Settings& settings,
                               Progress& progress);

// As it is in the file, or built.
absl::StatusOr<Tree> LoadTree(const std::string& path, const Settings& settings,
                              Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_LOAD_H_
