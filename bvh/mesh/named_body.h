// SPDX-License-Identifier: Apache-2.0

// A body as files name it: a mesh, where it stands, and what is known of it.
//
//   NamedBody wall{.name = "wall 7", .mesh = mesh};
//   wall.properties["type"] = "IfcWall";
#ifndef ORBOX_BVH_MESH_NAMED_BODY_H_
#define ORBOX_BVH_MESH_NAMED_BODY_H_

#include <map>
#include <string>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// What the makers of a model wrote on a body, as texts by their keys: its type,
// storey, file. Numbers are as they were written; true and false are words.
using BodyProperties = std::map<std::string, std::string>;

struct NamedBody {
  std::string name;
  Mesh mesh;
  Pose pose;  // from the mesh's space to the space that all bodies share
  BodyProperties properties;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_NAMED_BODY_H_
