// SPDX-License-Identifier: Apache-2.0

// Around which vertices of a surface do triangles meet as neighbours only?
// Private: what spares the search for self-intersections most of its pairs.
//
//   std::vector<CornerIds> simple = SimpleCorners(mesh, ids, edges,
//   directions);
//
// The triangles around a vertex are its star. Seen along some direction, let
// each of them turn counterclockwise around the vertex, and all of them
// together once: then no two of them have anything in common but the edge or
// the vertex that they share. One turn is counted for a star, and not a test
// made for each of its pairs. Signs that doubles are not certain of leave a
// vertex out. O(n).
#ifndef ORBOX_BVH_QUERY_INTERNAL_VERTEX_STARS_H_
#define ORBOX_BVH_QUERY_INTERNAL_VERTEX_STARS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/internal/surface_edges.h"
#include "orbox/bvh/traverse/internal/self_pairs.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// What each vertex is one with, and how many ids there are, as JoinEdges has
// them; a direction for each id, of any length, from which its star is seen (0
// leaves it out); and what coordinates' differences are multiplied by, a power
// of two, to be below 4.
struct SeenStars {
  std::span<const uint32_t> ids;
  std::span<const Vec3> directions;
  double scale;
};

// For each triangle the ids of its corners, kNoCorner (self_pairs.h) for those
// whose stars are not known to be simple.
std::vector<CornerIds> SimpleCorners(const Mesh& mesh,
                                     const SurfaceEdges& edges,
                                     const SeenStars& seen);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_VERTEX_STARS_H_
