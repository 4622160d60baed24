// SPDX-License-Identifier: Apache-2.0

// Meshes made from formulas, for demos, tests and benchmarks. Equal arguments
// give equal bytes on every machine. O(triangles). Thread-safe.
//
//   absl::StatusOr<Mesh> knot = GenerateMesh({.shape = "torus_knot",
//                                             .triangles = 100'000});
#ifndef ORBOX_BVH_IO_GENERATE_H_
#define ORBOX_BVH_IO_GENERATE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct GenerateOptions {
  // A name from GeneratedShapes().
  std::string shape = "torus_knot";
  // Number of triangles, from 1 to Mesh::kMaxTriangles. The mesh gets the
  // nearest number that the grid of the shape allows.
  size_t triangles = 10'000;
  // Seed of shapes with random parts.
  uint64_t seed = 1;
};

struct GeneratedShape {
  std::string_view name;
  std::string_view what;  // one line for --help
};

// Returns all shapes, in the order in which --help lists them.
ORBOX_EXPORT std::span<const GeneratedShape> GeneratedShapes();

// Returns the mesh of a shape. Returns kInvalidArgument for an unknown shape,
// with a list of the known ones, and for a number of triangles out of range.
ORBOX_EXPORT absl::StatusOr<Mesh> GenerateMesh(const GenerateOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_IO_GENERATE_H_
