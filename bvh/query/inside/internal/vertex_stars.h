// SPDX-License-Identifier: Apache-2.0

// Vertices of a surface around which triangles overlap only as neighbours.
// Private. They save the search for self-intersections most of its pairs.
//
//   std::vector<CornerIds> simple = SimpleCorners(mesh, ids, edges,
//   directions);
//
// The triangles around a vertex are its star. Suppose that, in the view along
// some direction, each of them turns counterclockwise around the vertex, and
// all of them together turn once. Then any two of them have only the edge or
// the vertex in common that they share. So one turn is counted per star,
// instead of a test per pair. A vertex is not simple if doubles leave a sign
// uncertain. O(n).
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_VERTEX_STARS_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_VERTEX_STARS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/inside/internal/surface_edges.h"
#include "orbox/bvh/traverse/internal/self_pairs.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The id of each vertex and the number of ids, as for JoinEdges. A direction
// for each id, of any length, for the view of its star (0 excludes the star).
// And the scale, a power of two, that makes differences of coordinates less
// than 4.
struct SeenStars {
  std::span<const uint32_t> ids;
  std::span<const Vec3> directions;
  double scale;
};

// Returns for each triangle the ids of its corners; kNoCorner (self_pairs.h)
// for those whose stars are not known to be simple.
std::vector<CornerIds> SimpleCorners(const Mesh& mesh,
                                     const SurfaceEdges& edges,
                                     const SeenStars& seen);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_VERTEX_STARS_H_
