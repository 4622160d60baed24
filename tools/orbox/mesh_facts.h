// What there is to say about a mesh: the answer of `orbox info`, and what
// `orbox gen` says about the mesh that it made.
#ifndef ORBOX_TOOLS_ORBOX_MESH_FACTS_H_
#define ORBOX_TOOLS_ORBOX_MESH_FACTS_H_

#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

// Writes them where the settings say, in their format; with what there is to
// say about `given`, the mesh's tree, if it is known, and with the shape of
// that or of one that is built where they ask for statistics. `title` heads the
// text.
absl::Status WriteMeshFacts(const Mesh& mesh, const std::optional<Tree>& given,
                            std::string_view title, const Settings& settings,
                            Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_MESH_FACTS_H_
