// SPDX-License-Identifier: Apache-2.0

// How far has a mesh to be moved to be free of another one? An estimate: some
// way out, not always the shortest.
//
//   auto way = EstimatePenetration(a, b);
//   if (way && way->depth > 0) move_a_by(way->translation);
//
// What is certain: moved by `translation`, rounded as poses are, the first mesh
// does not meet the second, and neither is inside the other (mesh_relation.h,
// where kUndefined does not count as free unless a plane is between them). So
// the true penetration depth, the length of the shortest such way, is at most
// `depth`. It is found along candidate directions: the axes, the directions in
// which the triangles that meet face, and from centre to centre; along each by
// moving until the pairs that meet are apart, again and again. The exact depth,
// but for rounding, comes out where the way is along the normal of a face that
// meets the other mesh, and there are few; else some per cent more, and for
// meshes that are hooked into each other up to the length of the mesh. Cost:
// some tens of AllOverlaps, and O(n) a direction. Thread-safe.
//
// Options are those of query_options.h. AllOverlaps uses the threads. A way
// that is longer than max_distance is not found.
#ifndef ORBOX_BVH_QUERY_PENETRATION_H_
#define ORBOX_BVH_QUERY_PENETRATION_H_

#include <optional>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct PenetrationEstimate {
  double depth = 0;  // the length of `translation`
  Vec3 translation;  // of the first mesh, in the world
};

// Zeros where the meshes are apart as they stand. Nothing where no way out
// could be verified, as happens where coordinates are near the limit of double.
ORBOX_EXPORT std::optional<PenetrationEstimate> EstimatePenetration(
    const PosedTree& a, const PosedTree& b, const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PENETRATION_H_
