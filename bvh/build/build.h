// SPDX-License-Identifier: Apache-2.0

// Builds a tree over a mesh.
//
//   absl::StatusOr<Tree> tree = Build(mesh, {.volumes = Volumes::kMixed});
//
// The surface area heuristic splits the triangles in two, recursively. The
// binary tree is collapsed to nodes of eight children, at the least cost of
// queries, and each node gets the cheapest kind of volume. O(n log n) time, for
// any input. The tree is a function only of the mesh, `volumes`, `quality` and
// `max_leaf_triangles`, not of the number of threads. Thread-safe.
//
// Memory: a leaf takes some 900 bytes, for any number of triangles. Leaves of
// up to eight are nearly full on all meshes that were measured: the tree takes
// 117 to 140 bytes per triangle, of which 72 to 80 are corners in double. With
// max_leaf_triangles = 1 it takes 950. The build needs no more memory than the
// tree; for Storage::kCompact, the wide tree and the compact tree together.
#ifndef ORBOX_BVH_BUILD_BUILD_H_
#define ORBOX_BVH_BUILD_BUILD_H_

#include <atomic>
#include <functional>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// The effort of a build. Results of queries do not depend on it.
enum class Quality {
  // Sorts triangles along a space-filling curve first, so that less is left to
  // split by area. For trees that answer few queries.
  kFast,
  kBalanced,
  // Rotates the frames of oriented boxes until they fit. Takes two to three
  // times as long; queries from far away then visit 2 to 5 % fewer nodes.
  kBest,
};

struct BuildOptions {
  Volumes volumes = Volumes::kMixed;

  // Upper bound of triangles per leaf, 1 to 8; otherwise kInvalidArgument.
  // Results of queries do not depend on it. Fewer than 8 are slower, because a
  // leaf is a row of eight lanes.
  int max_leaf_triangles = 8;

  Quality quality = Quality::kBalanced;

  // kCompact: about 30 bytes per triangle in all. Queries take up to 15 % more
  // time, and up to twice the time if meshes touch.
  Storage storage = Storage::kWide;

  // Called from time to time with the fraction of the work that is done, 0 ..
  // 1. Called from any of the threads, one call at a time.
  std::function<void(double)> progress;

  // Upper bound of threads; 0 is one per core.
  int threads = 0;

  // The build ends soon after this becomes true, with kCancelled.
  const std::atomic<bool>* cancelled = nullptr;
};

// Returns the tree of a mesh; any valid mesh has one. Errors: kInvalidArgument
// for bad options, kResourceExhausted if memory runs out, kCancelled.
ORBOX_EXPORT absl::StatusOr<Tree> Build(const Mesh& mesh,
                                        const BuildOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_BUILD_H_
