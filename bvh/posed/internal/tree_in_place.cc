// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/posed/internal/tree_in_place.h"

#include <utility>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox {

Mesh MeshInPlace(const Mesh& mesh, const Pose& pose) {
  std::vector<Vec3> vertices;
  vertices.reserve(mesh.vertex_count());
  for (const Vec3& v : mesh.vertices()) {
    const Vec3 p = pose.Apply(v);
    // A vertex that no triangle uses may have any position.
    vertices.push_back(IsBeyond(p) ? Vec3{} : p);
  }
  return mesh_internal::MeshAccess::WithVertices(mesh, std::move(vertices));
}

Mesh MeshInPlace(const PosedTree& posed) {
  const Mesh& mesh = posed.tree().mesh();
  return posed.is_moved() ? MeshInPlace(mesh, posed.pose()) : mesh;
}

absl::StatusOr<Tree> TreeInPlace(const PosedTree& posed, int threads) {
  if (!posed.is_moved()) return posed.tree();
  BuildOptions options;
  options.volumes = posed.tree().volumes();
  options.threads = threads;
  return Build(MeshInPlace(posed), options);
}

}  // namespace orbox
