// Builds a tree over a mesh.
//
//   absl::StatusOr<Tree> tree = Build(mesh, {.volumes = Volumes::kMixed});
//
// The surface area heuristic over binned centroids (Wald 2007), gathered into
// nodes of eight children. O(n log n) time; about 100 bytes a triangle for
// the tree itself and twice that while building. The result is a function of
// the mesh and the options alone. Thread-safe.
#ifndef ORBOX_BVH_BUILD_BUILD_H_
#define ORBOX_BVH_BUILD_BUILD_H_

#include <functional>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

struct BuildOptions {
  Volumes volumes = Volumes::kMixed;

  // The most triangles in a leaf, 1 to 8: kInvalidArgument otherwise. Answers
  // do not depend on it; a leaf's row has eight lanes, so fewer is slower.
  int max_leaf_triangles = 8;

  // Called now and then with the share of the work that is done, in 0 .. 1.
  std::function<void(double)> progress;
};

// Any valid mesh has a tree; errors are bad options and memory that runs out
// (kResourceExhausted).
absl::StatusOr<Tree> Build(const Mesh& mesh, const BuildOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_BUILD_H_
