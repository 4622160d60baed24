// SPDX-License-Identifier: Apache-2.0

// The C++ of the page "Which query?" (tools/docs/which_query.md).
//
//   which_query data
#include <cstdio>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Tree tree = OrExit(
      orbox::Build(OrExit(orbox::ReadMeshFile(data + "/torus_knot.ply"))));
  const orbox::Vec3 p{0.5, 0.25, 1};

  // [limit]
  // Is anything within 0.9? The limit is part of the query: the search ends as
  // soon as nothing can be as near as that.
  const bool near = orbox::ClosestPoint(tree, p, 0.9).has_value();
  // [limit]
  std::printf("near: %s\n", near ? "yes" : "no");

  // [view]
  // What is between the planes z = 0.1 and z = 0.2? Half-spaces n . p <= d.
  const std::vector<orbox::HalfSpace> slab = {{{0, 0, 1}, 0.2},
                                              {{0, 0, -1}, -0.1}};
  const size_t count = orbox::CountOverlaps(tree, slab);
  // [view]
  std::printf("in the slab: %zu\n", count);

  // [visit]
  // The first three that qualify, without a list of all.
  std::vector<uint32_t> odd;
  orbox::VisitOverlaps(tree, orbox::Sphere{p, 1}, [&](uint32_t id) {
    if (id % 2 == 1) odd.push_back(id);
    return odd.size() < 3 ? orbox::Visit::kContinue : orbox::Visit::kStop;
  });
  // [visit]
  std::printf("odd: %zu\n", odd.size());

  // [inside]
  // Closed meshes: exactly. Others: by how often the surface winds about p.
  const auto field = orbox::SignedDistanceField::Create(tree);
  const bool inside = field.ok()
                          ? field->IsInside(p)
                          : orbox::WindingNumberField::Of(tree).IsInside(p);
  // [inside]
  std::printf("inside: %s\n", inside ? "yes" : "no");

  // [poses]
  // Where does a motion come too close? One call for all poses.
  std::vector<orbox::Pose> poses;
  for (int i = 0; i < 8; ++i) {
    poses.push_back(orbox::Pose::Translation({3 - 0.25 * i, 0, 0}));
  }
  const std::vector<uint8_t> tight =
      OrExit(orbox::AnyWithin(tree, poses, tree, 0.1));
  // [poses]
  for (const uint8_t is_tight : tight) std::printf("%d", is_tight);
  std::printf("\n");
}
