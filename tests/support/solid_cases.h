// SPDX-License-Identifier: Apache-2.0

// Meshes whose insides depend on the rule, and meshes that have none. For tests
// that compare chunks and ranks with one tree.
//
//   for (const solids::Case& c : solids::Cases()) Compare(c.mesh);
//   meshes::Random random(1);
//   const Mesh probe = solids::Probe(random, c.mesh.bounds());
#ifndef ORBOX_TESTS_SUPPORT_SOLID_CASES_H_
#define ORBOX_TESTS_SUPPORT_SOLID_CASES_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"

namespace orbox::solids {

struct Case {
  std::string name;
  Mesh mesh;
  bool is_closed = true;
};

inline std::vector<Case> Cases() {
  const Mesh box = Box({{0, 0, 0}, {4, 4, 4}});
  const Mesh ball = meshes::Icosphere(2, {2, 2, 2}, 1.5);
  const auto turned = [](const Mesh& mesh, size_t count) {
    return meshes::TurnedOver(mesh, 0, count);
  };
  std::vector<Case> cases = {
      {"overlapping boxes",
       UnionOf({{{0, 0, 0}, {3, 3, 3}}, {{1, 1, 1}, {5, 4, 4}}})},
      {"flush boxes",
       UnionOf({{{0, 0, 0}, {2, 3, 3}}, {{2, 0, 0}, {4, 3, 3}}})},
      {"one box twice", meshes::Joined(box, box)},
      {"a ball in a box, both outward", meshes::Joined(box, ball)},
      {"a cavity", meshes::Joined(box, turned(ball, ball.triangle_count()))},
      {"inward", turned(box, box.triangle_count())},
      {"a face turned over", turned(meshes::Joined(box, ball), 1)},
      {"open", meshes::Joined(Opened(box), ball), /*is_closed=*/false},
      {"a sheet", meshes::Grid(6), /*is_closed=*/false}};
  meshes::Random random(7);
  for (int i = 0; i < 4; ++i) {
    cases.push_back({"boxes", UnionOf(BoxesWithoutFlushSides(random, 6))});
  }
  return cases;
}

// Up to three balls of different sizes, in a box and aside. One may be around
// the box.
inline Mesh Probe(meshes::Random& random, const Aabb& box) {
  const auto one = [&] {
    const Vec3 at = random.Point(-0.1, 1.1);
    const Vec3 size = box.hi - box.lo;
    constexpr double kRadii[] = {0.05, 0.2, 0.4, 20};
    return meshes::Icosphere(
        1, box.lo + Vec3{at.x * size.x, at.y * size.y, at.z * size.z},
        kRadii[random.Below(4)]);
  };
  Mesh probe = one();
  for (size_t i = random.Below(3); i > 0; --i) {
    probe = meshes::Joined(probe, one());
  }
  return probe;
}

// No pose, a rigid one, one that mirrors and stretches.
inline std::vector<Pose> Poses(meshes::Random& random) {
  const Pose mirror{{{{-1.5, 0, 0}, {0, 0.5, 0}, {0, 0, 1}}}, {}};
  return {Pose(), meshes::RandomRigidPose(random, 3),
          meshes::RandomRigidPose(random, 3) * mirror};
}

}  // namespace orbox::solids

#endif  // ORBOX_TESTS_SUPPORT_SOLID_CASES_H_
