// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/mesh_parts.h"

#include <cstddef>

#include "orbox/bvh/base/internal/disjoint_sets.h"
#include "orbox/bvh/mesh/internal/weld.h"

namespace orbox {
MeshParts MeshParts::Of(const Mesh& mesh) {
  const mesh_internal::Welded welded = mesh_internal::Weld(mesh.vertices());
  DisjointSets sets(welded.first.size());
  for (const TriangleIndices& t : mesh.triangles()) {
    sets.Join(welded.id[t[0]], welded.id[t[1]]);
    sets.Join(welded.id[t[0]], welded.id[t[2]]);
  }
  MeshParts parts;
  parts.is_closed_ = IsClosed(mesh);
  std::vector<bool> is_seen(welded.first.size(), false);
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    const uint32_t set = sets.Find(welded.id[mesh.triangles()[i][0]]);
    if (!is_seen[set]) parts.first_triangles_.push_back(i);
    is_seen[set] = true;
  }
  return parts;
}

}  // namespace orbox
