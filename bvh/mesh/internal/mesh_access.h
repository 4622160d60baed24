// SPDX-License-Identifier: Apache-2.0

// Makes a mesh of parts that are known to be valid: the contents of a tree
// file.
//
//   Mesh mesh = MeshAccess::Make({.vertices = ..., .triangles = ..., ...});
#ifndef ORBOX_BVH_MESH_INTERNAL_MESH_ACCESS_H_
#define ORBOX_BVH_MESH_INTERNAL_MESH_ACCESS_H_

#include <memory>
#include <utility>

#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {

struct MeshAccess {
  using Parts = Mesh::Data;

  // Checks nothing. Requires what Mesh::Create checks, and the bounds and
  // counts that it computes.
  static Mesh Make(Parts parts) {
    return Mesh(std::make_shared<const Mesh::Data>(std::move(parts)));
  }
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_MESH_ACCESS_H_
