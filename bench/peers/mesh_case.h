// SPDX-License-Identifier: Apache-2.0

// A mesh and the points to query it with; equal on each run.
#ifndef ORBOX_BENCH_PEERS_MESH_CASE_H_
#define ORBOX_BENCH_PEERS_MESH_CASE_H_

#include <string>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::peers {

struct MeshCase {
  MeshCase(std::string mesh_name, Mesh the_mesh);

  std::string name;
  Mesh mesh;
  double diagonal;           // of the bounding box
  double largest;            // coordinate of a query, in absolute value
  std::vector<Vec3> far;     // uniform in 1.5 times the bounding box
  std::vector<Vec3> near;    // within 1 % of the diagonal of the surface
  std::vector<Vec3> within;  // a hundred thousand, uniform in the bounding box
  std::vector<Ray> rays;     // from 1.5 times the box's surface towards `near`
};

}  // namespace orbox::peers

#endif  // ORBOX_BENCH_PEERS_MESH_CASE_H_
