// SPDX-License-Identifier: Apache-2.0

// Facts about a mesh as a whole: the result of `orbox info`, and the summary of
// `orbox gen`.
//
//   MeshDescription description{.file = FileOf(path), .notes = loaded.notes};
//   WriteMeshFacts(mesh, tree, path, settings, progress, description);
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_MESH_FACTS_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_MESH_FACTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/solids/inside_facts.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/commands/facts.h"

namespace orbox::cli {

// Surface of a mesh: of all bodies of its file together, and of each body.
// There are no bodies if the mesh is not from a file of bodies.
struct MeshSurface {
  SurfaceFacts facts;
  // A fact is true if it is true for any body. The volume is set if all bodies
  // have one.
  InsideFacts inside;
  std::vector<BodyFacts> bodies;
};

// A fault of a mesh that keeps it from being one solid, and what mends or shows
// it, by name.
struct MeshAdvice {
  std::string fault;
  std::string remedy;
};

// The file of a mesh.
struct MeshFile {
  std::string format;  // "STL"
  uint64_t bytes = 0;
  std::string_view unit;  // of its lengths, as read; empty if it has none
};

// Reads the format of a file. Returns nothing for standard input and other
// inputs that can be read only once.
std::optional<MeshFile> FileOf(const std::string& path);

// Facts beyond counts and bounds, as `orbox info` writes them.
struct MeshDescription {
  std::optional<MeshFile> file;
  std::optional<MeshSurface> surface;
  std::vector<ReadNote> notes;
  std::vector<MeshAdvice> advice;
};

// Writes the facts of a mesh to the output in the format of the settings.
// `given` is the mesh's tree, if there is one; facts about it are added. If the
// settings request statistics, adds the shape of this tree or of a new one.
// `title` is the heading of the text. Adds the description, if it is given.
absl::Status WriteMeshFacts(
    const Mesh& mesh, const std::optional<Tree>& given, std::string_view title,
    const Settings& settings, ProgressDisplay& progress,
    const std::optional<MeshDescription>& description = {});

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_MESH_FACTS_H_
