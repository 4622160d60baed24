// SPDX-License-Identifier: Apache-2.0

// The connected parts of a mesh, and whether it encloses a solid.
//
//   const MeshParts parts = MeshParts::Of(mesh);
//   if (parts.is_closed()) ...                       // it has an inside
//   for (uint32_t first : parts.first_triangles()) ...
//
// Two triangles are in one part if a chain of triangles connects them in which
// each shares a corner with the next. Corners are the same if their coordinates
// are equal. Immutable; thread-safe. Of() is O(n).
#ifndef ORBOX_BVH_MESH_MESH_PARTS_H_
#define ORBOX_BVH_MESH_MESH_PARTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT MeshParts {
 public:
  static MeshParts Of(const Mesh& mesh);

  // As IsClosed (mesh.h), for all parts together.
  bool is_closed() const { return is_closed_; }

  // The lowest triangle of each part, ascending.
  std::span<const uint32_t> first_triangles() const { return first_triangles_; }

 private:
  bool is_closed_ = false;
  std::vector<uint32_t> first_triangles_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_MESH_PARTS_H_
