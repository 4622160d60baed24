// A mesh of parts that are known to be one: what a tree file holds.
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

  // Nothing is checked: requires what Mesh::Create does, and bounds and counts
  // as it finds them.
  static Mesh Make(Parts parts) {
    return Mesh(std::make_shared<const Mesh::Data>(std::move(parts)));
  }
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_MESH_ACCESS_H_
