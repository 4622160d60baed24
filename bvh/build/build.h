// SPDX-License-Identifier: Apache-2.0

// Builds a tree over a mesh.
//
//   absl::StatusOr<Tree> tree = Build(mesh, {.volumes = Volumes::kMixed});
//
// The surface area heuristic splits the triangles in two, recursively. The
// binary tree is collapsed to nodes of eight children, at the least cost of
// queries, and each node gets the kind of volume that costs least. O(n log n)
// time, for any input. The tree is a function of the mesh, `volumes`, `quality`
// and `max_leaf_triangles` alone, whatever the threads. Thread-safe.
//
// Memory: a leaf takes some 900 bytes, however many triangles it has. Leaves of
// eight are nearly full on all meshes that were measured, so that the tree
// takes 117 to 140 bytes a triangle, of which 72 to 80 are corners in double;
// max_leaf_triangles = 1 takes 950. The build needs no more than the tree, and
// for Storage::kCompact the wide tree and the compact one.
#ifndef ORBOX_BVH_BUILD_BUILD_H_
#define ORBOX_BVH_BUILD_BUILD_H_

#include <functional>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// The effort of a build. Answers do not depend on it.
enum class Quality {
  // Sorts triangles along a space-filling curve first, which leaves less to
  // order: for trees that answer few queries.
  kFast,
  kBalanced,
  // Turns the frames of oriented boxes until they fit: two to three times the
  // time, for 2 to 5 % fewer visits of a query from far away.
  kBest,
};

struct BuildOptions {
  Volumes volumes = Volumes::kMixed;

  // The most triangles in a leaf, 1 to 8; otherwise kInvalidArgument. Answers
  // do not depend on it. The row of a leaf has eight lanes, so fewer are
  // slower.
  int max_leaf_triangles = 8;

  Quality quality = Quality::kBalanced;

  // kCompact: about 30 bytes a triangle in all, for up to 15 % more time, and
  // up to twice the time if meshes touch.
  Storage storage = Storage::kWide;

  // Called now and then with the share of the work that is done, 0 .. 1, from
  // any of the threads, one call at a time.
  std::function<void(double)> progress;

  // The most threads; 0 is one per core.
  int threads = 0;
};

// Any valid mesh has a tree. Errors: kInvalidArgument for bad options,
// kResourceExhausted if memory runs out.
ORBOX_EXPORT absl::StatusOr<Tree> Build(const Mesh& mesh,
                                        const BuildOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_BUILD_H_
