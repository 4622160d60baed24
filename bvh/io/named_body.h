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

// Properties from the authors of a model, as text by key: type, storey, file.
// Numbers are as in the file; booleans are the words true and false.
using BodyProperties = std::map<std::string, std::string>;

struct NamedBody {
  std::string name;
  Mesh mesh;
  Pose pose;  // from the mesh's space to the space that all bodies share
  BodyProperties properties;
};

}  // namespace orbox

#endif  // ORBOX_BVH_IO_NAMED_BODY_H_
