// SPDX-License-Identifier: Apache-2.0

// Reads point clouds: PLY files, with or without faces, and rows of x,y,z from
// scanners.
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

// Reads a PLY file if the first lines have its header, otherwise rows, with the
// errors of rows.h. "-" is standard input, for rows only. Returns at least one
// point.
// The options may skip points that are not finite, and receive notes on them
// and on a first row that counts the points, as files of .pts have.
absl::StatusOr<std::vector<Vec3>> ReadCloud(const std::string& path,
                                            const ReadOptions& options = {});

// Returns true if the file has points without triangles: PLY without faces, or
// a file with an extension of files of rows.
bool IsCloud(const std::string& path);

// Returns a mesh with a triangle for each point, with all of its corners there.
// Distances of the mesh are exactly those of the points.
absl::StatusOr<Mesh> MeshOfCloud(const std::string& path,
                                 const ReadOptions& options = {});

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_CLOUD_H_
