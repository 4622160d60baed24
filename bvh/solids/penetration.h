// SPDX-License-Identifier: Apache-2.0

// Penetration depth: the length of the shortest translation that frees one mesh
// of another one, enclosed, with a translation that does.
//
//   std::optional<Penetration> p = PenetrationOf(a, b);
//   if (p && p->depth.upper > 0) Move(a, p->translation);
//
// Free is certain, as a query is: moved by `translation`, rounded as poses are,
// the first mesh does not meet the second, not even in a point, and neither is
// inside the other (mesh_relation.h, where kUndefined does not count as free
// unless a plane is between them). Touching is meeting, so that solids which
// touch have a lower bound of 0 and an upper one of some roundings. The depth
// is the same whether touching counts or not: an infimum.
//
// Bounds:
// - `upper` is the length of `translation`. Along the normals of the faces that
//   meet, the cross products of their edges, the axes, and from centre to
//   centre; as sums of normals, out of a corner; and then shortened until no
//   small change makes it shorter. Where meshes hook into each other, another
//   way may be much shorter.
// - `lower` is certified. Two convex solids (or nearly: by 10^-3 of their size)
//   of up to some 8,000 triangles have the depth itself, except for roundings
//   and for how far they are from convex. Others have the diameter of a ball
//   inside both (shared_region.h), to some per cent. It is 0 for open meshes.
//
// Cost: for convex solids O(triangles * vertices), under a millisecond for some
// hundred triangles. Otherwise some tens of AllOverlaps, O(n) a direction, and
// a ThicknessOfShared. Thread-safe.
//
// Options are those of query_options.h. AllOverlaps uses the threads. A depth
// whose upper bound exceeds max_distance is not found.
#ifndef ORBOX_BVH_SOLIDS_PENETRATION_H_
#define ORBOX_BVH_SOLIDS_PENETRATION_H_

#include <optional>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/solids/shared_region.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct Penetration {
  MeasureBounds depth;
  // A translation of the first mesh, in the world. Its length is depth.upper.
  Vec3 translation;
  // The unit vector along `translation`: out of the second mesh. Zero where
  // the meshes are apart.
  Vec3 normal;
  // Points of the surfaces that are last in contact on the way out, as the
  // meshes stand: on_b - on_a is the translation, except for the roundings by
  // which the meshes are apart after it. witness.distance is 0. Where the
  // meshes are apart, witness is that of ClosestPair.
  Witness witness;
};

// Zeros where the meshes are apart as they stand. Nothing where no way out
// could be verified, as happens where coordinates are near the end of their
// range.
ORBOX_EXPORT std::optional<Penetration> PenetrationOf(
    const PosedTree& a, const PosedTree& b, const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_PENETRATION_H_
