// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/posed/internal/tree_in_place.h"

#include <utility>
#include <vector>

#include "orbox/bvh/build/build.h"

namespace orbox {

absl::StatusOr<Mesh> MeshInPlace(const PosedTree& posed) {
  const Mesh& mesh = posed.tree().mesh();
  if (!posed.is_moved()) return mesh;
  std::vector<Vec3> vertices;
  vertices.reserve(mesh.vertex_count());
  for (const Vec3& v : mesh.vertices()) {
    const Vec3 p = posed.pose().Apply(v);
    // A vertex that no triangle uses may be anything.
    vertices.push_back(IsFinite(p) ? p : Vec3{});
  }
  return Mesh::Create(std::move(vertices),
                      {mesh.triangles().begin(), mesh.triangles().end()});
}

absl::StatusOr<Tree> TreeInPlace(const PosedTree& posed, int threads) {
  if (!posed.is_moved()) return posed.tree();
  const absl::StatusOr<Mesh> moved = MeshInPlace(posed);
  if (!moved.ok()) return moved.status();
  BuildOptions options;
  options.volumes = posed.tree().volumes();
  options.threads = threads;
  return Build(*moved, options);
}

}  // namespace orbox
