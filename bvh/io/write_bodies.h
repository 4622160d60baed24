// SPDX-License-Identifier: Apache-2.0

// Writes bodies to a GLB file (binary glTF 2.0), for any viewer.
//
//   std::vector<NamedBody> bodies = ...;        // from ReadBodiesFile
//   absl::Status status = WriteBodiesFile(bodies, "clashes.glb");
//
// Each body is a node with its name, its pose and, as extras, its properties.
// Bodies with equal colors that share a mesh (copies of a mesh share data)
// share it in the file, too. GLB stores floats. If a coordinate of a mesh is
// not representable as a float, all coordinates are stored relative to the
// middle of its box. Then rounding errors are 2^-24 of the mesh's size, and not
// of its distance from the origin. ReadBodies reads names, properties and
// triangles back unchanged. O(bytes). Thread-safe.
#ifndef ORBOX_BVH_IO_WRITE_BODIES_H_
#define ORBOX_BVH_IO_WRITE_BODIES_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/io/named_body.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// A linear color with components from 0 to 1, as in glTF. Transparent if alpha
// is below 1.
struct BodyColor {
  float red = 0.7F;
  float green = 0.7F;
  float blue = 0.7F;
  float alpha = 1;

  friend auto operator<=>(const BodyColor&, const BodyColor&) = default;
};

// Returns the bytes of a GLB file. If `colors` is empty, all bodies have the
// default color. `vertex_colors`, if not empty, contains a list for each body:
// the colors of its vertices, or an empty list. They are multiplied by the
// body's color. Returns kInvalidArgument for no bodies, for a wrong number of
// colors, for poses and coordinates out of the range of float, and for more
// than GLB's 4 GiB.
ORBOX_EXPORT absl::StatusOr<std::string> EncodeBodies(
    std::span<const NamedBody> bodies, std::span<const BodyColor> colors = {},
    std::span<const std::vector<BodyColor>> vertex_colors = {});

// Writes a GLB file; the name must end in .glb. Errors are those of
// WriteMeshFile.
ORBOX_EXPORT absl::Status WriteBodiesFile(
    std::span<const NamedBody> bodies, const std::string& path,
    std::span<const BodyColor> colors = {});

}  // namespace orbox

#endif  // ORBOX_BVH_IO_WRITE_BODIES_H_
