// SPDX-License-Identifier: Apache-2.0

// The C++ of the page "Which volume?" (tools/docs/which_volume.md).
//
//   which_volume data
#include <cstdio>
#include <string>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Mesh mesh =
      OrExit(orbox::ReadMeshFile(data + "/torus_knot.ply"));

  // [options]
  const orbox::Tree tree =
      OrExit(orbox::Build(mesh, {.volumes = orbox::Volumes::kObb,
                                 .quality = orbox::Quality::kBest,
                                 .storage = orbox::Storage::kCompact}));
  // [options]

  // [same]
  const orbox::Tree plain = OrExit(orbox::Build(mesh));
  const orbox::Vec3 p{0.5, 0.25, 1};
  const bool same = orbox::ClosestPoint(tree, p)->distance ==
                    orbox::ClosestPoint(plain, p)->distance;
  // [same]
  std::printf("same answer: %s\n", same ? "yes" : "no");

  // [kinds]
  const orbox::TreeShape shape = orbox::ShapeOf(plain);
  for (const orbox::TreeLevel& level : shape.levels) {
    std::printf("%zu spheres, %zu aligned boxes, %zu oriented boxes\n",
                level.nodes[0], level.nodes[1], level.nodes[2]);
  }
  // [kinds]

  // [refit]
  const orbox::Tree next = OrExit(orbox::Refit(plain, mesh));
  const bool is_worn =
      orbox::ExpectedVisits(next) > 1.3 * orbox::ExpectedVisits(plain);
  // [refit]
  std::printf("build anew: %s\n", is_worn ? "yes" : "no");
}
