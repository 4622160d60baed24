// SPDX-License-Identifier: Apache-2.0

// Writes bodies to a GLB file (binary glTF 2.0), for any viewer.
//
//   std::vector<NamedBody> bodies = ...;        // as ReadBodiesFile gives them
//   absl::Status status = WriteBodiesFile(bodies, "clashes.glb");
//
// Each body is a node with its name, its pose and, as extras, its properties.
// Bodies of one mesh (copies share their data) and one color share it in the
// file. GLB holds floats: where a coordinate is none, those of a mesh are kept
// relative to the middle of its box, so that they lose a 2^-24th of its size
// and not of its distance from the origin. ReadBodies reads back the same
// names, properties and triangles. O(bytes). Thread-safe.
#ifndef ORBOX_BVH_MESH_WRITE_BODIES_H_
#define ORBOX_BVH_MESH_WRITE_BODIES_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/named_body.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Linear, 0 to 1, as glTF has it. One with alpha below 1 is seen through.
struct BodyColor {
  float red = 0.7F;
  float green = 0.7F;
  float blue = 0.7F;
  float alpha = 1;

  friend auto operator<=>(const BodyColor&, const BodyColor&) = default;
};

// Without colors, all have the default. `vertex_colors` has for each body those
// of its vertices, which its own is multiplied with, or none. kInvalidArgument
// for no bodies, for another number of colors than of bodies or vertices, for
// poses and coordinates beyond float, and for more than GLB's 4 GiB.
ORBOX_EXPORT absl::StatusOr<std::string> EncodeBodies(
    std::span<const NamedBody> bodies, std::span<const BodyColor> colors = {},
    std::span<const std::vector<BodyColor>> vertex_colors = {});

// Errors as those of WriteMeshFile. The name ends in .glb.
ORBOX_EXPORT absl::Status WriteBodiesFile(
    std::span<const NamedBody> bodies, const std::string& path,
    std::span<const BodyColor> colors = {});

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_WRITE_BODIES_H_
