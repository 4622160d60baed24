// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/mesh_parts.h"

#include <cstddef>
#include <numeric>

#include "orbox/bvh/mesh/internal/weld.h"

namespace orbox {
namespace {

// Disjoint sets of points, by a forest whose paths are halved whenever they are
// walked (Tarjan, van Leeuwen, "Worst-case analysis of set union algorithms",
// 1984).
class Sets {
 public:
  explicit Sets(size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), uint32_t{0});
  }

  uint32_t Find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  void Join(uint32_t i, uint32_t j) { parent_[Find(i)] = Find(j); }

 private:
  std::vector<uint32_t> parent_;
};

}  // namespace

MeshParts MeshParts::Of(const Mesh& mesh) {
  const mesh_internal::Welded welded = mesh_internal::Weld(mesh.vertices());
  Sets sets(welded.first.size());
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
