// Builds a tree over a mesh.
//
//   absl::StatusOr<Tree> tree = Build(mesh, {.volumes = Volumes::kMixed});
//
// Triangles are parted in two, and in two again, by the surface area heuristic;
// the binary tree is collapsed to the nodes of eight that cost queries least;
// then each node is given the kind of volume that does. O(n log n) time, for
// any input. The tree takes 45 to 60 bytes a triangle, and 80 more for their
// corners in double; at most 200 are in use while it is built (twice as many
// where leaves cannot be filled, since triangles lie far apart). The result is
// a function of the mesh, `volumes`, `quality` and `max_leaf_triangles` alone,
// whatever the threads. Thread-safe.
#ifndef ORBOX_BVH_BUILD_BUILD_H_
#define ORBOX_BVH_BUILD_BUILD_H_

#include <functional>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// How much work a tree is worth. Answers do not depend on it.
enum class Quality {
  // Triangles are sorted along a space-filling curve first, which leaves less
  // to order: for trees that are asked little.
  kFast,
  kBalanced,
  // Frames of oriented boxes are turned until they fit: two to three times the
  // work, for 2 to 5 % fewer visits of a query from afar.
  kBest,
};

struct BuildOptions {
  Volumes volumes = Volumes::kMixed;

  // The most triangles in a leaf, 1 to 8: kInvalidArgument otherwise. Answers
  // do not depend on it; a leaf's row has eight lanes, so fewer is slower.
  int max_leaf_triangles = 8;

  Quality quality = Quality::kBalanced;

  // kCompact: about 30 bytes a triangle in all, for up to 15 % more time (where
  // meshes touch, up to twice as much). It is built as a wide tree first.
  Storage storage = Storage::kWide;

  // Called now and then with the share of the work that is done, in 0 .. 1:
  // from any of the threads, one call at a time.
  std::function<void(double)> progress;

  // How many threads at most; 0 is as many as the machine runs at a time.
  int threads = 0;
};

// Any valid mesh has a tree; errors are bad options and memory that runs out
// (kResourceExhausted).
ORBOX_EXPORT absl::StatusOr<Tree> Build(const Mesh& mesh,
                                        const BuildOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_BUILD_H_
