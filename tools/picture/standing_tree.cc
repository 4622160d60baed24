// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/standing_tree.h"

#include <utility>
#include <vector>

#include "orbox/bvh/build/build.h"

namespace orbox::picture {

absl::StatusOr<Mesh> StandingMesh(const Mesh& mesh, const Pose& pose) {
  if (pose.IsIdentity()) return mesh;
  std::vector<Vec3> vertices;
  vertices.reserve(mesh.vertex_count());
  for (const Vec3& v : mesh.vertices()) vertices.push_back(pose.Apply(v));
  return Mesh::Create(std::move(vertices),
                      {mesh.triangles().begin(), mesh.triangles().end()});
}

absl::StatusOr<Tree> StandingTree(const PosedTree& posed, int threads) {
  if (!posed.is_moved()) return posed.tree();
  const absl::StatusOr<Mesh> mesh =
      StandingMesh(posed.tree().mesh(), posed.pose());
  if (!mesh.ok()) return mesh.status();
  return Build(*mesh, {.threads = threads});
}

}  // namespace orbox::picture
