// SPDX-License-Identifier: Apache-2.0

// Clash check: does a shaft fit the bore of a gear; if not, where do they cut
// each other; and is a part hidden inside another one?
//
//   clash_check data
#include <cstdio>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

namespace {

// The cylinder of radius 1/2 and from z = 0 to 1, made to measure and put so
// that its middle is at `center`.
orbox::PosedTree Part(const orbox::Tree& cylinder, double radius, double height,
                      const orbox::Vec3& center) {
  const double r = 2 * radius;
  const orbox::Pose pose{.rows = {{{r, 0, 0}, {0, r, 0}, {0, 0, height}}},
                         .translation = center - orbox::Vec3{0, 0, height / 2}};
  return OrExit(orbox::PosedTree::Create(cylinder, pose));
}

const char* NameOf(orbox::MeshRelation relation) {
  switch (relation) {
    case orbox::MeshRelation::kMeet:
      return "clash";
    case orbox::MeshRelation::kApart:
      return "apart";
    case orbox::MeshRelation::kFirstInSecond:
      return "hidden in the gear";
    default:
      return "contains the gear, or has no inside";
  }
}

void Check(const char* name, const orbox::PosedTree& part,
           const orbox::PosedTree& gear) {
  // Surfaces decide whether parts overlap; solids decide their relation if they
  // do not.
  const bool meet = orbox::AnyOverlap(part, gear);
  const orbox::MeshRelation relation = orbox::RelationOfMeshes(part, gear);
  std::printf("%s: %s, %s\n", name, meet ? "surfaces meet" : "no contact",
              NameOf(relation));
  if (!meet) {
    const orbox::Witness gap = *orbox::ClosestPair(part, gear);
    std::printf("  gap %.4f\n", gap.distance);
    return;
  }

  // The common segments of pairs of triangles make up the seam.
  const std::vector<orbox::PairContact> pairs = orbox::AllContacts(part, gear);
  double seam = 0;
  for (const orbox::PairContact& pair : pairs) {
    const auto points = pair.contact.points();
    if (points.size() == 2) seam += orbox::Norm(points[1] - points[0]);
  }
  std::printf("  %zu pairs of triangles, seam of length %.3f\n", pairs.size(),
              seam);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Tree gear =
      OrExit(orbox::Build(OrExit(orbox::ReadMeshFile(data + "/gear.stl"))));
  const orbox::Tree cylinder =
      OrExit(orbox::Build(OrExit(orbox::GenerateMesh({.shape = "cylinder"}))));

  Check("shaft of radius 0.36", Part(cylinder, 0.36, 1, {0, 0, 0}), gear);
  Check("shaft of radius 0.38", Part(cylinder, 0.38, 1, {0, 0, 0}), gear);
  Check("pin of radius 0.05", Part(cylinder, 0.05, 0.1, {0.6, 0, 0}), gear);
}
