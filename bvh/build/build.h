// SPDX-License-Identifier: Apache-2.0

// Builds a tree over a mesh.
//
//   absl::StatusOr<Tree> tree = Build(mesh, {.volumes = Volumes::kMixed});
//
// The surface area heuristic splits the triangles recursively in two. The
// binary tree is then collapsed to nodes of eight children such that the
// expected cost of queries is lowest. Each node gets the cheapest kind of
// volume. O(n log n) time, for any input. The tree depends only on the mesh,
// `volumes`, `quality` and `max_leaf_triangles`, not on the number of threads.
// Thread-safe.
//
// Memory: a leaf takes about 900 bytes, for any number of triangles. On all
// meshes that were measured, leaves for up to eight triangles are nearly full.
// The tree then takes 117 to 140 bytes per triangle, of which 72 to 80 are
// corners in double. With max_leaf_triangles = 1 it takes 950. The build needs
// no more memory than the tree. For Storage::kCompact, it needs the memory of
// the wide tree and the compact tree together.
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
  // First sorts triangles along a space-filling curve, so that fewer splits by
  // area are needed. For trees that serve only a few queries.
  kFast,
  kBalanced,
  // Rotates the frames of oriented boxes until they fit better. Takes two to
  // three times as long. Queries from far away then visit 2 to 5 % fewer nodes.
  kBest,
};

struct BuildOptions {
  Volumes volumes = Volumes::kMixed;

  // Upper bound of triangles per leaf, 1 to 8; otherwise kInvalidArgument.
  // Results of queries do not depend on it. Values below 8 make queries slower,
  // because a leaf is always a row of eight lanes.
  int max_leaf_triangles = 8;

  Quality quality = Quality::kBalanced;

  // kCompact takes about 30 bytes per triangle in total. Queries take up to 15
  // % more time, and up to twice the time if meshes touch.
  Storage storage = Storage::kWide;

  // Called from time to time with the fraction of the work that is done, from 0
  // to 1. May be called from any thread, but only one call at a time.
  std::function<void(double)> progress = {};

  // Maximum number of threads; 0 means one per core.
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
