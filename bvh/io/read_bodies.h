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
// Elements without triangles are no bodies: objects, groups and solids without
// faces; nodes of glTF whose mesh has only points and lines; objects of 3MF
// without triangles. ReadOptions::left_out receives their names, each object of
// 3MF once. Nodes of glTF without a mesh are no elements.
//
// A pose of glTF and 3MF that swaps left and right reverses the corners of the
// triangles, as both specifications demand. Such a body has a mesh of its own.
//
// glTF is read completely unless it uses extensions for instances or
// compression (indexed or not, strips and fans, quantized, sparse). Points and
// lines are skipped, with a note. Draco, meshopt and EXT_mesh_gpu_instancing
// are errors that state a remedy. Buffers may be in the file, in data URIs, or
// in files next to it.
//
// 3MF that is encrypted, or that needs an extension that changes shapes (beams,
// slices, booleans), is an error, too. Settings of other programs are skipped.
//
// All else is as in read_mesh.h, including errors. O(bytes). Memory is
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

// Reads the bodies of a file, at least one. `path` "-" is standard input.
// "house.obj#roof" is only the body "roof", as defined by SplitBodyPath;
// kNotFound if there is no such body.
ORBOX_EXPORT absl::StatusOr<std::vector<NamedBody>> ReadBodiesFile(
    const std::string& path, const ReadOptions& options = {});

// Reads bodies from bytes. `name` replaces the file's name in errors and
// bodies.
ORBOX_EXPORT absl::StatusOr<std::vector<NamedBody>> ReadBodies(
    std::string_view bytes, MeshFormat format, std::string_view name,
    const ReadOptions& options = {});

// Splits a path into a file and a body: "house.obj#roof" into {"house.obj",
// "roof"}. If a file has the whole name, it is that file, without a body.
// Otherwise the file's name ends before the first '#' that leaves the name of
// an existing file. If there is no such '#', it ends before the first '#' after
// a known extension.
struct BodyPath {
  std::string file;
  std::optional<std::string> body;
};
ORBOX_EXPORT BodyPath SplitBodyPath(const std::string& path);

}  // namespace orbox

#endif  // ORBOX_BVH_IO_READ_BODIES_H_
