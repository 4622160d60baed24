// SPDX-License-Identifier: Apache-2.0

// Penetration depth: the length of the shortest translation that frees one mesh
// of another one. Returns bounds, and a translation that frees the mesh.
//
//   std::optional<Penetration> p = PenetrationOf(a, b);
//   if (p && p->depth.upper > 0) Move(a, p->translation);
//
// A mesh that is moved by `translation`, rounded like a pose, is certainly
// free: the meshes have no common point, and neither is inside the other
// (mesh_relation.h; kUndefined counts as free only if a plane separates the
// meshes). Touching counts as overlap, so solids that touch have a lower bound
// of 0 and an upper bound of some roundings. The depth is an infimum, so it
// does not depend on whether touching counts.
//
// Bounds:
// - `upper` is the length of `translation`. The search tries the normals of the
//   triangles that overlap, the cross products of their edges, the axes, and
//   the line through the centres. Sums of normals lead out of corners. The best
//   translations are then shortened to a local minimum. If meshes hook into
//   each other, a much shorter translation may exist.
// - `lower` is certified. For two convex solids of up to some 8,000 triangles,
//   it is the depth, except for rounding. Solids count as convex up to 10^-3 of
//   their size, and the bound allows for the difference. For other solids, it
//   is the diameter of a ball inside both (shared_region.h), to some per cent.
//   It is 0 for open meshes.
// Cost: for convex solids O(triangles * vertices), under a millisecond for some
// hundred triangles. Otherwise some tens of AllOverlaps, O(n) for each
// direction, and a ThicknessOfShared. Thread-safe.
//
// Has a form with run options (query_options.h). Only AllOverlaps uses several
// threads.
#ifndef ORBOX_BVH_SOLIDS_PENETRATION_H_
#define ORBOX_BVH_SOLIDS_PENETRATION_H_

#include <optional>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
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
  // The unit vector along `translation`, out of the second mesh. Zero if the
  // meshes are apart.
  Vec3 normal;
  // Points of the surfaces that are last in contact along the translation, at
  // the given poses. on_b - on_a is the translation, except for the rounding
  // that separates the meshes. witness.distance is 0. If the meshes are apart,
  // the result of ClosestPair.
  Witness witness;
};

// Returns zeros if the meshes are apart. Returns nothing if no translation
// could be verified, for example if coordinates are near the end of their
// range.
ORBOX_EXPORT std::optional<Penetration> PenetrationOf(
    const PosedTree& a, const PosedTree& b,
    InsideRule inside = InsideRule::kWinding);
ORBOX_EXPORT absl::StatusOr<std::optional<Penetration>> PenetrationOf(
    const PosedTree& a, const PosedTree& b, InsideRule inside,
    const RunOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_PENETRATION_H_
