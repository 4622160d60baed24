// SPDX-License-Identifier: Apache-2.0

// Reads the bodies of a file: each with its mesh, pose, name and properties.
//
//   absl::StatusOr<std::vector<NamedBody>> bodies =
//   ReadBodiesFile("house.glb"); if (!bodies.ok()) return bodies.status(); for
//   (const NamedBody& body : *bodies) use(body.name, body.properties);
//
// Bodies are, in the order of the file,
//   OBJ        its objects (o), or without any its groups (g); lines of one
//              group are one body wherever they are
//   ASCII STL  its solids
//   glTF, GLB  the nodes of its scene that have a mesh. Several nodes may share
//              one. A node's pose is as the file has it: y up, in metres. Its
//              properties are the texts, numbers and truths in the extras of
//              the node and of its mesh (one level of objects deep:
//              "Pset.Fire"), and "parent", the name of the nearest node above
//              it with a name.
//   3MF        the objects with a mesh that its build places, also as parts of
//              others (components), and in other parts of the package. Poses
//              have the file's unit in them: all is in millimetres. Properties
//              are its metadata, "partnumber", "type", and "parent", the name
//              of the nearest object above it with a name.
//   others     the whole mesh.
// Without names of their own they take the file's. Names are printable UTF-8,
// and distinct: the second "bolt" is "bolt (2)".
//
// glTF without an extension for instances or compression is read whole (indexed
// or not, strips and fans, quantized); points and lines are left out. Draco,
// meshopt, sparse accessors and EXT_mesh_gpu_instancing are errors that say
// what to do. Buffers may be in the file, in data URIs, or in files beside it.
//
// 3MF may be encrypted, or need an extension that changes shapes (beams,
// slices, booleans): these are errors, too. Other programs' settings are left
// out.
//
// All else, errors too, is as read_mesh.h says; O(bytes). Memory is
// proportional to the bytes.
#ifndef ORBOX_BVH_MESH_READ_BODIES_H_
#define ORBOX_BVH_MESH_READ_BODIES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/named_body.h"
#include "orbox/bvh/mesh/read_mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// `path` "-" reads standard input. "house.obj#roof" is the body "roof" alone,
// as SplitBodyPath says; kNotFound if there is none. At least one body.
ORBOX_EXPORT absl::StatusOr<std::vector<NamedBody>> ReadBodiesFile(
    const std::string& path, const ReadOptions& options = {});

// The same for bytes; `name` replaces the file's name in errors and bodies.
ORBOX_EXPORT absl::StatusOr<std::vector<NamedBody>> ReadBodies(
    std::string_view bytes, MeshFormat format, std::string_view name,
    const ReadOptions& options = {});

// The file and the body that a path names: {"house.obj", "roof"} for
// "house.obj#roof". A file of the whole name comes first; else the name ends
// before the first '#' that leaves the name of a file, or, if none does, before
// the first '#' behind an extension that is known.
struct BodyPath {
  std::string file;
  std::optional<std::string> body;
};
ORBOX_EXPORT BodyPath SplitBodyPath(const std::string& path);

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_READ_BODIES_H_
