// SPDX-License-Identifier: Apache-2.0

// Queries of one mesh, a row each: the calls of Orbox and of the peers.
//
//   for (const MeshQuestion& q : MeshQuestions()) {
//     Trial trial = MeshTrial(q, degenerate, general);
//   }
#ifndef ORBOX_BENCH_CLIFFS_MESH_QUESTIONS_H_
#define ORBOX_BENCH_CLIFFS_MESH_QUESTIONS_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bench/cliffs/cliff.h"
#include "bench/peers/peer.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::cliffs {

// Probes of the queries of a mesh.
struct Probes {
  std::vector<Vec3> points;
  std::vector<Ray> rays;
  std::vector<Sphere> balls;
  std::vector<Aabb> boxes;
};

// A mesh with its probes. `size` is the length that distances are compared to.
struct QueriedMesh {
  Mesh mesh;
  Probes probes;
  double size = 1;
};

// A tree, and the fields that queries about sides need.
struct QueriedTree {
  Tree tree;
  std::shared_ptr<const SignedDistanceField> signed_distance;
  std::shared_ptr<const WindingNumberField> winding;
};

struct MeshQuestion {
  std::string_view name;
  bool counts_results;
  // Number of queries that the probes give.
  size_t (*count)(const Probes& probes);
  bool is_batch;
  double (*call)(const QueriedTree& tree, const Probes& probes, size_t i);
  // Null if no peer has the query. Requires can_call.
  double (*call_peer)(peers::OneMesh& mesh, const Probes& probes, size_t i);
  bool (*can_call)(peers::OneMesh& mesh);
  // About the inside: of closed meshes alone, and of trees with all that
  // QueriedTree has.
  bool is_about_sides = false;
};

std::span<const MeshQuestion> MeshQuestions();

// Compares a query of `degenerate` with that query of `general`, and with
// Embree's of `degenerate`. The trial has no references if the query does not
// apply: a query about sides needs two closed meshes.
Trial MeshTrial(const MeshQuestion& question, QueriedMesh degenerate,
                QueriedMesh general);

// Points, rays, balls and boxes around a box, equal on each run. Balls and
// boxes contain some fraction of the mesh.
Probes ProbesAround(const Aabb& box, size_t count);

}  // namespace orbox::cliffs

#endif  // ORBOX_BENCH_CLIFFS_MESH_QUESTIONS_H_
