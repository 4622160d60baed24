// SPDX-License-Identifier: Apache-2.0

// Cases of cliffs_bench: a query on data that is degenerate, touching, far away
// or of mixed scale, compared with the same query in general position and with
// the peers that have it.
//
//   std::vector<Cliff> cliffs;
//   AppendWorldCliffs(&cliffs);
//   for (const Cliff& cliff : cliffs) Trial trial = cliff.make(cliff.sizes[0]);
#ifndef ORBOX_BENCH_CLIFFS_CLIFF_H_
#define ORBOX_BENCH_CLIFFS_CLIFF_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"

namespace orbox::cliffs {

// One side of a comparison. `call(i)` runs query i < count and returns a number
// for its result: a distance, a count of results.
struct Side {
  size_t count = 0;
  std::function<double(size_t)> call;
  // Queries run by one call: a batch is one call.
  size_t queries_per_call = 1;
};

// Denominator of the time of Orbox.
struct Reference {
  std::string name;  // "general", "embree" or "fcl"
  Side side;
  // Its results are those of Orbox to within `tolerance`. Negative if the input
  // is not the same.
  double tolerance = -1;
};

struct Trial {
  size_t n = 0;  // triangles, or bodies
  Side orbox;
  // Those queries of trees that are built otherwise. The results have to be
  // equal to the last bit.
  Side otherwise;
  std::vector<Reference> references;
  // The numbers are counts of results, and time may grow with them.
  bool counts_results = false;
};

// A row of the bench: a case, a query, a mesh.
struct Cliff {
  std::string name;
  std::string query;
  std::string mesh;
  std::vector<size_t> sizes;  // n, 4 n, 16 n; one of a mesh from a file
  std::function<Trial(size_t n)> make;
};

struct NamedMesh {
  std::string name;
  Mesh mesh;
};

// A tube of about `n` triangles around the z axis, without caps: of sqrt(n)
// flat sides, and of 8 at least.
Mesh Tube(size_t n, double radius, double half_length);

// One mesh that is degenerate: flat, a fan, with a stray triangle, ...
void AppendWorldCliffs(std::vector<Cliff>* cliffs);
// Any mesh, with degenerate queries: on the surface, far away, ...
void AppendClusterCliffs(const std::vector<NamedMesh>& meshes,
                         std::vector<Cliff>* cliffs);
// Two meshes: coincident, flush, far apart, of mixed scale, ...
void AppendPairCliffs(const std::vector<NamedMesh>& meshes,
                      std::vector<Cliff>* cliffs);
// Many bodies: in one spot, in a plane, with giants and outliers, ...
void AppendSceneCliffs(std::vector<Cliff>* cliffs);
// Motions in which everything touches at once, turns in a bearing, slides.
void AppendMotionCliffs(std::vector<Cliff>* cliffs);

}  // namespace orbox::cliffs

#endif  // ORBOX_BENCH_CLIFFS_CLIFF_H_
