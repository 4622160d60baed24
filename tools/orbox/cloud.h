// SPDX-License-Identifier: Apache-2.0

// Reads point clouds: PLY files, with faces or without, and rows of x,y,z as
// scanners write them.
//
//   absl::StatusOr<std::vector<Vec3>> points = ReadCloud("scan.xyz");
#ifndef ORBOX_TOOLS_ORBOX_CLOUD_H_
#define ORBOX_TOOLS_ORBOX_CLOUD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::cli {

// A file is PLY if its first lines say so; otherwise errors are as those of
// rows (rows.h). "-" is standard input, with rows alone. At least one point.
absl::StatusOr<std::vector<Vec3>> ReadCloud(const std::string& path);

// Returns true if the file has points without triangles: PLY without faces, or
// the extension of a file of rows.
bool IsCloud(const std::string& path);

// A triangle for each point, with all corners there: distances of the mesh are
// those of the points, exactly.
absl::StatusOr<Mesh> MeshOfCloud(const std::string& path);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLOUD_H_
