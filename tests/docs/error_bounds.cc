// SPDX-License-Identifier: Apache-2.0

// The C++ of the page "Error bounds" (tools/docs/error_bounds.md).
//
//   error_bounds data
#include <cstdio>
#include <string>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Tree tree = OrExit(
      orbox::Build(OrExit(orbox::ReadMeshFile(data + "/torus_knot.ply"))));
  const orbox::Vec3 p{0.5, 0.25, 1};

  // [bounds]
  const auto hit = orbox::ClosestPoint(tree, p);
  const orbox::DistanceInterval d = orbox::BoundsOfDistance(tree, p, *hit);
  std::printf("rounded %.17g\n  lower %.17g\n  upper %.17g\n", hit->distance,
              d.lower, d.upper);
  // [bounds]

  // [counts]
  orbox::TraversalStatistics statistics;
  orbox::AllOverlaps(tree, orbox::Aabb{{0, 0, -1}, {1, 1, 1}},
                     {.statistics = &statistics})
      .value();
  const bool adds_up =
      statistics.settled_by_float + statistics.settled_by_double +
          statistics.settled_by_expansion + statistics.settled_by_exact ==
      statistics.triangle_tests;
  // [counts]
  std::printf("adds up: %s\n", adds_up ? "yes" : "no");
}
