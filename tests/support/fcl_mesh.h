// SPDX-License-Identifier: Apache-2.0

// Meshes and poses in FCL's types, for tests and benchmarks that compare with
// it.
//
//   std::unique_ptr<FclModel> model = FclModelOf(mesh);
//   fcl::collide(model.get(), FclTransformOf(pose), ...);
#ifndef ORBOX_TESTS_SUPPORT_FCL_MESH_H_
#define ORBOX_TESTS_SUPPORT_FCL_MESH_H_

#include <fcl/geometry/bvh/BVH_model.h>

#include <memory>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// OBBRSS is the volume that FCL recommends for both collision and distance.
using FclModel = fcl::BVHModel<fcl::OBBRSS<double>>;

inline std::unique_ptr<FclModel> FclModelOf(const Mesh& mesh) {
  std::vector<fcl::Vector3d> vertices;
  vertices.reserve(mesh.vertex_count());
  for (const Vec3& v : mesh.vertices()) vertices.emplace_back(v.x, v.y, v.z);
  std::vector<fcl::Triangle> triangles;
  triangles.reserve(mesh.triangle_count());
  for (const TriangleIndices& t : mesh.triangles()) {
    triangles.emplace_back(t[0], t[1], t[2]);
  }
  auto model = std::make_unique<FclModel>();
  model->beginModel(static_cast<int>(triangles.size()),
                    static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

inline fcl::Transform3d FclTransformOf(const Pose& pose) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      transform.linear()(row, column) = pose.rows[row][column];
    }
    transform.translation()[row] = pose.translation[row];
  }
  return transform;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_FCL_MESH_H_
