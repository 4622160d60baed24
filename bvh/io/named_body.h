// SPDX-License-Identifier: Apache-2.0

// A body of a file: its mesh, pose, name and properties.
//
//   NamedBody wall{.name = "wall 7", .mesh = mesh};
//   wall.properties["type"] = "IfcWall";
#ifndef ORBOX_BVH_IO_NAMED_BODY_H_
#define ORBOX_BVH_IO_NAMED_BODY_H_

#include <map>
#include <string>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Properties that the authors of a model wrote, as text by key, such as type
// and storey. Numbers are written as in the file, and booleans as true and
// false.
using BodyProperties = std::map<std::string, std::string>;

struct NamedBody {
  std::string name;
  Mesh mesh;
  Pose pose;  // from the mesh's space to world space
  BodyProperties properties;
};

}  // namespace orbox

#endif  // ORBOX_BVH_IO_NAMED_BODY_H_
