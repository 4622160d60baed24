// SPDX-License-Identifier: Apache-2.0

// Reads point clouds: PLY files, with or without faces, PCD files, and rows of
// x,y,z from scanners.
//
//   absl::StatusOr<std::vector<Vec3>> points = ReadCloud("scan.xyz");
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_CLOUD_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_CLOUD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::cli {

// Reads the points of a file, at least one. If the first lines are a header of
// PLY or PCD, reads that, otherwise rows, with the errors of rows.h. "-" is
// standard input, for rows only. Errors for LAS, LAZ and E57 name programs that
// convert them. With the options, points that are not finite may be
// skipped. Notes report these, and a first row that is the number of points, as
// in .pts files.
absl::StatusOr<std::vector<Vec3>> ReadCloud(const std::string& path,
                                            const ReadOptions& options = {});

// Returns true if the file has points without triangles: PLY without faces,
// PCD, or a file with an extension for points.
bool IsCloud(const std::string& path);

// Returns a mesh with a triangle for each point. All corners of the triangle
// are at the point, so distances from the mesh are exactly those from the
// points.
absl::StatusOr<Mesh> MeshOfCloud(const std::string& path,
                                 const ReadOptions& options = {});

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_CLOUD_H_
