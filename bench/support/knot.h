// SPDX-License-Identifier: Apache-2.0

// The knot that most benchmarks query, and its trees.
#ifndef ORBOX_BENCH_SUPPORT_KNOT_H_
#define ORBOX_BENCH_SUPPORT_KNOT_H_

#include <cstddef>
#include <cstdint>
#include <map>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/generate.h"

namespace orbox {

inline Mesh KnotMesh(size_t triangles) {
  return GenerateMesh({.shape = "torus_knot", .triangles = triangles}).value();
}

inline Tree KnotTree(size_t triangles) {
  return Build(KnotMesh(triangles)).value();
}

// That of 100,000 triangles, with volumes of a kind (a benchmark's argument).
// Each tree is built once and kept.
inline const Tree& KnotTreeOf(int64_t volumes) {
  static const Mesh mesh = KnotMesh(100'000);
  static std::map<int64_t, Tree> trees;
  auto it = trees.find(volumes);
  if (it == trees.end()) {
    it =
        trees
            .emplace(
                volumes,
                Build(mesh, {.volumes = static_cast<Volumes>(volumes)}).value())
            .first;
  }
  return it->second;
}

}  // namespace orbox

#endif  // ORBOX_BENCH_SUPPORT_KNOT_H_
