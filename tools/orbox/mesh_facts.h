// What there is to say about a mesh: the answer of `orbox info`, and what
// `orbox gen` says about the mesh that it made.
#ifndef ORBOX_TOOLS_ORBOX_MESH_FACTS_H_
#define ORBOX_TOOLS_ORBOX_MESH_FACTS_H_

#include <string_view>

#include "absl/status/status.h"
#include "orbox/bvh/mesh/mesh.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

// Writes them where the settings say, in their format; with the shape of the
// mesh's tree where they ask for statistics. `title` heads the text.
absl::Status WriteMeshFacts(const Mesh& mesh, std::string_view title,
                            const Settings& settings, Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_MESH_FACTS_H_
