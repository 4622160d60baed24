// SPDX-License-Identifier: Apache-2.0

// Facts about a mesh: the result of `orbox info`, and the summary of `orbox
// gen`.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_MESH_FACTS_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_MESH_FACTS_H_

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/commands/body_facts.h"

namespace orbox::cli {

// The surface of a mesh: of all bodies of its file together and of each body.
// There are no bodies if the mesh comes from no file of bodies.
struct MeshSurface {
  SurfaceFacts facts;
  // A fact of any body holds for all. The volume is set if all bodies have one.
  InsideFacts inside;
  std::vector<BodyFacts> bodies;
};

// Writes the facts to the output of the settings, in their format. Adds facts
// about `given`, the mesh's tree, if there is one. If the settings request
// statistics, adds the shape of that tree, or of a new one. `title` is the
// heading of the text. Adds facts about the surface, and notes on the file, if
// they are given.
absl::Status WriteMeshFacts(const Mesh& mesh, const std::optional<Tree>& given,
                            std::string_view title, const Settings& settings,
                            ProgressDisplay& progress,
                            const std::optional<MeshSurface>& surface = {},
                            std::span<const ReadNote> notes = {});

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_MESH_FACTS_H_
