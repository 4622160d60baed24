// SPDX-License-Identifier: Apache-2.0

// The vertices of a PLY file, which may be a point cloud without faces.
//
//   if (IsPlyFile(bytes)) {
//     absl::StatusOr<std::vector<Vec3>> points = ReadPlyVertices(bytes, name);
//   }
#ifndef ORBOX_BVH_IO_INTERNAL_PLY_VERTICES_H_
#define ORBOX_BVH_IO_INTERNAL_PLY_VERTICES_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns true if the first two lines have the keywords of PLY.
ORBOX_EXPORT bool IsPlyFile(std::string_view bytes);

// Returns the vertices in the order of the file; there may be none. `name` is
// the file's name in messages. Returns kInvalidArgument for bad contents.
// Coordinates that are not finite are errors, too, unless the options skip such
// points.
ORBOX_EXPORT absl::StatusOr<std::vector<Vec3>> ReadPlyVertices(
    std::string_view bytes, std::string_view name,
    const ReadOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_IO_INTERNAL_PLY_VERTICES_H_
