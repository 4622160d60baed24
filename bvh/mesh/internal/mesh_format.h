// SPDX-License-Identifier: Apache-2.0

// The table of the formats, and of files that other programs have to convert.
//
//   const FormatRow* row = RowOfExtension(".obj");
#ifndef ORBOX_BVH_MESH_INTERNAL_MESH_FORMAT_H_
#define ORBOX_BVH_MESH_INTERNAL_MESH_FORMAT_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/internal/source.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mesh/named_body.h"
#include "orbox/bvh/mesh/read_mesh.h"

namespace orbox::mesh_internal {

struct FormatRow {
  MeshFormat format;
  std::string_view extension;  // in lower case, with its dot
  // Whether the bytes are of this format and of no other; null without a mark.
  bool (*is_certainly)(std::string_view bytes);
  // One of the two: a mesh whose bodies are marked, or bodies.
  absl::StatusOr<Mesh> (*read_mesh)(const MeshSource& source, BodyMarks* marks);
  absl::StatusOr<std::vector<NamedBody>> (*read_bodies)(
      const MeshSource& source);
};

// A format may have several rows, of one extension each.
std::span<const FormatRow> FormatRows();
const FormatRow& RowOf(MeshFormat format);
// Null if there is none.
const FormatRow* RowOfExtension(std::string_view extension);

// ".obj, .ply, .stl or .off", for messages.
std::string KnownExtensions();

// In lower case, with its dot; empty if the last part of the path has none.
std::string ExtensionOf(std::string_view path);

// What to do with a file of that extension, or of those bytes, that another
// program has to convert: "is a STEP model; FreeCAD turns it into ...". Empty
// if it is no such file.
std::string HowToConvert(std::string_view extension);
std::string HowToConvertBytes(std::string_view bytes);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_MESH_FORMAT_H_
