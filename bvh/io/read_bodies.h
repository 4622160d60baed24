// SPDX-License-Identifier: Apache-2.0

// Reads the bodies of a file: each with its mesh, pose, name and properties.
//
//   absl::StatusOr<std::vector<NamedBody>> bodies =
//       ReadBodiesFile("house.glb");
//   if (!bodies.ok()) return bodies.status();
//   for (const NamedBody& body : *bodies) use(body.name, body.properties);
//
// Bodies are, in the order of the file,
//   OBJ        its objects (o), or its groups (g) if it has no objects; lines
//              of one group are one body at any position in the file
//   ASCII STL  its solids
//   glTF, GLB  the nodes of its scene that have a mesh. Several nodes may share
//              a mesh. A node's pose is as in the file: y up, in metres. Its
//              properties are the texts, numbers and booleans in the extras of
//              the node and of its mesh (one level of objects deep:
//              "Pset.Fire"), and "parent", the name of the nearest named node
//              above it.
//   3MF        the objects with a mesh that its build places, also as parts of
//              others (components), and in other parts of the package. Poses
//              include the file's unit: all is in millimetres. Properties are
//              its metadata, "partnumber", "type", and "parent", the name of
//              the nearest named object above it.
//   others     the whole mesh.
// Bodies without a name get the file's name. Names are printable UTF-8 and
// distinct: the second "bolt" becomes "bolt (2)".
//
// Elements without triangles are not bodies: objects, groups and solids without
// faces; nodes of glTF whose mesh has only points and lines; objects of 3MF
// without triangles. ReadOptions::left_out receives their names, each object of
// 3MF once. Nodes of glTF without a mesh are not elements.
//
// If a pose of glTF or 3MF contains a reflection, the corners of the triangles
// are reversed, as both specifications require. Such a body has a separate
// mesh.
//
// All meshes of glTF 2.0 are read: indexed or not, strips and fans, quantized,
// sparse. Points and lines are skipped, with a note. The extensions for
// compression and instances (Draco, meshopt, EXT_mesh_gpu_instancing) are
// errors that state a remedy. Buffers may be in the file, in data URIs, or in
// files next to it.
//
// Encrypted 3MF is an error. So is 3MF that requires an extension that changes
// shapes: objects that are lattices of beams or stacks of slices, and all files
// for other extensions (booleans). If beams or slices are not required, the
// meshes are read, with notes. Settings of other programs are skipped.
//
// read_mesh.h describes everything else, including errors. O(bytes). Memory is
// proportional to the bytes.
#ifndef ORBOX_BVH_IO_READ_BODIES_H_
#define ORBOX_BVH_IO_READ_BODIES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Reads the bodies of a file, at least one. `path` "-" is standard input. For
// "house.obj#roof", reads only the body "roof" (SplitBodyPath). Returns
// kNotFound if there is no such body.
ORBOX_EXPORT absl::StatusOr<std::vector<NamedBody>> ReadBodiesFile(
    const std::string& path, const ReadOptions& options = {});

// Reads bodies from bytes. `name` is used as the file's name in errors and
// names of bodies.
ORBOX_EXPORT absl::StatusOr<std::vector<NamedBody>> ReadBodies(
    std::string_view bytes, MeshFormat format, std::string_view name,
    const ReadOptions& options = {});

// Splits a path into a file and a body: "house.obj#roof" into {"house.obj",
// "roof"}. If the whole path is an existing file, there is no body. Otherwise
// the file's name ends before the first '#' for which the file exists. If there
// is none, it ends before the first '#' after a known extension.
struct BodyPath {
  std::string file;
  std::optional<std::string> body;
};
ORBOX_EXPORT BodyPath SplitBodyPath(const std::string& path);

}  // namespace orbox

#endif  // ORBOX_BVH_IO_READ_BODIES_H_
