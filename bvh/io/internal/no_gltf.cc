// SPDX-License-Identifier: Apache-2.0

// Replaces the reader of glTF in builds without nlohmann-json.
#include <string_view>
#include <vector>

#include "orbox/bvh/io/internal/source.h"

namespace orbox::mesh_internal {

bool IsGltf(std::string_view bytes) { return bytes.starts_with("glTF"); }

absl::StatusOr<std::vector<NamedBody>> ReadGltf(const MeshSource& source) {
  return ErrorInFile(source,
                     "is glTF, and this Orbox was built without its reader; "
                     "build it with nlohmann-json (ORBOX_WITH_GLTF)");
}

}  // namespace orbox::mesh_internal
