// SPDX-License-Identifier: Apache-2.0

// Replaces the reader of 3MF in builds without Expat or zlib.
#include <string_view>
#include <vector>

#include "orbox/bvh/io/internal/source.h"

namespace orbox::mesh_internal {

// Always false, because any ZIP archive might be 3MF.
bool Is3mf(std::string_view) { return false; }

absl::StatusOr<std::vector<NamedBody>> Read3mf(const MeshSource& source) {
  return ErrorInFile(source,
                     "is 3MF, and this Orbox was built without its reader; "
                     "build it with Expat and zlib (ORBOX_WITH_3MF)");
}

}  // namespace orbox::mesh_internal
