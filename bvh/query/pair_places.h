// SPDX-License-Identifier: Apache-2.0

// In which places are two meshes within d of each other? Ten thousand pairs of
// triangles become the few spots that a person goes and looks at.
//
//   for (const NearPlace& place : AllPlacesWithin(a, b, 0.002)) {
//     report(place.closest.distance, place.closest.on_a, place.box);
//   }
//
// Two pairs of triangles within d hang together if their triangles of mesh a
// are one triangle or share a corner, and those of mesh b, too. A place is a
// largest set of pairs that hang together from pair to pair. So the four legs
// of a table are four places on a floor of two triangles; and where several
// pairs are nearest in one spot, at a corner or an edge that they share, they
// are one place. Corners are the same if their coordinates in the mesh are
// equal. Exact, as the pairs are (pair_within.h): the places depend neither on
// the order of the triangles nor on the number of threads.
//
// Options are those of query_options.h, as AllWithin (pair_within.h) has them.
// O(pairs) more than AllWithin, with some 100 bytes a pair. Thread-safe.
#ifndef ORBOX_BVH_QUERY_PAIR_PLACES_H_
#define ORBOX_BVH_QUERY_PAIR_PLACES_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct NearPlace {
  size_t pair_count = 0;
  // The nearest pair, of equally near ones the lowest, and a point on each.
  Witness closest;
  // Has all points of the place's triangles that are within d of the other
  // triangle of their pair, and little more where triangles are small.
  Aabb box;
  // The areas of the triangles of each mesh in the place, whole and posed, to
  // within rounding. One triangle may be in several places.
  double area_a = 0;
  double area_b = 0;
};

// All places, the nearest first; of equally near ones that of the lowest pair.
ORBOX_EXPORT std::vector<NearPlace> AllPlacesWithin(
    const PosedTree& a, const PosedTree& b, double distance,
    const QueryOptions& options = {});

// The same at each of many poses of `a`, as pair_overlap.h says.
ORBOX_EXPORT absl::StatusOr<Lists<NearPlace>> AllPlacesWithin(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const QueryOptions& options = {});

// The places of pairs that are there already. Requires pairs of these trees
// with distances of at most `distance`, ascending by (a, b), fewer than 2^32.
ORBOX_EXPORT std::vector<NearPlace> PlacesOf(
    const PosedTree& a, const PosedTree& b, std::span<const PairDistance> pairs,
    double distance);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIR_PLACES_H_
