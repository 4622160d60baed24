// SPDX-License-Identifier: Apache-2.0

// From FCL: two meshes, one of them at a pose. Comments show the code for FCL;
// the code for Orbox is below each.
//
//   from_fcl data
#include <cstdio>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

namespace {

// FCL:   BVHModel<OBBRSS<double>> model;
//        model.beginModel(); model.addSubModel(points, triangles);
//        model.endModel();
// The kind of volume is a template argument there; here each node has its own,
// and the mesh is checked: NaN or a bad index is a Status.
orbox::Tree TreeOfFile(const std::string& path) {
  return OrExit(orbox::Build(OrExit(orbox::ReadMeshFile(path))));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Tree knot = TreeOfFile(data + "/linked_knot.ply");
  const orbox::Tree other = TreeOfFile(data + "/torus_knot.ply");

  // FCL:   Transform3<double> at = Transform3<double>::Identity();
  //        at.translation().x() = 0.3125;
  const auto crossing = OrExit(
      orbox::PosedTree::Create(knot, orbox::Pose::Translation({0.3125, 0, 0})));
  const auto apart = OrExit(
      orbox::PosedTree::Create(knot, orbox::Pose::Translation({0.125, 0, 0})));

  // FCL:   collide(&a, at, &b, identity, CollisionRequest(1), result);
  //        result.isCollision()
  std::printf("collide: %s\n",
              orbox::AnyOverlap(crossing, other) ? "yes" : "no");

  // FCL:   collide(..., CollisionRequest(max_contacts), result);
  //        result.getContact(i).b1, .b2
  // All pairs, ascending, without a limit to choose.
  const std::vector<orbox::TrianglePair> pairs =
      orbox::AllOverlaps(crossing, other);
  std::printf("contacts: %zu\n", pairs.size());

  // FCL:   CollisionRequest(max_contacts, true); getContact(i).pos, .normal,
  //        .penetration_depth, for each pair
  // Where they cut each other, pair by pair; a way out, for the whole mesh.
  size_t segments = 0;
  for (const auto& pair : orbox::AllContacts(crossing, other)) {
    segments += pair.contact.points().size() == 2;
  }
  std::printf("cut in %zu segments\n", segments);
  const auto way = orbox::PenetrationOf(crossing, other);
  std::printf("free after %.2f\n", way ? way->depth.upper : -1);

  // FCL:   distance(&a, at, &b, identity, DistanceRequest(true), result);
  //        result.min_distance, .nearest_points, .b1, .b2
  // Where meshes meet, it is 0.
  const orbox::Witness gap = *orbox::ClosestPair(apart, other);
  std::printf("distance: %.4f, from x = %.4f to %.4f\n", gap.distance,
              gap.on_a.x, gap.on_b.x);

  // FCL: no query of pairs: only the smallest distance, to compare
  std::printf("pairs within 0.15: %zu\n",
              orbox::AllWithin(apart, other, 0.15).size());
}
