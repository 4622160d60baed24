// SPDX-License-Identifier: Apache-2.0

// Scenes for tests, and queries of them body by body: the oracle of the queries
// of scenes.
//
//   const scenes::Cast cast = scenes::Crowd(40, /*side=*/6, /*seed=*/1);
//   Scene scene = scenes::Make(cast);
//
// Body i of a scene that Make made is cast[i].
#ifndef ORBOX_TESTS_SUPPORT_SCENES_H_
#define ORBOX_TESTS_SUPPORT_SCENES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox::scenes {

struct Actor {
  Tree tree;
  Pose pose;
};
using Cast = std::vector<Actor>;

// Turned, shrunk or not, somewhere in [0, side)^3; one in ten is stretched, and
// one in ten only shifted.
inline Pose RandomPose(meshes::Random& random, double side) {
  const Vec3 at = random.Point(0, side);
  // One after the other: arguments come in an order of the compiler's choice.
  const double angle = random.Uniform(-3, 3);
  const Vec3 axis = random.Direction();
  const Pose turned = Pose::Rotation(axis, angle, at);
  switch (random.Below(10)) {
    case 0: {
      Pose stretched = turned;
      stretched.rows[1] = stretched.rows[1] * random.Uniform(1.5, 4);
      return stretched;
    }
    case 1:
      return Pose::Translation(at);
    case 2: {
      Pose small = turned;
      for (Vec3& row : small.rows) row = row * 0.25;
      return small;
    }
    default:
      return turned;
  }
}

// Small meshes of several kinds that share their trees, about one unit large.
inline std::vector<Tree> Parts() {
  return {trees::Make(meshes::Icosphere(1, {0, 0, 0}, 0.5)),
          trees::Make(meshes::Cube({-0.4, -0.4, -0.4}, 0.8)),
          trees::Make(meshes::Torus(12, 6, 0.5, 0.15), Volumes::kObb),
          trees::Make(meshes::Soup(20, 0.3), Volumes::kSphere),
          Build(meshes::Tetrahedron(), {.storage = Storage::kCompact}).value(),
          trees::Make(meshes::OneTriangle(), Volumes::kAabb)};
}

inline Cast Crowd(size_t count, double side, uint64_t seed) {
  meshes::Random random(seed);
  const std::vector<Tree> parts = Parts();
  Cast cast;
  for (size_t i = 0; i < count; ++i) {
    cast.push_back({parts[i % parts.size()], RandomPose(random, side)});
  }
  return cast;
}

inline Scene Make(const Cast& cast) {
  Scene scene;
  for (const Actor& actor : cast) {
    EXPECT_TRUE(scene.Add(actor.tree, actor.pose).ok());
  }
  scene.Update();
  return scene;
}

inline PosedTree Posed(const Actor& actor) {
  return PosedTree::Create(actor.tree, actor.pose).value();
}

inline std::vector<PosedTree> Posed(const Cast& cast) {
  std::vector<PosedTree> posed;
  for (const Actor& actor : cast) posed.push_back(Posed(actor));
  return posed;
}

// Calls check(pair, a, b) for each two bodies, ascending.
template <typename Check>
void ForEachPair(const Cast& cast, Check check) {
  const std::vector<PosedTree> posed = Posed(cast);
  for (uint32_t a = 0; a < posed.size(); ++a) {
    for (uint32_t b = a + 1; b < posed.size(); ++b) {
      check(BodyPair{a, b}, posed[a], posed[b]);
    }
  }
}

// Returns the results of call(a, b) for all pairs of bodies with a result.
template <typename Pair, typename Call>
BodyPairLists<Pair> ListEachPair(const Cast& cast, Call call) {
  BodyPairLists<Pair> lists;
  ForEachPair(cast, [&](BodyPair p, const auto& a, const auto& b) {
    const std::vector<Pair> pairs = call(a, b);
    if (pairs.empty()) return;
    lists.bodies.push_back(p);
    lists.pairs.values.insert(lists.pairs.values.end(), pairs.begin(),
                              pairs.end());
    lists.pairs.offsets.push_back(lists.pairs.values.size());
  });
  return lists;
}

template <typename Body, typename Pair>
void ExpectSameLists(const ListsOfBodies<Body, Pair>& x,
                     const ListsOfBodies<Body, Pair>& y) {
  EXPECT_EQ(x.bodies, y.bodies);
  EXPECT_EQ(x.pairs.offsets, y.pairs.offsets);
  EXPECT_EQ(x.pairs.values, y.pairs.values);
}

inline Cast Scaled(Cast cast, double factor) {
  for (Actor& actor : cast) {
    actor.tree = trees::Make(meshes::Scaled(actor.tree.mesh(), factor));
    actor.pose.translation = actor.pose.translation * factor;
  }
  return cast;
}

// A crowd of which some bodies have no pose.
inline Cast MixedCrowd(size_t count, double side) {
  Cast cast = Crowd(count, side, 1);
  cast[1].pose = {};
  cast[6].pose = {};
  return cast;
}

// Calls check(body, id, triangle) for each moved triangle, ascending.
template <typename Check>
void ForEachTriangle(const Cast& cast, Check check) {
  for (BodyId body = 0; body < cast.size(); ++body) {
    const PosedTree posed = Posed(cast[body]);
    for (uint32_t i = 0; i < posed.tree().mesh().triangle_count(); ++i) {
      check(body, i, posed.triangle(i));
    }
  }
}

}  // namespace orbox::scenes

#endif  // ORBOX_TESTS_SUPPORT_SCENES_H_
