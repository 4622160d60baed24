// SPDX-License-Identifier: Apache-2.0

// Queries of the tables of exactness.cc: a mesh with all its queries, at random
// positions or where shapes coincide by construction.
#ifndef ORBOX_BENCH_EXACTNESS_DECISIONS_H_
#define ORBOX_BENCH_EXACTNESS_DECISIONS_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bench/peers/mesh_case.h"
#include "orbox/orbox.h"

namespace orbox::exactness {

// Against itself, under poses; scaled to a diagonal of 1.
struct PairQuestions {
  Tree a;
  Tree b;
  std::vector<Pose> half_meeting;
  std::vector<Pose> meeting;
  std::vector<Pose> nearly_meeting;
  std::vector<Pose> apart;
};

struct Questions {
  std::string name;
  Tree tree;
  double diagonal;
  std::vector<Vec3> far;
  std::vector<Vec3> near;
  std::vector<Sphere> small_balls;
  std::vector<Sphere> large_balls;
  std::vector<Aabb> boxes;
  std::vector<Obb> turned_boxes;
  std::vector<std::vector<HalfSpace>> wedges;
  std::vector<Ray> rays;
  PairQuestions pairs;
};

// Number of queries of one kind, named by its member.
template <auto Member>
size_t CountOf(const Questions& q) {
  return (q.*Member).size();
}
template <auto Member>
size_t CountOfPairs(const Questions& q) {
  return (q.pairs.*Member).size();
}
// A at the i-th pose of a kind.
template <auto Poses>
PosedTree Posed(const Questions& q, size_t i) {
  return PosedTree::Create(q.pairs.a, (q.pairs.*Poses)[i]).value();
}

// Points near the surface and away from it, balls of 1 % and 5 % of the
// diagonal, boxes of such a size, rays at the surface, poses of bench/peers.
Questions AtRandom(const peers::MeshCase& mesh);

// Queries of shapes that touch, as far as doubles allow: points at vertices and
// in the middle of edges, balls through a vertex, boxes and planes through
// corners, rays at vertices and edges, and the mesh against itself in place and
// moved by its extents.
Questions AtCoincidences(const peers::MeshCase& mesh);

// A query of one kind, as a row of the table.
struct Work {
  const char* name;
  // Number of queries, and the function that runs number i.
  size_t (*count)(const Questions& q);
  void (*call)(const Questions& q, size_t i, TraversalStatistics* statistics);
};
std::span<const Work> Works();

}  // namespace orbox::exactness

#endif  // ORBOX_BENCH_EXACTNESS_DECISIONS_H_
