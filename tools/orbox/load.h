// From a file to a mesh and its tree, with progress.
//
//   absl::StatusOr<Tree> tree = LoadTree("part.stl", settings, progress);
#ifndef ORBOX_TOOLS_ORBOX_LOAD_H_
#define ORBOX_TOOLS_ORBOX_LOAD_H_

#include <string>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

absl::StatusOr<Mesh> LoadMesh(const std::string& path, Progress& progress);

absl::StatusOr<Tree> BuildTree(const Mesh& mesh, const Settings& settings,
                               Progress& progress);

absl::StatusOr<Tree> LoadTree(const std::string& path, const Settings& settings,
                              Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_LOAD_H_
