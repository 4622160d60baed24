// SPDX-License-Identifier: Apache-2.0

// Links orbox::io: a generated mesh, written and read back.
#include <cstdio>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/mesh/mesh.h"

int main() {
  const absl::StatusOr<orbox::Mesh> mesh =
      orbox::GenerateMesh({.shape = "torus_knot", .triangles = 1000});
  if (!mesh.ok() || !orbox::WriteMeshFile(*mesh, "use_io.ply").ok()) return 1;
  const absl::StatusOr<orbox::Mesh> read = orbox::ReadMeshFile("use_io.ply");
  if (!read.ok()) return 1;
  std::printf("%zu triangles\n", read->triangle_count());
  return read->triangle_count() == mesh->triangle_count() ? 0 : 1;
}
