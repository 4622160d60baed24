// SPDX-License-Identifier: Apache-2.0

// Table of the formats, and of files that need conversion by another program.
//
//   const FormatRow* row = RowOfExtension(".obj");
#ifndef ORBOX_BVH_IO_INTERNAL_MESH_FORMAT_H_
#define ORBOX_BVH_IO_INTERNAL_MESH_FORMAT_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox::mesh_internal {

struct FormatRow {
  MeshFormat format;
  std::string_view extension;  // in lower case, with its dot
  // Returns true if the bytes are certainly of this format. Null if the format
  // has no mark.
  bool (*is_certainly)(std::string_view bytes);
  // One of these two is set: a reader of a mesh that marks its bodies, or a
  // reader of bodies.
  absl::StatusOr<Mesh> (*read_mesh)(const MeshSource& source, BodyMarks* marks);
  absl::StatusOr<std::vector<NamedBody>> (*read_bodies)(
      const MeshSource& source);
};

// Returns the table. A format may have several rows, one per extension.
std::span<const FormatRow> FormatRows();
const FormatRow& RowOf(MeshFormat format);
// Returns null if no format has the extension.
ORBOX_EXPORT const FormatRow* RowOfExtension(std::string_view extension);

// Returns ".obj, .ply, ... or .3mf", for messages.
std::string KnownExtensions();

// Returns the extension in lower case, with its dot; empty if the file's name
// has none.
ORBOX_EXPORT std::string ExtensionOf(std::string_view path);

// Returns a remedy for a file that another program has to convert, by its
// extension or its bytes: "is a STEP model; FreeCAD turns it into ...". Returns
// an empty text for other files.
ORBOX_EXPORT std::string HowToConvert(std::string_view extension);
ORBOX_EXPORT std::string HowToConvertBytes(std::string_view bytes);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_MESH_FORMAT_H_
