// Which triangles of a mesh meet each other, other than as neighbours do?
//
//   bool broken = SelfIntersects(tree);
//   std::vector<TrianglePair> pairs = SelfIntersections(tree);   // a < b
//
// Neighbours share corners, and that is no intersection. A pair is one if
//   - it has a common point outside of the convex hull of the corners that it
//     shares: triangles without a common corner that meet at all; with one,
//     that meet elsewhere, too; with two, that are folded onto each other;
//   - or it has all corners in common: duplicates, however they are turned.
// Exact, touching included; degenerate triangles are the segments and points
// that they are. Near O(n + pairs) for a mesh that nearly is a surface.
// Thread-safe; allocates the result only.
#ifndef ORBOX_BVH_QUERY_SELF_INTERSECTION_H_
#define ORBOX_BVH_QUERY_SELF_INTERSECTION_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/self_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Stops at the first pair found.
ORBOX_EXPORT bool SelfIntersects(
    const Tree& tree, SharedCorners shared = SharedCorners::kByPosition,
    TraversalStatistics* statistics = nullptr);

// All pairs with a < b, ascending by (a, b).
ORBOX_EXPORT std::vector<TrianglePair> SelfIntersections(
    const Tree& tree, SharedCorners shared = SharedCorners::kByPosition,
    TraversalStatistics* statistics = nullptr);

// The same pair by pair, each once with a < b, in no particular order, until
// the visitor stops it.
using SelfPairVisitor = absl::FunctionRef<Visit(const TrianglePair& pair)>;
ORBOX_EXPORT void VisitSelfIntersections(
    const Tree& tree, SelfPairVisitor visitor,
    SharedCorners shared = SharedCorners::kByPosition,
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_SELF_INTERSECTION_H_
