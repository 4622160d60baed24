// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/posed/internal/world_tree.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/query_cancelled.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox {

Mesh WorldMesh(const Mesh& mesh, const Pose& pose, const Workers& workers) {
  std::vector<Vec3> vertices;
  const size_t count = mesh.vertex_count();
  vertices.reserve(count);
  for (size_t i = 0; i < count;) {
    for (const size_t end = workers.EndOfBlock(i, count); i < end; ++i) {
      const Vec3 p = pose.Apply(mesh.vertices()[i]);
      // A vertex that no triangle uses may be out of range. It gets an
      // arbitrary position.
      vertices.push_back(IsBeyond(p) ? Vec3{} : p);
    }
  }
  return mesh_internal::MeshAccess::WithVertices(mesh, std::move(vertices),
                                                 workers);
}

Mesh WorldMesh(const PosedTree& posed, const Workers& workers) {
  const Mesh& mesh = posed.tree().mesh();
  return posed.is_moved() ? WorldMesh(mesh, posed.pose(), workers) : mesh;
}

absl::StatusOr<Tree> WorldTree(const PosedTree& posed, BuildOptions options) {
  if (!posed.is_moved()) return posed.tree();
  options.volumes = posed.tree().volumes();
  const Workers polled(1, [cancelled = options.cancelled] {
    if (cancelled != nullptr && *cancelled) throw QueryCancelled();
  });
  return GuardMemory("for a mesh at a pose",
                     [&] { return Build(WorldMesh(posed, polled), options); });
}

}  // namespace orbox
